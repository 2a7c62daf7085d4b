"""What the panel takes: from a press to the wire, from an event to the screen, all day long."""
