"""Events and key presses in, lines and pictures for a person out."""
