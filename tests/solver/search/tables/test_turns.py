"""The tables of turns against the turns themselves."""

import numpy as np

from cube.moves import ALL_MOVES
from solver.cubies import Cubies, move_cubies
from solver.search.tables.turns import turn_arrays


def cubies(row: np.ndarray) -> Cubies:
    return Cubies(*np.split(row.astype(np.int64), [8, 16, 28]))


def test_the_cube_is_seen_from_three_axes_without_a_mirror() -> None:
    """Each way to see it stands beside its inverse, and its turns are told by the same frame."""
    arrays = turn_arrays()
    faces = []
    for axis, (there, back) in enumerate(arrays["rotations"].reshape(3, 2, 40)):
        rotation, undone = cubies(there), cubies(back)
        assert (rotation * undone).same_as(cubies(arrays["rotations"][0]))
        for number, turn in enumerate(move_cubies()):
            seen = move_cubies()[arrays["axis_turns"][axis, number]]
            assert (rotation * turn * undone).same_as(seen)
        upper = ALL_MOVES[arrays["axis_turns"][axis, 0]]
        assert upper.turns == 1  # a mirror would show it anticlockwise
        faces.append(upper.axis)
    assert sorted(faces) == [0, 1, 2]
