"""The verbs `serve` and `devices`."""
