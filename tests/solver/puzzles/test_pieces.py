"""Pieces that are taken out and put back."""

import numpy as np

from solver.puzzles.catalogue import puzzle_named


def test_a_reassembly_mixes_all_pieces_but_those_of_the_frame_in_every_way() -> None:
    pieces = puzzle_named("3x3x3-slices").pieces
    (frame,) = (kind for kind in pieces.kinds if kind.frame)
    assert frame.name == "centres"
    state = pieces.reassembled(np.random.default_rng(1))
    for kind in pieces.kinds:
        inside, rotations = pieces.contents(kind, state)
        assert sorted(inside) == list(range(len(kind.places)))
        at_home = inside == sorted(inside)
        assert at_home == kind.frame
        assert (len(set(rotations)) == 1) == kind.frame
    # Two tips of a pyraminx, turned in three ways each, are in nine ways together.
    pieces = puzzle_named("pyraminx").pieces
    tips = [kind for kind in pieces.kinds if kind.name.startswith("tips")][:2]
    rng, seen = np.random.default_rng(2), set()
    for _ in range(200):
        state = pieces.reassembled(rng)
        seen.add(tuple(tuple(pieces.contents(kind, state)[1]) for kind in tips))
    assert len(seen) == 9
