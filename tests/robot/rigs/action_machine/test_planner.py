"""Programs of machines that handle the cube: right, possible, and none quicker."""

import heapq
import itertools
from functools import cache

import msgspec
import pytest
from benches import machine
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, OPPOSITE_FACE, MoveSequence
from cube.orientation import Orientation
from cube.state import SOLVED
from robot.errors import NotPossibleError
from robot.rigs.action_machine.paths import Holding, TurnlessPaths
from robot.rigs.action_machine.planner import Planner, blocks_of
from robot.rigs.action_machine.transitions import MachineState, StateGraph, Stride
from robot.rigs.program import Pose

NAMES = ("cubotino", "mindcub3r", "three", "claws", "four-claws")


@cache
def planned(name: str) -> tuple[StateGraph, Planner]:
    found = machine(name).states
    return found, Planner(TurnlessPaths(Holding(found), (found.start,)))


sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=12).map(MoveSequence.of)


def replayed(machine: StateGraph, strides: list[Stride]) -> MoveSequence:
    """Do what a program says, refusing what the machine cannot do, and return what became of it."""
    state, held, moves = machine.start, Orientation(), []
    for stride in strides:
        assert stride.before == state
        for deeds in itertools.permutations(stride.deeds):  # whichever ends first
            each = state
            for deed in deeds:
                assert deed.possible(each)
                each = deed.after(each)
                assert machine.allowed(each)
            assert each == stride.after
        moves += [held.move_of(turn.place, turn.quarters) for turn in stride.turns]
        held, state = held.then(stride.rotation), stride.after
    return MoveSequence.of(moves)


def quickest_ms(machine: StateGraph, moves: MoveSequence) -> float:
    """Search the whole graph, one stride after the other, without any of the planner's ideas."""
    blocks = [((face, OPPOSITE_FACE[face]), left) for face, *left in blocks_of(moves)]
    start = (machine.start, Orientation(), 0, tuple(blocks[0][1]) if blocks else ())
    ahead: list[tuple[int, int, tuple[MachineState, Orientation, int, tuple[int, ...]]]] = []
    numbers = itertools.count()
    heapq.heappush(ahead, (0, next(numbers), start))
    best = {start: 0}
    while ahead:
        time_ms, _, node = heapq.heappop(ahead)
        state, held, block, left = node
        if block == len(blocks):
            return time_ms
        if time_ms > best[node]:
            continue
        for stride in machine.strides[state]:
            rest = list(left)
            for turn in stride.turns:
                move = held.move_of(turn.place, turn.quarters)
                place = blocks[block][0].index(move.face) if move.face in blocks[block][0] else -1
                if place < 0 or not rest[place]:
                    break
                rest[place] = (rest[place] - move.turns) % 4
            else:
                following, amounts = block, tuple(rest)
                if not any(rest):
                    following += 1
                    ended = following == len(blocks)
                    amounts = () if ended else tuple(blocks[following][1])
                then = (stride.after, held.then(stride.rotation), following, amounts)
                if time_ms + stride.time_ms < best.get(then, 10**9):
                    best[then] = time_ms + stride.time_ms
                    heapq.heappush(ahead, (best[then], next(numbers), then))
    raise AssertionError("no way")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=6, deadline=None)
@given(moves=sequences)
def test_a_program_makes_the_moves(name: str, moves: MoveSequence) -> None:
    graph, planner = planned(name)
    made = replayed(graph, planner.plan(moves, Pose(graph.start)))
    assert SOLVED.apply(made) == SOLVED.apply(moves)


@pytest.mark.parametrize("name", ["cubotino", "mindcub3r", "three"])
@settings(max_examples=12, deadline=None)
@given(moves=st.lists(st.sampled_from(ALL_MOVES), max_size=6).map(MoveSequence.of))
def test_no_program_is_quicker(name: str, moves: MoveSequence) -> None:
    graph, planner = planned(name)
    strides = planner.plan(moves, Pose(graph.start))
    assert sum(stride.time_ms for stride in strides) == quickest_ms(graph, moves)


def test_blocks_are_turns_of_one_axis() -> None:
    assert blocks_of(MoveSequence.parse("R L R U2 D U2 F F'")) == [("L", 1, 2), ("D", 1, 0)]
    assert blocks_of(MoveSequence.parse("U F F' U'")) == []
    for graph, planner in map(planned, NAMES):
        for moves in ("", "R L R' L'"):
            assert planner.plan(MoveSequence.parse(moves), Pose(graph.start)) == []


def test_a_machine_that_cannot_turn_a_layer_says_so() -> None:
    rig = machine("three")
    lame = msgspec.structs.replace(
        rig, actions=tuple(rule for rule in rig.actions if "front" not in rule.change)
    )
    found = StateGraph(lame)
    planner = Planner(TurnlessPaths(Holding(found), (found.start,)))
    planner.plan(MoveSequence.parse("U D2"), Pose(found.start))
    with pytest.raises(NotPossibleError, match="R2"):
        planner.plan(MoveSequence.parse("U R2"), Pose(found.start))
