"""Where a search stands in phase one, as the recursive searches hand it on."""

from typing import NamedTuple

from solver.kernels.arrays import record


class Node(NamedTuple):
    """A position.

    Attributes:
        cls: Class of its flips and slice.
        twist: Its twists in the class's frame.
        symmetry: Leads from the raw cube to that frame.
        corners: Permutation of the raw cube's corners.
        slices: Places and order of the raw cube's slice edges.
    """

    cls: int
    twist: int
    symmetry: int
    corners: int
    slices: int


NODE = record(Node)
