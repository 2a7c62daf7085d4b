"""Times of the panel: from a press to the wire, from an event to the screen, over a whole day."""
