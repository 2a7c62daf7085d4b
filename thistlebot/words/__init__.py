"""What the panel says, in all its languages: keys in, texts out."""
