"""What the user asks of the solver in, solutions out; tables come when needed."""
