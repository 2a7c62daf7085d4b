"""The quickest program for a sequence of moves: a shortest path through the machine's turns.

Neighbouring moves of one axis form a block: any turns with the same effect on its two faces will
do, in either order, together or one by one. Between two turns the machine takes the quickest path.
The orientation of the cube and the places of all parts belong to the search, so no other program
that makes the moves block by block is quicker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cube.moves import OPPOSITE_FACE, Move, MoveSequence
from cube.orientation import Orientation, orientations
from robot.errors import NotPossibleError
from robot.rigs.action_machine.paths import COUNT, Numbers, Times, TurnlessPaths
from robot.rigs.action_machine.transitions import LayerTurn, Stride
from robot.rigs.program import Pose

Block = tuple[str, int, int]
"""A face, and the clockwise quarter turns, 0 to 3, of it and of the opposite face."""


def blocks_of(moves: MoveSequence) -> list[Block]:
    """Group moves of one axis into blocks; moves that cancel out are dropped."""
    blocks: list[Block] = []
    for move in moves:
        face = min(move.face, OPPOSITE_FACE[move.face])
        turns = [0, 0]
        if blocks and blocks[-1][0] == face:
            turns = list(blocks.pop()[1:])
        turns[move.face != face] += move.turns
        if turns[0] % 4 or turns[1] % 4:
            blocks.append((face, turns[0] % 4, turns[1] % 4))
    return blocks


class _Stage:
    """The labels of a block: the best times for each amount that is left of it."""

    def __init__(self, ends: int) -> None:
        shape = (4, 4, ends * COUNT)
        self.times: Times = np.full(shape, np.inf)
        self.parent: Numbers = np.full((*shape, 4), -1, dtype=np.int64)
        """For each label: the amounts left before its last turn, its label then, and that turn."""


@dataclass(frozen=True, slots=True)
class _Effects:
    """Turns with the same effect on an axis, each with the orientations for which it has it.

    Attributes:
        turns: Their numbers.
        cells: The machine state and orientation before each: its place in the axis's `ways`.
        labels: The machine state and orientation after it.
    """

    turns: Numbers
    cells: Numbers
    labels: Numbers


@dataclass(frozen=True, slots=True)
class _Axis:
    """The turns of one axis only.

    Attributes:
        ways: The time from the end of any turn to where one of these begins.
        effects: The turns by their effect on its two faces.
    """

    ways: Times
    effects: dict[tuple[int, int], _Effects]


class Planner:
    """Plans for one machine.

    Args:
        ways: Its quickest paths between turns.

    Attributes:
        ends: The states of the machine in which a plan may begin.
    """

    def __init__(self, ways: TurnlessPaths) -> None:
        self._ways = ways
        self.ends = ways.ends
        size = len(self.ends) * COUNT
        between = ways.between().reshape(size, -1)
        self._lasts = np.array([stride.time_ms for stride in ways.turns], dtype=float)
        alike: dict[tuple[LayerTurn, ...], list[int]] = {}
        for number, stride in enumerate(ways.turns):
            alike.setdefault(stride.turns, []).append(number)
        self._axes = {face: self._axis(face, alike, between) for face in "BDL"}

    def plan(self, moves: MoveSequence, start: Pose) -> list[Stride]:
        """Return the quickest strides.

        Args:
            moves: The moves of the cube.
            start: The pose at the beginning; its places are one of `ends`.

        Raises:
            NotPossibleError: The machine cannot make them.
        """
        stages = self._stages(blocks_of(moves), self.ends.index(start.places), start.held)
        label = int(stages[-1].times[0, 0].argmin())
        strides: list[Stride] = []
        place, left = len(stages) - 1, (0, 0)
        while place > 0:
            first, second, before, turn = map(int, stages[place].parent[(*left, label)])
            if turn < 0:  # the block begins where the previous one ended
                place, left = place - 1, (0, 0)
                continue
            stride = self._ways.turns[turn]
            end, was_held = divmod(before, COUNT)
            way = self._ways.way(end, was_held, stride.before, label % COUNT)
            strides += [stride, *reversed(way)]
            label, left = before, (first, second)
        return strides[::-1]

    def _stages(self, blocks: Sequence[Block], start: int, held: Orientation) -> list[_Stage]:
        stage = _Stage(len(self.ends))
        stage.times[0, 0, start * COUNT + held.index] = 0.0
        stages = [stage]
        for face, *left in blocks:
            following = _Stage(len(self.ends))
            following.times[tuple(left)] = stage.times[0, 0]
            self._make(face, (left[0], left[1]), following)
            if not np.isfinite(following.times[0, 0]).any():
                raise NotPossibleError(_cannot(face, left))
            stages.append(following)
            stage = following
        return stages

    def _make(self, face: str, left: tuple[int, int], stage: _Stage) -> None:
        """Complete a block, from the amounts at its beginning to nothing left."""
        ahead, axis = [left], self._axes[face]
        while ahead:
            first, second = ahead.pop(0)
            begins = np.flatnonzero(np.isfinite(stage.times[first, second]))
            times = stage.times[first, second][begins, None] + axis.ways[begins]
            best = times.argmin(axis=0)
            reached = times[best, np.arange(times.shape[1])]
            for (of_first, of_second), effects in axis.effects.items():
                if (of_first and not first) or (of_second and not second):
                    continue  # completed amounts are not changed
                rest = (first - of_first) % 4, (second - of_second) % 4
                done = reached[effects.cells] + self._lasts[effects.turns]
                better = np.flatnonzero(done < stage.times[rest][effects.labels])
                if not len(better):
                    continue
                worst_first = better[np.argsort(-done[better], kind="stable")]
                labels = effects.labels[worst_first]
                stage.times[rest][labels] = done[worst_first]
                parents = stage.parent[rest]
                parents[labels, 0], parents[labels, 1] = first, second
                parents[labels, 2] = begins[best[effects.cells[worst_first]]]
                parents[labels, 3] = effects.turns[worst_first]
                if rest not in ahead and any(rest):
                    ahead.append(rest)

    def _axis(
        self, face: str, alike: Mapping[tuple[LayerTurn, ...], list[int]], between: Times
    ) -> _Axis:
        """Return the turns of an axis.

        Args:
            face: One of its faces.
            alike: The numbers of the strides that turn the same layers.
            between: The time from the end of any turn to the beginning of any.
        """
        begin_of, end_of = np.array(self._ways.begin_of), np.array(self._ways.end_of)
        found: dict[tuple[int, int], list[Numbers]] = {}
        for turns, numbers in alike.items():
            for held in orientations():
                amounts = {face: 0, OPPOSITE_FACE[face]: 0}
                moves = [held.move_of(turn.place, turn.quarters) for turn in turns]
                if all(move.face in amounts for move in moves):
                    for move in moves:
                        amounts[move.face] += move.turns
                    begins, ends = begin_of[numbers], end_of[numbers]
                    places = begins * COUNT + held.index, ends * COUNT + held.index
                    first, second = (amount % 4 for amount in amounts.values())
                    found.setdefault((first, second), []).append(np.array((numbers, *places)))
        joined = {effect: np.concatenate(rows, axis=1) for effect, rows in found.items()}
        begun = [cells for _, cells, _ in joined.values()]
        needed = np.unique(np.concatenate([np.zeros(0, np.int64), *begun]))
        effects = {}
        for effect, rows in joined.items():
            strides, cells, labels = rows[:, np.lexsort(rows[::-1])]
            effects[effect] = _Effects(strides, np.searchsorted(needed, cells), labels)
        return _Axis(between[:, needed], effects)


def _cannot(face: str, left: Sequence[int]) -> str:
    faces = face, OPPOSITE_FACE[face]
    moves = (Move(each, turns) for each, turns in zip(faces, left, strict=True) if turns)
    told = " ".join(map(str, moves))
    return f"this machine cannot turn {told}: no sequence of its actions does this"
