"""The application: command line, solve session, configuration."""
