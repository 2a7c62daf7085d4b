"""Tables for the pieces of one edge: face turns keep edges whole, inner layers take them apart."""

import numpy as np
import pytest

from puzzles.kinds.box import Box
from puzzles.paths.large.cube_turns import CubeTurns
from puzzles.paths.large.edge_tables import EdgeTables


def tables_of(side: int) -> EdgeTables:
    """Return the tables for half turns of inner layers."""
    turns = CubeTurns(Box(side, side, side))
    return EdgeTables(turns, [not turn.deep or turn.half for turn in turns.turns])


@pytest.mark.parametrize("side", [5, 6])
def test_a_turn_changes_each_distance_by_one_at_most(side: int) -> None:
    """Added steps give the same numbers as the pieces' places in the state."""
    tables = tables_of(side)
    distances, rng, state = tables.build(), np.random.default_rng(4), np.arange(6 * side * side)
    usable, factors = np.flatnonzero(tables.usable), 24 ** np.arange(tables.steps.shape[1])
    numbers, rows = tables.numbers(state), []
    for turn in rng.choice(usable, 100).tolist():
        rows.append(distances[numbers].astype(np.int64))
        state = state[tables.turns.turns[turn].effect]
        places = numbers[:, None] // factors % 24
        numbers = tables.steps[turn][np.arange(len(factors)), places].sum(axis=1)
        assert (numbers == tables.numbers(state)).all()
    assert (rows[0] == 0).all()
    assert 4 < np.max(rows) < 10
    assert abs(np.diff(rows, axis=0)).max() == 1


def test_only_inner_layers_take_edges_apart() -> None:
    tables = tables_of(5)
    distances = tables.build()
    for turn in tables.turns.turns:
        apart = (distances[tables.numbers(turn.effect)] > 0).sum()
        assert apart == (4 if turn.deep else 0)
