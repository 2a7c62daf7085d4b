"""The verb `calibrate`, a file a part."""
