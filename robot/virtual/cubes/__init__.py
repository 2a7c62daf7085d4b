"""What motors and machines do to a virtual cube, and what becomes of it when they lose steps."""
