"""Methods for the 3×3×3 cube, from S1's commutators to two phases, in steps people can follow."""
