"""The verbs `bench …`."""
