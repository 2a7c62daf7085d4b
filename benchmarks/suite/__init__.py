"""The bugs of the past, put back once more."""
