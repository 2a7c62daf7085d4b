"""A camera's place in, where it sees each sticker and the colours there out."""
