"""Diagnosis of a failed turn, from the cube before the program and the cube seen after it.

If one turn differs from the plan, the result equals that of the planned program followed by one
more rearrangement: the error of the turn, conjugated by the turns after it. So the final state
gives this rearrangement, and a table of the rearrangements of all single deviations gives the turn.
For two deviations, the first one leaves the rearrangement that the second one must have.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES, Move
from cube.orientation import Orientation, facelet_places, orientations
from cube.state import CubeState, move_state
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Actuator, CubeTurn, RigProgram

Places = NDArray[np.uint8]
"""A rearrangement: for each of the 54 places, the previous place of its sticker."""


class DeviationKind(StrEnum):
    """The kinds of deviations; the values are part of the machine formats."""

    DROPPED = "dropped"
    SHORT = "short"
    DOUBLED = "doubled"
    REVERSED = "reversed"


class Aftermath(StrEnum):
    """The consequences of a deviation; the values are part of the machine formats."""

    NONE = "none"
    LOOSE = "loose"
    JAMMED = "jammed"
    STILL = "still"


@dataclass(frozen=True, slots=True)
class Deviation:
    """A turn that differed from the plan.

    Attributes:
        number: The number of the turn in the program, from 0.
        turn: The planned turn.
        kind: What happened instead.
    """

    number: int
    turn: CubeTurn
    kind: DeviationKind


@dataclass(frozen=True, slots=True)
class Explanation:
    """A possible cause of the result.

    Attributes:
        deviations: The first deviation, or two; empty if the error happened before.
        aftermath: Whether from then on its actuator turned nothing (loose), no face that crosses it
            turned (jammed), or nothing turned the cube at all (still).
        actuators: The actuators to blame.
    """

    deviations: tuple[Deviation, ...]
    aftermath: Aftermath
    actuators: tuple[Actuator, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The deviations of a program from its plan, as seen by the cameras.

    Attributes:
        program: The planned program.
        turns: Number of its turns.
        explanations: All causes that fit equally well, the likeliest first; empty if no simple one
            fits.
        nothing_turned: Whether the cube looks as before.
    """

    program: RigProgram
    turns: int
    explanations: tuple[Explanation, ...] = ()
    nothing_turned: bool = False

    @property
    def blamed(self) -> tuple[Actuator, ...]:
        """The actuators of all explanations, those of the likeliest first."""
        every = (each for found in self.explanations for each in found.actuators)
        return tuple(dict.fromkeys(every))


def diagnose(
    rig: Mechanism,
    program: RigProgram,
    before: CubeState,
    seen: CubeState,
    held: Orientation | None = None,
) -> Diagnosis:
    """Find the turns that failed.

    First, single deviations are tried: dropped, a quarter turn short, doubled or reversed. Then a
    deviation after which more was lost, and finally any two.

    Args:
        rig: The machine.
        program: Its program.
        before: The cube before, by its own faces, in its orientation at the beginning.
        seen: The cube afterwards, its faces named by their places in the machine.
        held: The orientation of the cube afterwards, if the centres' colours tell it.
    """
    turns = rig.cube_turns(program)
    start = program.start.held if program.start is not None else Orientation()
    began = _row(before.facelet_places())[_row(facelet_places(start))]
    guesses = tuple(orientations())
    ends = {each: _row(facelet_places(each))[_row(seen.facelet_places())] for each in guesses}
    told = guesses if held is None else (held,)
    if turns and any((ends[each] == began).all() for each in told):
        return Diagnosis(program, len(turns), nothing_turned=True)
    search = _Search(turns, jams=not program.handles_cube)
    planned = _inverse(began[search.whole])
    for find in (search.singles, search.lasting, search.pairs):
        for helds in dict.fromkeys((told, guesses)):
            found = tuple(find([planned[ends[each]] for each in helds]))
            if found:
                return Diagnosis(program, len(turns), found)
    return Diagnosis(program, len(turns))


