"""The verb that serves the panel."""
