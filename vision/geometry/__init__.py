"""A camera's position in, the place and colours of each sticker in its picture out."""
