"""What a machine can do in each of its states: single deeds, and several of them side by side."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from cube.moves import OPPOSITE_FACE
from cube.orientation import Orientation
from robot.protocol.messages import MAX_ACTIONS, MOTORS_TOGETHER
from robot.rigs.action_machine.rig_file import ActionMachineFile, ActionRule, Change

MachineState = tuple[int, ...]
"""Where every variable stands: the number of its place, in the order of the rig file."""


@dataclass(frozen=True, slots=True)
class LayerTurn:
    """A layer that turns.

    Attributes:
        place: Where in the machine it is, one of ``URFDLB``.
        quarters: 1 to 3, clockwise seen from outside.
    """

    place: str
    quarters: int


@dataclass(frozen=True, slots=True)
class Deed:
    """One action from one place to another.

    Attributes:
        rule: The action.
        change: Number of a variable, and its place before and after; for each that moves.
        needs: Number of a variable, and the places where it may stand.
        rotation: How the whole cube lies afterwards, if it lay as usual.
        turns: The layers that turn.
        places: By how many places it goes; negative for back.
        time_ms: How long it takes.
    """

    rule: ActionRule
    change: tuple[tuple[int, int, int], ...]
    needs: tuple[tuple[int, frozenset[int]], ...]
    rotation: Orientation
    turns: tuple[LayerTurn, ...]
    places: int
    time_ms: int

    @property
    def moved(self) -> frozenset[int]:
        """The variables that move."""
        return frozenset(number for number, _, _ in self.change)

    @property
    def ways(self) -> dict[int, int]:
        """By how many of its places each variable that moves goes on, negative for back."""
        signs = {"+": self.places, "-": -self.places}
        return {
            number: place - before if isinstance(way, tuple) else signs[way]
            for way, (number, before, place) in zip(
                self.rule.change.values(), self.change, strict=True
            )
        }

    @property
    def handles_cube(self) -> bool:
        """Whether the cube does not stay as it is."""
        return bool(self.turns) or self.rotation != Orientation()

    def possible(self, state: MachineState) -> bool:
        """Say whether a machine in this state can do it."""
        return all(state[number] == before for number, before, _ in self.change) and all(
            state[number] in places for number, places in self.needs
        )

    def after(self, state: MachineState) -> MachineState:
        """Return the machine's state when it is done."""
        places = list(state)
        for number, _, place in self.change:
            places[number] = place
        return tuple(places)

    def beside(self, other: "Deed") -> bool:
        """Say whether two deeds can be done at the same time."""
        apart = self.moved.isdisjoint(other.moved)
        free = self._leaves_alone(other) and other._leaves_alone(self)
        apart = apart and not set(self.rule.occupies) & set(other.rule.occupies)
        if not (apart and free and self.handles_cube and other.handles_cube):
            return apart and free
        places = {turn.place for turn in self.turns}
        opposite = {OPPOSITE_FACE[turn.place] for turn in other.turns}
        return len(places) == 1 and places == opposite

    def _leaves_alone(self, other: "Deed") -> bool:
        return self.moved.isdisjoint(number for number, _ in other.needs)


@dataclass(frozen=True, slots=True)
class Stride:
    """One deed, or several at the same time: a step of a program.

    Attributes:
        deeds: What is done.
        before: The machine's state at its beginning.
        after: The same at its end.
    """

    deeds: tuple[Deed, ...]
    before: MachineState
    after: MachineState

    @property
    def time_ms(self) -> int:
        """Until the slowest deed is done."""
        return max(deed.time_ms for deed in self.deeds)

    @property
    def rotation(self) -> Orientation:
        """How the whole cube lies afterwards, if it lay as usual."""
        whole = Orientation()
        for deed in self.deeds:
            whole = whole.then(deed.rotation)
        return whole

    @property
    def turns(self) -> tuple[LayerTurn, ...]:
        """The layers that turn."""
        return tuple(turn for deed in self.deeds for turn in deed.turns)


