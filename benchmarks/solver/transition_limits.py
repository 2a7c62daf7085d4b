"""Tell what knowing the transitions can save at most, whatever the search and its budget.

    python -m benchmarks.solver.transition_limits

A state's quickest sequence takes about so long that as many sequences are quicker as there are
states. So the growth of the number of sequences with their time tells the mean time of a perfect
search: one that knows the transitions of the default rig with cut corners, and one that ignores
them and adds up the turns. Sequences that the latter finds are then timed with the transitions.
Nothing is drawn at random; the angles are those of `thistlebot bench corners`.
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
_ROUND_NS = 400_000  # ends of a turn that differ by less are alike: it keeps their number small
_MOST_RATE = 1.0  # sequences grow by less than a factor e each millisecond
_MOST_STEPS, _CLOSE = 1000, 1e-13  # of the power iteration, and how near two of its vectors end

Floats = NDArray[np.float64]
Ends = tuple[tuple[int, int], ...]
"""What the quickest way to each last step takes more than the quickest of all, nanoseconds."""
Place = tuple[int, Ends]
"""Axis of the last turn, and its ends: all that the next turn's time depends on."""


@dataclass(frozen=True, slots=True)
class Following:
    """Every turn that may follow in every place, with what it adds.

    Attributes:
        before: Number of the place, int64 (n,).
        after: Number of the place that it leads to, int64 (n,).
        turns: The axial turn, int64 (n,).
        added_ms: What it adds to the time, transitions known, (n,).
    """

    before: NDArray[np.int64]
    after: NDArray[np.int64]
    turns: NDArray[np.int64]
    added_ms: Floats

    def growth(self, costs_ms: Floats) -> tuple[float, Floats]:
        """Return how fast the number of sequences grows with their cost, and what they consist of.

        Args:
            costs_ms: What each of the turns that may follow costs, (n,).

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
        """Largest eigenvalue of the turns weighed by their costs, with both its eigenvectors."""
        count = int(self.before.max()) + 1
        matrix = np.zeros((count, count))
        np.add.at(matrix, (self.before, self.after), np.exp(-rate * costs_ms))
        value, ahead = _largest(matrix)
        return value, ahead, _largest(matrix.T)[1]


def _largest(matrix: Floats) -> tuple[float, Floats]:
    """The largest eigenvalue of a matrix without negative numbers, and its eigenvector."""
    vector, value = np.full(len(matrix), 1 / len(matrix)), 0.0
    for _ in range(_MOST_STEPS):
        multiplied = matrix @ vector
        before, value = vector, float(multiplied.sum())
        vector = multiplied / value
        if np.abs(vector - before).max() <= _CLOSE:
            break
    return value, vector


def following(costs: StepCosts) -> Following:
    """List the turns that may follow each other on a rig."""
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
    """Return the ends of a turn after those of the one before, and what the quickest adds."""
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
    """Return the mean times of perfect searches: one that ignores the transitions, and one not.

    Args:
        known: The transitions by which both are timed.
        ignoring: What the one adds up that ignores them; one way for each turn.
    """
    turns = following(known)
    single_ns = ignoring.start + np.array([ways[0][2] for ways in ignoring.ways])
    added_ms = single_ns[turns.turns] / NS_PER_MS
    rate, _ = turns.growth(turns.added_ms)
    blind, shares = turns.growth(added_ms)
    told = float(shares @ turns.added_ms / (shares @ added_ms))
    return told * math.log(STATES) / blind, math.log(STATES) / rate


class LimitRow(Row):
    """Mean times of perfect searches, and how much quicker the one is that knows."""

    board: Wide
    ignoring_ms: Tenths
    knowing_ms: Tenths
    quicker: Percent


def limits(_: Given, __: Report) -> Rows:
    """A row for each board and choice of angles."""
    ignoring = time_model(default_rig()).costs()
    for name, lanes, rig in cutting_rigs():
        blind_ms, best_ms = limits_ms(step_costs(rig, lanes), ignoring)
        yield LimitRow(name, blind_ms, best_ms, 1 - best_ms / blind_ms)


if __name__ == "__main__":
    run(parser_of(__doc__), limits)
