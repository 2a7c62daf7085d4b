"""Finds the sequences of the last layer: run `python benchmarks/solver/last_layer_cases.py > FILE`.

FILE is `teaching/methods/data/last_layer.txt`. Every orientation case is solved into each of the
288 oriented last layers, and every permutation case into each turn of U, by the anytime solver; the
shortest answer is stored. This takes about five minutes.
"""

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.search.objectives import load_tables
from solver.tables import TableStore
from teaching.methods.last_layer import (
    LastLayerCase,
    orientation_cases,
    oriented_layers,
    permutation_cases,
    spread,
)
from thistlebot.config import Folders

QUICK_MS, LONG_MS, TRIED_LONG = 3.0, 300.0, 4


def shortest(state: CubeState, targets: list[CubeState], tables: Engine) -> MoveSequence:
    """Return the shortest sequence found from a state to one of the targets."""
    first = sorted(
        (len(solve(state, target=target, tables=tables, budget_ms=QUICK_MS).moves), number)
        for number, target in enumerate(targets)
    )
    best = [
        solve(state, target=targets[number], tables=tables, budget_ms=LONG_MS).moves
        for _, number in first[:TRIED_LONG]
    ]
    return min(best, key=len)


def main() -> None:
    """Write the file to standard output."""
    tables = load_tables(TableStore(Folders.of_platform().cache / "tables"))
    turned = [SOLVED.apply(MoveSequence.parse(turn)) for turn in ("", "U", "U2", "U'")]
    cases = [
        LastLayerCase("OLL", number, shortest(state, oriented_layers(), tables))
        for number, state in enumerate(orientation_cases(), start=1)
    ]
    cases += [
        LastLayerCase("PLL", number, shortest(state, turned, tables))
        for number, state in enumerate(permutation_cases(), start=1)
    ]
    spread(tuple(cases))
    print("# Made by benchmarks/solver/last_layer_cases.py: kind, number, turns. Do not edit.")
    for case in cases:
        print(case.kind, case.number, case.moves)


if __name__ == "__main__":
    main()
