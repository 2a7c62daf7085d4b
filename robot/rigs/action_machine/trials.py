"""One action alone, there and back: to see that it does what its name says, and how quickly."""

import heapq
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from robot.errors import NotPossibleError
from robot.rigs.action_machine.rig_file import ActionRule
from robot.rigs.action_machine.transitions import MachineState, StateGraph, Stride

Way = list[Stride]


def find_action(machine: StateGraph, name: str) -> ActionRule:
    """Return the action of a name, of its only beginning, or of a part that it moves.

    Raises:
        NotPossibleError: None or several are meant; the message lists them.
    """
    rules = machine.rig.actions
    wanted = name.casefold()
    ways: tuple[Callable[[ActionRule], bool], ...] = (
        lambda rule: rule.name.casefold() == wanted,
        lambda rule: bool(wanted) and rule.name.casefold().startswith(wanted),
    )
    for fits in ways:
        found = [rule for rule in rules if fits(rule)]
        if len(found) == 1:
            return found[0]
        if found:
            known = ", ".join(repr(rule.name) for rule in found)
            raise NotPossibleError(f"{name!r} is the beginning of several actions: {known}")
    for rule in rules:
        if wanted in (part.casefold() for part in rule.change):
            return rule
    known = ", ".join(repr(rule.name) for rule in rules)
    raise NotPossibleError(f"rig {machine.rig.name!r} has no action {name!r}: it has {known}")


def trial_of(
    machine: StateGraph, rule: ActionRule, places: int = 1, *, undone: bool = False
) -> tuple[Way, Stride, Way]:
    """Find the quickest way to do one action and to come back to where the machine starts.

    Args:
        machine: What it can do.
        rule: The action.
        places: By how many places it goes.
        undone: Its own parts go back at once, so that one sees whether they had arrived.

    Returns:
        What is done before, the action, and what is done after it.

    Raises:
        NotPossibleError: The machine does not come to where the action can be done, or not back.
    """
    there = _ways_from(machine, machine.start)
    alone = (
        stride
        for state in there
        for stride in _single(machine, state)
        if stride.deeds[0].rule is rule and stride.deeds[0].places == places
    )
    for stride in sorted(alone, key=lambda stride: there[stride.before][0]):
        for first in _undoing(machine, stride) if undone else [[]]:
            back = _ways_from(machine, stride.before if first else stride.after)
            if machine.start in back:
                after = [*first, *_traced(back, machine.start)]
                return _traced(there, stride.before), stride, after
    raise NotPossibleError(
        f"rig {machine.rig.name!r} does not come to where it can {rule.name!r} and back: check "
        "`needs` and `forbidden` of the rig file"
    )


def _undoing(machine: StateGraph, stride: Stride) -> list[Way]:
    """Return the strides that take a stride back, the quickest first."""
    found = (each for each in _single(machine, stride.after) if each.after == stride.before)
    return [[each] for each in sorted(found, key=lambda each: each.time_ms)]


def _single(machine: StateGraph, state: MachineState) -> Iterator[Stride]:
    return (stride for stride in machine.strides[state] if len(stride.deeds) == 1)


def hurried(stride: Stride, time_ms: int) -> Stride:
    """Return a stride of one action with another time."""
    return replace(stride, deeds=(replace(stride.deeds[0], time_ms=time_ms),))


_Ways = Mapping[MachineState, tuple[int, Stride | None]]
"""For each state the time that it takes to come there, and the last stride of that way."""


def _ways_from(machine: StateGraph, start: MachineState) -> _Ways:
    """Return the quickest ways to all states, by single actions."""
    found: dict[MachineState, tuple[int, Stride | None]] = {}
    numbers: Iterator[int] = itertools.count()
    ahead: list[tuple[int, int, MachineState, Stride | None]] = [(0, next(numbers), start, None)]
    while ahead:
        time_ms, _, state, by = heapq.heappop(ahead)
        if state in found:
            continue
        found[state] = time_ms, by
        for stride in _single(machine, state):
            if stride.after not in found:
                then_ms = time_ms + stride.time_ms
                heapq.heappush(ahead, (then_ms, next(numbers), stride.after, stride))
    return found


def _traced(ways: _Ways, state: MachineState) -> Way:
    way: Way = []
    while (by := ways[state][1]) is not None:
        way.append(by)
        state = by.before
    return way[::-1]
