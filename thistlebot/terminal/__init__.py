"""Events and key presses in, text and pictures for the user out."""
