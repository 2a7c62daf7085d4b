"""Times of the panel, from a press to the wire and from an event to the screen; its pictures."""
