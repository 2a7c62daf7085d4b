"""Methods for the 3×3×3 cube, from S1's commutators to two phases, each in steps one can follow."""
