"""The verb `bench`, a file a part."""