class _Search:
    """The rearrangements that deviations of a program produce.

    Args:
        turns: The program.
        jams: Whether a turn that ends halfway blocks the faces that cross it.

    Attributes:
        whole: The effect of the whole program as planned.
    """

    def __init__(self, turns: Sequence[CubeTurn], *, jams: bool) -> None:
        self._turns = turns
        self._jams = jams
        self.whole = _NOTHING
        left: list[list[tuple[DeviationKind, Places]]] = []
        for turn in reversed(turns):
            planned = _made(turn.turns)
            left.append(
                [
                    (kind, _inverse(self.whole)[_inverse(planned)][_made(made)][self.whole])
                    for kind, made in _kinds(turn)
                ]
            )
            self.whole = planned[self.whole]
        self._left = left[::-1]
        self._dropped = [of_turn[0][1] for of_turn in self._left]

    def singles(self, wanted: Sequence[Places]) -> Iterator[Explanation]:
        """Yield single turns that explain the result, those that did too little first."""
        keys = {each.tobytes() for each in wanted}
        for kind in DeviationKind:
            for number, of_turn in enumerate(self._left):
                if any(each is kind and left.tobytes() in keys for each, left in of_turn):
                    yield self._explanation((number, kind))

    def lasting(self, wanted: Sequence[Places]) -> Iterator[Explanation]:
        """Yield explanations that last from some turn to the end."""
        yield from self._loose(wanted)
        yield from self._jammed(wanted)
        yield from self._still(wanted)

    def _loose(self, wanted: Sequence[Places]) -> Iterator[Explanation]:
        for actuators in dict.fromkeys(turn.actuators for turn in self._turns):
            own = [n for n, turn in enumerate(self._turns) if turn.actuators == actuators]
            for place, number in enumerate(own[:-1]):
                if _among(self._lost(own[place:]), wanted):
                    yield self._explanation((number, DeviationKind.DROPPED), after=Aftermath.LOOSE)

    def _jammed(self, wanted: Sequence[Places]) -> Iterator[Explanation]:
        if not self._jams:
            return
        axes = [FACES.index(turn.turns[0][0]) % 3 for turn in self._turns]
        for axis in sorted(set(axes)):
            crossing = [n for n, each in enumerate(axes) if each != axis]
            if len(crossing) > 1 and _among(self._lost(crossing), wanted):
                turned = (
                    turn for turn, each in zip(self._turns, axes, strict=True) if each == axis
                )
                actuators = dict.fromkeys(each for turn in turned for each in turn.actuators)
                yield Explanation((), Aftermath.JAMMED, tuple(actuators))
        for number, of_turn in enumerate(self._left):
            crossing = [n for n in range(number, len(axes)) if axes[n] != axes[number]]
            lost = self._lost(crossing)
            for kind, left in of_turn if len(crossing) > 1 else ():
                if kind in _TOO_LITTLE and _among(left[lost], wanted):
                    yield self._explanation((number, kind), after=Aftermath.JAMMED)

    def _still(self, wanted: Sequence[Places]) -> Iterator[Explanation]:
        for number in range(1, len(self._turns) - 2):  # a loss of the last two turns is a pair
            if _among(self._lost(range(number, len(self._turns))), wanted):
                yield self._explanation((number, DeviationKind.DROPPED), after=Aftermath.STILL)

    def pairs(self, wanted: Sequence[Places]) -> Iterator[Explanation]:
        """Yield pairs of turns that explain the result."""
        known: dict[bytes, list[tuple[int, DeviationKind]]] = {}
        for number, of_turn in enumerate(self._left):
            for kind, left in of_turn:
                known.setdefault(left.tobytes(), []).append((number, kind))
        for first, of_turn in enumerate(self._left):
            for kind, left in of_turn:
                back = _inverse(left)
                for each in wanted:
                    for second in known.get(back[each].tobytes(), ()):
                        if second[0] > first:
                            yield self._explanation((first, kind), second)

    def _lost(self, numbers: Sequence[int]) -> Places:
        """Return the rearrangement of several dropped turns."""
        left = _NOTHING
        for number in numbers:
            left = left[self._dropped[number]]
        return left

    def _explanation(
        self, *deviations: tuple[int, DeviationKind], after: Aftermath = Aftermath.NONE
    ) -> Explanation:
        found = tuple(Deviation(number, self._turns[number], kind) for number, kind in deviations)
        actuators = dict.fromkeys(each for one in found for each in one.turn.actuators)
        return Explanation(found, after, tuple(actuators))


_TOO_LITTLE = (DeviationKind.DROPPED, DeviationKind.SHORT)


def _kinds(turn: CubeTurn) -> Iterator[tuple[DeviationKind, tuple[tuple[str, int], ...]]]:
    """Yield the kinds of deviations of a turn; of equivalent kinds, only the first."""
    known = {_turned(turn.turns)}
    for kind in DeviationKind:
        made = tuple((name, _instead(kind, asked)) for name, asked in turn.turns)
        if _turned(made) not in known:
            known.add(_turned(made))
            yield kind, made


def _turned(turns: Iterable[tuple[str, int]]) -> tuple[int, ...]:
    return tuple(quarters % 4 for _, quarters in turns)


def _instead(kind: DeviationKind, asked: int) -> int:
    """Return the number of quarters that are made instead of those requested."""
    match kind:
        case DeviationKind.DROPPED:
            return 0
        case DeviationKind.SHORT:
            return asked - (1 if asked > 0 else -1)
        case DeviationKind.DOUBLED:
            return 2 * asked
        case DeviationKind.REVERSED:
            return -asked


def _made(turns: Iterable[tuple[str, int]]) -> Places:
    """Return the effect of simultaneous turns."""
    places = _NOTHING
    for name, quarters in turns:
        for _ in range(quarters % 4):
            places = places[_quarter(name)]
    return places


@cache
def _quarter(name: str) -> Places:
    if name in FACES:
        return _row(move_state(Move(name, 1)).facelet_places())
    return _row(facelet_places(Orientation().turned(name)))


def _row(places: tuple[int, ...]) -> Places:
    return np.array(places, dtype=np.uint8)


def _inverse(places: Places) -> Places:
    return np.argsort(places).astype(np.uint8)


def _among(left: Places, wanted: Sequence[Places]) -> bool:
    return any((left == each).all() for each in wanted)


_NOTHING = _row(tuple(range(54)))
