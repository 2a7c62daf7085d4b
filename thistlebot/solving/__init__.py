"""The user's wishes for the solver in, solutions out; tables are loaded on demand."""
