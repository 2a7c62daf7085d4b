"""The possible movements of a machine in each state: single deeds, and several at the same time."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from cube.moves import OPPOSITE_FACE
from cube.orientation import Orientation
from robot.errors import NotPossibleError
from robot.protocol.messages import MAX_ACTIONS, MOTORS_TOGETHER
from robot.rigs.action_machine.rig_file import ActionMachineFile, ActionRule

MachineState = tuple[int, ...]
"""The place number of every variable, in the order of the rig file."""
Change = tuple[int, int, int, int]
"""A variable that moves; see `Deed`."""


@dataclass(frozen=True, slots=True)
class LayerTurn:
    """A layer that turns.

    Attributes:
        place: Its place in the machine, one of ``URFDLB``.
        quarters: 1 to 3, clockwise seen from outside.
    """

    place: str
    quarters: int


@dataclass(frozen=True, slots=True)
class Deed:
    """One action from one place to another.

    Attributes:
        rule: The action.
        change: For each variable that moves, its number, its place before and after, and by how
            many places it advances, negative for back.
        needs: Number of a variable, and its allowed places.
        rotation: The cube's orientation afterwards, if it began in the standard one.
        turns: The layers that turn.
        places: Number of places; negative for back.
        time_ms: Duration.
    """

    rule: ActionRule
    change: tuple[Change, ...]
    needs: tuple[tuple[int, frozenset[int]], ...]
    rotation: Orientation
    turns: tuple[LayerTurn, ...]
    places: int
    time_ms: int

    @property
    def moved(self) -> frozenset[int]:
        """The variables that move."""
        return frozenset(number for number, _, _, _ in self.change)

    @property
    def handles_cube(self) -> bool:
        """Whether the deed changes the cube or its orientation."""
        return bool(self.turns) or self.rotation != Orientation()

    def possible(self, state: MachineState) -> bool:
        """Return whether it is possible in a state of the machine."""
        return all(state[number] == before for number, before, _, _ in self.change) and all(
            state[number] in places for number, places in self.needs
        )

    def after(self, state: MachineState) -> MachineState:
        """Return the machine's state afterwards."""
        places = list(state)
        for number, _, place, _ in self.change:
            places[number] = place
        return tuple(places)

    def beside(self, other: "Deed") -> bool:
        """Return whether two deeds can be done at the same time."""
        apart = self.moved.isdisjoint(other.moved)
        free = self._leaves_alone(other) and other._leaves_alone(self)
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
        deeds: The deeds.
        before: The machine's state at its beginning.
        after: The same at its end.
    """

    deeds: tuple[Deed, ...]
    before: MachineState
    after: MachineState

    @property
    def time_ms(self) -> int:
        """Duration of the slowest deed."""
        return max(deed.time_ms for deed in self.deeds)

    @property
    def rotation(self) -> Orientation:
        """The cube's orientation afterwards, if it began in the standard one."""
        whole = Orientation()
        for deed in self.deeds:
            whole = whole.then(deed.rotation)
        return whole

    @property
    def turns(self) -> tuple[LayerTurn, ...]:
        """The layers that turn."""
        return tuple(turn for deed in self.deeds for turn in deed.turns)


class StateGraph:
    """All states and strides of a machine."""

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
        """The state when the machine is switched on."""
        return tuple(variable.start_place for variable in self.rig.variables.values())

    def allowed(self, state: MachineState) -> bool:
        """Return whether the rig file allows a state."""
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
        """All deeds of the machine, in any state."""
        return tuple(deed for rule in self.rig.actions for deed in self._deeds_of(rule))

    @cached_property
    def strides(self) -> dict[MachineState, tuple[Stride, ...]]:
        """The possible strides in each state that can be reached."""
        found: dict[MachineState, tuple[Stride, ...]] = {}
        ahead = [self.start]
        while ahead:
            state = ahead.pop()
            if state not in found:
                found[state] = tuple(self._strides_of(state))
                ahead += [stride.after for stride in found[state]]
        return found

    def singly(self, state: MachineState) -> Iterator[Stride]:
        """Return the possible strides of one deed in a state."""
        return (stride for stride in self.strides[state] if len(stride.deeds) == 1)

    def _places(self, name: str, places: tuple[str, ...]) -> frozenset[int]:
        return frozenset(map(self.rig.variables[name].places.index, places))

    def _deeds_of(self, rule: ActionRule) -> Iterator[Deed]:
        needs = tuple(
            (self._numbers[name], self._places(name, places)) for name, places in rule.needs.items()
        )
        for change, count in self._changes(rule):
            time_ms = rule.time_ms[abs(count) - 1]
            yield Deed(rule, change, needs, *_effect(rule, count), count, time_ms)

    def _changes(self, rule: ActionRule) -> Iterator[tuple[tuple[Change, ...], int]]:
        """Yield every way to change the variables, with the number of places."""
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
                signed = count if way == "+" else -count
                place = at + signed
                if variable.cyclic or not variable.places:
                    place %= variable.count
                change.append((self._numbers[name], at, place, signed))
            in_range = zip(variables, change, strict=True)
            if all(0 <= place < variable.count for variable, (_, _, place, _) in in_range):
                yield tuple(change), count

    def _fixed(self, name: str, way: Iterable[str]) -> Change:
        before, place = map(self.rig.variables[name].places.index, way)
        return self._numbers[name], before, place, place - before

    def _strides_of(self, state: MachineState) -> Iterator[Stride]:
        singles = [
            deed for deed in self.deeds if deed.possible(state) and self.allowed(deed.after(state))
        ]
        groups: list[tuple[Deed, ...]] = [(deed,) for deed in singles]
        for group in groups:  # grows during the loop
            yield Stride(group, state, _after(group, state))
            later = singles[singles.index(group[-1]) + 1 :]
            groups += [(*group, deed) for deed in later if self._joins(deed, group, state)]

    def _joins(self, deed: Deed, group: tuple[Deed, ...], state: MachineState) -> bool:
        """Return whether a deed can run together with others, whichever of them ends first."""
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
    """Return the effect on the cube of an action by some places."""
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


def _plain(name: str) -> str:
    return name.casefold().replace("-", " ")


def find_action(machine: StateGraph, name: str) -> ActionRule:
    """Return the action with a name, with a unique beginning of a name, or of a part that it moves.

    Case does not count, and a hyphen stands for a space.

    Raises:
        NotPossibleError: No action or several actions match; the message lists them.
    """
    rules = machine.rig.actions
    wanted = _plain(name)
    ways: tuple[Callable[[ActionRule], bool], ...] = (
        lambda rule: _plain(rule.name) == wanted,
        lambda rule: bool(wanted) and _plain(rule.name).startswith(wanted),
    )
    for fits in ways:
        found = [rule for rule in rules if fits(rule)]
        if len(found) == 1:
            return found[0]
        if found:
            known = ", ".join(repr(rule.name) for rule in found)
            raise NotPossibleError(f"{name!r} is the beginning of several action names: {known}")
    for rule in rules:
        if wanted in map(_plain, rule.change):
            return rule
    known = ", ".join(repr(rule.name) for rule in rules)
    raise NotPossibleError(f"rig {machine.rig.name!r} has no action {name!r}: it has {known}")


def hurried(stride: Stride, time_ms: int) -> Stride:
    """Return a stride with another time."""
    return replace(stride, deeds=tuple(replace(deed, time_ms=time_ms) for deed in stride.deeds))
