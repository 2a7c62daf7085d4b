"""S1's commutators, as they are written and from all sides."""

import re

from cube.moves import MoveSequence
from cube.state import SOLVED
from solver.methods.tools import commutator


def test_a_commutator_is_seen_as_it_is_written() -> None:
    made = commutator("R", "U")
    assert str(made.moves) == "R U R' U'"
    assert made.effect == SOLVED.apply(MoveSequence.parse("R U R' U'"))
    assert re.findall(r"\b[RUy]\b", made.text) == ["R", "U"]
    for quarters, moves, said in (
        (1, "B U B' U'", "y"),
        (2, "L U L' U'", "y2"),
        (3, "F U F' U'", "y'"),
    ):
        made = commutator("R", "U", quarters=quarters)
        assert str(made.moves) == moves
        assert made.text.endswith(f" {said}")