class StateGraph:
    """All states and strides of a machine.

    Args:
        rig: What the rig file says.
    """

    def __init__(self, rig: ActionMachineFile) -> None:
        self.rig = rig
        self.names = tuple(rig.variables)
        self._variables = tuple(rig.variables.values())
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self._forbidden = [
            [(self._numbers[name], self._places(name, places)) for name, places in each.items()]
            for each in rig.forbidden
        ]

    @property
    def start(self) -> MachineState:
        """Where everything stands when the machine is switched on."""
        return tuple(variable.start_place for variable in self.rig.variables.values())

    def allowed(self, state: MachineState) -> bool:
        """Say whether the rig file does not forbid a state."""
        return not any(
            all(state[number] in places for number, places in each) for each in self._forbidden
        )

    def text(self, state: MachineState) -> str:
        """Write a state for people: ``holder 90, cover open``."""
        variables = self.rig.variables.values()
        stands = zip(self.names, variables, state, strict=True)
        return ", ".join(
            f"{name} {variable.places[at]}" for name, variable, at in stands if variable.places
        )

    @cached_property
    def deeds(self) -> tuple[Deed, ...]:
        """Everything that it can do, in whichever state."""
        return tuple(deed for rule in self.rig.actions for deed in self._deeds_of(rule))

    @cached_property
    def strides(self) -> dict[MachineState, tuple[Stride, ...]]:
        """What it can do in each state that it comes to."""
        found: dict[MachineState, tuple[Stride, ...]] = {}
        ahead = [self.start]
        while ahead:
            state = ahead.pop()
            if state not in found:
                found[state] = tuple(self._strides_of(state))
                ahead += [stride.after for stride in found[state]]
        return found

    def _places(self, name: str, places: tuple[str, ...]) -> frozenset[int]:
        return frozenset(map(self.rig.variables[name].places.index, places))

    def _deeds_of(self, rule: ActionRule) -> Iterator[Deed]:
        needs = tuple(
            (self._numbers[name], self._places(name, places)) for name, places in rule.needs.items()
        )
        for change, count in self._changes(rule):
            time_ms = rule.time_ms[abs(count) - 1]
            yield Deed(rule, change, needs, *_effect(rule, count), count, time_ms)

    def _changes(self, rule: ActionRule) -> Iterator[tuple[tuple[tuple[int, int, int], ...], int]]:
        """Yield every way to change the variables, and by how many places that is."""
        ways = [change for change in rule.change.values() if not isinstance(change, tuple)]
        if not ways:
            yield tuple(self._fixed(name, rule.change[name]) for name in rule.change), 1
            return
        most = len(rule.time_ms)
        counts = [*range(1, most + 1), *([] if rule.one_way else range(-most, 0))]
        variables = [self.rig.variables[name] for name in rule.change]
        befores = itertools.product(*(range(variable.count) for variable in variables))
        for before, count in itertools.product(befores, counts):
            change = []
            for name, way, variable, at in zip(rule.change, ways, variables, before, strict=True):
                place = at + count if way == "+" else at - count
                if variable.cyclic or not variable.places:
                    place %= variable.count
                change.append((self._numbers[name], at, place))
            in_range = zip(variables, change, strict=True)
            if all(0 <= place < variable.count for variable, (_, _, place) in in_range):
                yield tuple(change), count

    def _fixed(self, name: str, change: Change) -> tuple[int, int, int]:
        before, place = map(self.rig.variables[name].places.index, change)
        return self._numbers[name], before, place

    def _strides_of(self, state: MachineState) -> Iterator[Stride]:
        singles = [
            deed for deed in self.deeds if deed.possible(state) and self.allowed(deed.after(state))
        ]
        groups: list[tuple[Deed, ...]] = [(deed,) for deed in singles]
        for group in groups:  # grows meanwhile
            yield Stride(group, state, _after(group, state))
            later = singles[singles.index(group[-1]) + 1 :]
            groups += [(*group, deed) for deed in later if self._joins(deed, group, state)]

    def _joins(self, deed: Deed, group: tuple[Deed, ...], state: MachineState) -> bool:
        """Say whether a deed can be done beside others, whichever of them ends first."""
        moved = [self._variables[number] for each in (deed, *group) for number in each.moved]
        waits = any(variable.output is not None for variable in moved)
        motors = sum(variable.motor is not None for variable in moved)
        if len(moved) + waits > MAX_ACTIONS or motors > MOTORS_TOGETHER:
            return False
        if not all(deed.beside(each) for each in group):
            return False
        parts = itertools.chain.from_iterable(
            itertools.combinations(group, count) for count in range(1, len(group) + 1)
        )
        return all(self.allowed(_after((*part, deed), state)) for part in parts)


def _effect(rule: ActionRule, count: int) -> tuple[Orientation, tuple[LayerTurn, ...]]:
    """Return what an action by some places does to the cube."""
    rotation = Orientation()
    if rule.cube:
        for _ in range(count % 4):
            rotation = rotation.turned(rule.cube)
    quarters = {"": 1, "2": 2, "'": 3}
    turns = (LayerTurn(each[0], quarters[each[1:]] * count % 4) for each in rule.layer)
    return rotation, tuple(turn for turn in turns if turn.quarters)


def _after(deeds: tuple[Deed, ...], state: MachineState) -> MachineState:
    for deed in deeds:
        state = deed.after(state)
    return state
