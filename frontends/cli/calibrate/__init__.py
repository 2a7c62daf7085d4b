"""The verb `calibrate`, one file per part."""
