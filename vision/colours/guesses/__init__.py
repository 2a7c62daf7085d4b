"""First guesses of what the six colours look like."""
