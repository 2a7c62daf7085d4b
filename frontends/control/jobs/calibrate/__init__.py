"""The jobs of the page Calibrate, one module per card."""
