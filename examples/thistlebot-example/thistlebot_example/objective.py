"""An objective: ``--objective spare-back`` avoids the back face, whose motor is worn."""

from cube.moves import MoveSequence, htm
from solver.search.metrics import priced


def price(moves: MoveSequence) -> float:
    """Count face turns; one of the back face counts as three."""
    return htm(moves) + 2 * sum(move.face == "B" for move in moves)


SPARE_BACK = priced("spare-back", price)
"""Of many short solutions, the one with the lowest price is taken."""
