"""What to show: events and notices in, one view out; pure functions and values."""
