"""The turn that went wrong is found from the cube before and the cube seen afterwards."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import Facelets
from cube.moves import ALL_MOVES, MoveSequence
from cube.orientation import Orientation, facelet_places
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import named_rig
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import CubeTurn, Pose, RigProgram
from robot.running.deviations import Aftermath, DeviationKind, Diagnosis, diagnose

RIGS = {name: named_rig(name) for name in ("six", "cubotino", "claws", "three")}
SCRAMBLE = MoveSequence.parse("R U2 F' L D B2 R2 U F2 D' L2 B U' R' F D2 L B' U R2")
BEFORE = SOLVED.apply(SCRAMBLE.inverse())

Made = Sequence[tuple[str, int]]
sequences = st.lists(st.sampled_from(ALL_MOVES), min_size=1, max_size=8).map(
    lambda moves: MoveSequence.of(moves).simplified()
)


def made_instead(turn: CubeTurn, kind: DeviationKind | None) -> Made:
    """Say what is made of a turn; as planned for no kind."""
    made = {
        None: lambda asked: asked,
        DeviationKind.DROPPED: lambda _: 0,
        DeviationKind.DOUBLED: lambda asked: asked * 2,
        DeviationKind.REVERSED: lambda asked: -asked,
        DeviationKind.SHORT: lambda asked: asked - (asked > 0) + (asked < 0),
    }[kind]
    return [(name, made(asked)) for name, asked in turn.turns]


def replayed(turns: Sequence[Made], before: CubeState, held: Orientation) -> tuple[CubeState, str]:
    """Return the cube as it is seen in its places, and which of its faces is at each."""
    cube = before
    for turn in turns:
        now = held
        for name, quarters in turn:
            if name in "xyz":
                for _ in range(quarters % 4):
                    held = held.turned(name)
            elif quarters % 4:
                cube = cube.apply(now.move_of(name, quarters))
    letters = cube.to_facelets().text
    shown = "".join(held.place_of(letters[facelet]) for facelet in facelet_places(held))
    return CubeState.from_facelets(Facelets(shown)), held.faces


def start_of(program: RigProgram) -> Orientation:
    return program.start.held if program.start else Orientation()


def replayed_without(program: RigProgram, rig: Mechanism, lost: set[int]) -> CubeState:
    turns = [
        made_instead(turn, DeviationKind.DROPPED if number in lost else None)
        for number, turn in enumerate(rig.cube_turns(program))
    ]
    return replayed(turns, BEFORE, start_of(program))[0]


def explained(diagnosis: Diagnosis) -> set[tuple[tuple[int, DeviationKind], ...]]:
    return {
        tuple((each.number, each.kind) for each in explanation.deviations)
        for explanation in diagnosis.explanations
    }


@pytest.mark.parametrize("name", RIGS)
@settings(max_examples=10, deadline=None)
@given(data=st.data(), moves=sequences)
def test_one_mistake_is_found_or_one_that_comes_to_the_same(
    name: str, data: st.DataObject, moves: MoveSequence
) -> None:
    rig = RIGS[name]
    pose = rig.plan(MoveSequence()).end
    turned = data.draw(st.sampled_from(["", "x", "y2", "z'"]))
    start = Pose(pose.places, Orientation().turned(turned)) if pose else None
    program = rig.plan(moves, start=start)
    turns = rig.cube_turns(program)
    as_planned = [made_instead(turn, None) for turn in turns]
    end = program.end.held if program.end else Orientation()
    planned = replayed(as_planned, BEFORE, start_of(program))[0]
    assert planned == replayed([], BEFORE.apply(moves), end)[0]
    if not turns:
        return
    number = data.draw(st.integers(0, len(turns) - 1))
    kind = data.draw(st.sampled_from(DeviationKind))
    made = list(as_planned)
    made[number] = made_instead(turns[number], kind)
    seen, held = replayed(made, BEFORE, start_of(program))
    known = Orientation(held) if data.draw(st.booleans()) else None
    found = diagnose(rig, program, BEFORE, seen, known)
    if seen == replayed([], BEFORE, start_of(program))[0]:
        assert found.nothing_turned
        return
    if seen == planned:
        return  # as a half turn the wrong way round
    assert found.explanations
    for explanation in found.explanations:  # what is claimed leads to what was seen
        assert len(explanation.deviations) == 1
        claimed = list(as_planned)
        for each in explanation.deviations:
            claimed[each.number] = made_instead(each.turn, each.kind)
        assert replayed(claimed, BEFORE, start_of(program))[0] == seen
    quarters = {asked % 4 for _, asked in made_instead(turns[number], kind)}
    same = [
        each
        for each in DeviationKind
        if {asked % 4 for _, asked in made_instead(turns[number], each)} == quarters
    ]
    assert explained(found) & {((number, each),) for each in same}


def test_a_half_turn_that_lost_a_quarter_names_its_motor() -> None:
    rig = RIGS["six"]
    program = rig.plan(SCRAMBLE)
    moves = MoveSequence.parse("R U2 F' L D B2 R U F2 D' L2 B U' R' F D2 L B' U R2")
    (found,) = diagnose(rig, program, BEFORE, BEFORE.apply(moves)).explanations
    (deviation,) = found.deviations
    assert (deviation.number, deviation.turn.does, deviation.kind) == (6, "R2", "short")
    assert [each.name for each in found.actuators] == ["motor R"]
    assert "motors.R.acceleration_steps_s2" in found.actuators[0].remedy


def test_a_flip_that_turned_nothing_is_found() -> None:
    rig = RIGS["cubotino"]
    program = rig.plan(SCRAMBLE)
    turns = rig.cube_turns(program)
    flip = [n for n, turn in enumerate(turns) if turn.does.startswith("flip")][5]
    found = diagnose(rig, program, BEFORE, replayed_without(program, rig, {flip}))
    assert ((flip, DeviationKind.DROPPED),) in explained(found)
    assert found.blamed[0].name == "the cover"
    assert "variables.cover.pulse_us" in found.blamed[0].remedy


def test_a_loose_coupling_and_a_face_in_the_way_are_found_and_what_nothing_explains_is_not() -> (
    None
):
    rig = RIGS["six"]
    program = rig.plan(SCRAMBLE)
    faces = [turn.does[0] for turn in rig.cube_turns(program)]
    own = [n for n, face in enumerate(faces) if face == "R"][1:]
    crossing = [n for n, face in enumerate(faces) if n > 4 and face not in "UD"]
    for lost, aftermath, motor in (
        (own, Aftermath.LOOSE, "motor R"),
        ([4, *crossing], Aftermath.JAMMED, "motor D"),
    ):
        seen = replayed_without(program, rig, set(lost))
        (found,) = diagnose(rig, program, BEFORE, seen).explanations
        assert (found.aftermath, found.deviations[0].number) == (aftermath, lost[0])
        assert [each.name for each in found.actuators] == [motor]
    seen = SOLVED.apply(MoveSequence.parse("U R F U R F U R F"))
    assert diagnose(rig, rig.plan(SCRAMBLE), BEFORE, seen).explanations == ()
