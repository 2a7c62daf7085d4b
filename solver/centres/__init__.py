"""A cube with pictures on its centres in, a solution that leaves them straight out."""
