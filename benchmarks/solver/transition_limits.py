"""Computes the maximum benefit of knowing the transitions, for any search and budget.

    python -m benchmarks.solver.transition_limits

The time of a state's quickest sequence is about the time at which the number of quicker sequences
equals the number of states. So the growth of the number of sequences with their time gives the mean
time of a perfect search: one that knows the transitions of the default rig with cut corners, and
one that ignores them and adds up the turns. Sequences of the latter are then timed with the
transitions. Nothing is random; the angles are those of `thistlebot bench corners`.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.cli.corners import cutting_rigs
from benchmarks.report import Given, Percent, Report, Row, Rows, Tenths, Wide, parser_of, run
from robot.rigs.catalogue import default_rig
from solver.search.tables.axial_turns import AXIAL_TURNS
from solver.search.time_model import NS_PER_MS, StepCosts
from thistlebot.solving.rig_times import step_costs, time_model

STATES = math.factorial(8) * 3**7 * math.factorial(12) * 2**10
_ROUND_NS = 400_000  # ends of a turn that differ by less are equal: this limits their number
_MOST_RATE = 1.0  # sequences grow by less than a factor e per millisecond
_MOST_STEPS, _CLOSE = (
    1000,
    1e-13,
)  # of the power iteration; distance of its last vectors

Floats = NDArray[np.float64]
Ends = tuple[tuple[int, int], ...]
"""The extra time of the quickest path to each last step, in nanoseconds."""
Place = tuple[int, Ends]
"""Axis of the last turn, and its ends: everything that affects the next turn's time."""


@dataclass(frozen=True, slots=True)
class Following:
    """Every turn allowed in every place, with its extra time.

    Attributes:
        before: Number of the place, int64 (n,).
        after: Number of the next place, int64 (n,).
        turns: The axial turn, int64 (n,).
        added_ms: Its extra time, with known transitions, (n,).
    """

    before: NDArray[np.int64]
    after: NDArray[np.int64]
    turns: NDArray[np.int64]
    added_ms: Floats

    def growth(self, costs_ms: Floats) -> tuple[float, Floats]:
        """Return how fast the number of sequences grows with their cost, and their composition.

        Args:
            costs_ms: Cost of each allowed turn, (n,).

        Returns:
            Rate per millisecond, and the share that each turn has of long sequences, (n,).
        """
        slow, fast = 0.0, _MOST_RATE
        while fast - slow > 1e-9:
            middle = (slow + fast) / 2
            if self._multiplied(middle, costs_ms)[0] > 1:
                slow = middle
            else:
                fast = middle
        _, ahead, behind = self._multiplied(fast, costs_ms)
        shares = behind[self.before] * np.exp(-fast * costs_ms) * ahead[self.after]
        return fast, shares / shares.sum()

    def _multiplied(self, rate: float, costs_ms: Floats) -> tuple[float, Floats, Floats]:
        """Return the largest eigenvalue of the turns weighted by cost, with both eigenvectors."""
        count = int(self.before.max()) + 1
        matrix = np.zeros((count, count))
        np.add.at(matrix, (self.before, self.after), np.exp(-rate * costs_ms))
        value, ahead = _largest(matrix)
        return value, ahead, _largest(matrix.T)[1]


def _largest(matrix: Floats) -> tuple[float, Floats]:
    """Return the largest eigenvalue of a non-negative matrix, and its eigenvector."""
    vector, value = np.full(len(matrix), 1 / len(matrix)), 0.0
    for _ in range(_MOST_STEPS):
        multiplied = matrix @ vector
        before, value = vector, float(multiplied.sum())
        vector = multiplied / value
        if np.abs(vector - before).max() <= _CLOSE:
            break
    return value, vector


def following(costs: StepCosts) -> Following:
    """Return the turns that may follow each other on a rig."""
    numbers: dict[Place, int] = {}
    for turn, (axis, _, _) in enumerate(AXIAL_TURNS):
        numbers.setdefault((axis, _ends(costs, turn, ())[0]), len(numbers))
    rows = []
    places = list(numbers)
    while places:
        axis, before = place = places.pop()
        for turn, (by, _, _) in enumerate(AXIAL_TURNS):
            if by == axis:
                continue
            ends, added_ns = _ends(costs, turn, before)
            if (by, ends) not in numbers:
                numbers[by, ends] = len(numbers)
                places.append((by, ends))
            rows.append((numbers[place], numbers[by, ends], turn, added_ns))
    before_all, after, turns, added = np.array(rows).T
    return Following(before_all, after, turns, added / NS_PER_MS)


def _ends(costs: StepCosts, turn: int, before: Ends) -> tuple[Ends, int]:
    """Return the ends of a turn after those of the previous one, and the minimum extra time."""
    reached: dict[int, int] = {}
    for first, last, cost in costs.ways[turn]:
        waits = (end + int(costs.pauses[step, first]) for step, end in before)
        end = cost + min(waits, default=0)
        reached[last] = min(end, reached.get(last, end))
    least = min(reached.values())
    useful = int(costs.pauses.max() - costs.pauses.min())
    late = {last: end - least for last, end in reached.items() if end - least <= useful}
    kept = ((last, round(more / _ROUND_NS) * _ROUND_NS) for last, more in sorted(late.items()))
    return tuple(kept), least


def limits_ms(known: StepCosts, ignoring: StepCosts) -> tuple[float, float]:
    """Return the mean times of perfect searches: ignoring the transitions, and knowing them.

    Args:
        known: The transitions for timing both.
        ignoring: The values that the first one adds up; one way for each turn.
    """
    turns = following(known)
    single_ns = ignoring.start + np.array([ways[0][2] for ways in ignoring.ways])
    added_ms = single_ns[turns.turns] / NS_PER_MS
    rate, _ = turns.growth(turns.added_ms)
    blind, shares = turns.growth(added_ms)
    told = float(shares @ turns.added_ms / (shares @ added_ms))
    return told * math.log(STATES) / blind, math.log(STATES) / rate


class LimitRow(Row):
    """Mean times of perfect searches, and the benefit of knowing the transitions."""

    board: Wide
    ignoring_ms: Tenths
    knowing_ms: Tenths
    quicker: Percent


def limits(_: Given, __: Report) -> Rows:
    """Yield a row for each board and choice of angles."""
    ignoring = time_model(default_rig()).costs()
    for name, lanes, rig in cutting_rigs():
        blind_ms, best_ms = limits_ms(step_costs(rig, lanes), ignoring)
        yield LimitRow(name, blind_ms, best_ms, 1 - best_ms / blind_ms)


if __name__ == "__main__":
    run(parser_of(__doc__), limits)
