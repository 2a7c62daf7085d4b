import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from solver.methods.tools import commutator


def test_a_commutator_is_seen_as_it_is_written() -> None:
    made = commutator("R", "U")
    assert str(made.moves) == "R U R' U'"
    assert made.effect == SOLVED.apply(MoveSequence.parse("R U R' U'"))
    assert made.text == "commutator of R and U"


@pytest.mark.parametrize(
    ("quarters", "moves", "said"),
    [(1, "B U B' U'", "y"), (2, "L U L' U'", "y2"), (3, "F U F' U'", "y'")],
)
def test_a_turned_cube_shows_another_face(quarters: int, moves: str, said: str) -> None:
    made = commutator("R", "U", quarters=quarters)
    assert str(made.moves) == moves
    assert made.text == f"commutator of R and U, seen after {said}"
