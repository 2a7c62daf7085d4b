"""Premoves of axial turns: what they make of the cube, and how they are counted."""

from itertools import pairwise

import numpy as np
import pytest

from solver.cubies import move_cubies, symmetries
from solver.kernels import packed
from solver.search.tables.axial_turns import AXIAL_TURNS, IN_G2, Prices
from solver.search.tables.premoves import axial_premoves

QUARTERS = Prices(1, 2, together=False).costs()
TOGETHER = Prices(1, 2).costs()


def turns_of(word: int) -> list[int]:
    _, length = packed.unpack_axial_premove(word)
    return [packed.axial_premove_turn(word, place) for place in range(length)]


@pytest.mark.parametrize(
    ("costs", "most_cost", "most_turns"), [(QUARTERS, 4, 4), (QUARTERS, None, 3), (TOGETHER, 3, 4)]
)
def test_premoves_are_what_they_say(
    costs: np.ndarray, most_cost: int | None, most_turns: int
) -> None:
    rows, words, counts = axial_premoves(costs, most_cost)
    assert len(rows) == len(words) == counts[-1] == len(set(words.tolist()))
    rng = np.random.default_rng(1)
    for number in {0, *rng.integers(len(words), size=300).tolist()}:
        turns = turns_of(int(words[number]))
        cost, _ = packed.unpack_axial_premove(int(words[number]))
        assert cost == sum(costs[turns])
        assert len(turns) <= most_turns
        assert not turns or turns[0] not in IN_G2
        axes = [AXIAL_TURNS[turn][0] for turn in turns]
        assert all(one != other for one, other in pairwise(axes))
        cube = symmetries()[0]
        for turn in turns:
            axis, a, b = AXIAL_TURNS[turn]
            for face, quarters in ((axis, a), (axis + 3, b)):
                if quarters:
                    cube = cube * move_cubies()[3 * face + quarters - 1]
        assert np.array_equal(cube.row(), rows[number])
