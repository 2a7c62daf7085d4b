"""What is claimed, measured, and campaigns that try to break it."""
