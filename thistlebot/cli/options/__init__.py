"""The options that verbs share, their values, and which of them go together."""
