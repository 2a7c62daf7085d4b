"""What the tables of the axial metric are made of."""

import pytest

from cube.moves import ALL_MOVES
from solver.search.axial_tables import _half_turns


@pytest.mark.parametrize(
    ("axis", "names"),
    [
        (0, [""]),
        (1, ["", "R2", "L2", "R2 L2"]),
        (2, ["", "F2", "B2", "F2 B2"]),
    ],
)
def test_half_turns_of_an_axis_are_those_of_its_two_faces(axis: int, names: list[str]) -> None:
    told = [" ".join(str(ALL_MOVES[turn]) for turn in turns) for turns in _half_turns(axis)]
    assert told == names
