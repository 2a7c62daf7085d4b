"""A picture of a hand-held face in, its nine stickers out."""
