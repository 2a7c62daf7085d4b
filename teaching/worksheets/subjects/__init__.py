"""The questions of the worksheets, a module for each subject."""
