"""Another host finishes what one began."""

import contextlib
import random
from dataclasses import replace
from functools import partial

import msgspec
import pytest
from benches import Killed, MortalPort, Story

from cube.facelets import SOLVED_FACELETS
from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.state import SOLVED
from robot.errors import AbortedError
from robot.protocol.messages import ActionKind, OutputMode
from robot.rigs.actions import Act
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import Corners
from robot.rigs.program import ProgramStep, RigProgram
from robot.running.journal import JournalRecord
from robot.running.program_run import RunProgress
from robot.virtual.faults import Faults


def resumes(story: Story, record: JournalRecord, rng: random.Random, seed: int) -> bool:
    """Let another host finish a program, or be killed, too; whether a step was cut short before."""
    story.clock.sleep(rng.choice((0.0, 0.05, 0.6)))
    port = MortalPort(story.virtual)
    host = story.host(port, seed=seed)
    port.arm(rng.randrange(5, 120))
    cut = False
    with contextlib.suppress(Killed):
        host.connect()
        cut = story.virtual.board.done is not None
        host.resume(record)
    return cut


def test_a_program_is_finished_after_its_host_was_killed_anywhere(rig: FaceMotors) -> None:
    resumed = 0
    for seed in range(12):
        rng = random.Random(seed)
        patience_ms = rng.choice((200, 5000))
        story = Story(
            msgspec.structs.replace(rig, host_timeout_ms=patience_ms, idle_timeout_ms=0),
            seed,
            Faults(drop=0.002, flip=0.002) if seed % 2 else None,
        )
        moves = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(rng.randrange(1, 120)))
        program = story.rig.plan(moves.simplified())
        assert story.kill_a_host(program, rng.randrange(0, 2 * len(program.steps)))
        while story.paper.record is not None:
            story.clock.sleep(rng.choice((0.0, 0.01, 0.3, 4.0)))
            resumed += 1
            try:  # the second host may be killed, too
                port = MortalPort(story.virtual)
                host = story.host(port, seed=resumed)
                port.arm(rng.randrange(300))
                host.connect()
                result = host.resume(story.paper.record)
                assert result.executed == len(program.steps)
            except Killed:
                pass
        assert story.virtual.moves == program.moves.moves
    assert resumed >= 10


SHAPES = {
    "pairs": ("R2 L'", "U D2", "F2 B2", "R L", "U2 D2", "F' B2"),
    "corners": ("R2", "U2", "F", "L2", "D2", "B'", "U D'"),
}
CORNERS = Corners(cut=33.0, anti_cut=28.0, opposite=33.0)
"""Half turns go either way, so that cuts follow each other."""


def moves_of_shape(shape: str, rng: random.Random, count: int) -> MoveSequence:
    """A program of the given kind in which every step is one of its own."""
    texts: list[str] = []
    while len(texts) < count:
        drawn = rng.choice(SHAPES[shape])
        if not texts or drawn[0] not in ("RL", "UD", "FB")["RLUDFB".index(texts[-1][0]) // 2]:
            texts.append(drawn)
    return MoveSequence.parse(" ".join(texts))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("hasty", [False, True])
def test_a_host_that_was_stopped_for_a_while_resumes(
    rig: FaceMotors, shape: str, hasty: bool
) -> None:
    continued = 0
    for seed in range(4):
        rng = random.Random(seed)
        patient = msgspec.structs.replace(
            rig, host_timeout_ms=300, corners=CORNERS if shape == "corners" else Corners()
        )
        story = Story(patient, seed, Faults(hasty=hasty))
        program = patient.plan(moves_of_shape(shape, rng, 40))
        port = MortalPort(story.virtual)
        host = story.host(port, seed=seed)
        host.connect()
        host.prepare()
        nap_s = rng.choice((0.2, 0.5, 2.0, 8.0, 30.0))
        port.nap(rng.randrange(3, 40), partial(story.clock.sleep, nap_s))
        heard: list[RunProgress] = []
        result = host.run(program, heard.append, target=SOLVED_FACELETS)
        assert result.executed == len(program.steps)
        assert story.virtual.state == SOLVED.apply(program.moves), seed
        continued += sum(progress.continued for progress in heard)
        assert port.reopened == 0  # that would reset some boards
    assert continued > 0


def program_of_actions(rig: FaceMotors, rng: random.Random, count: int) -> RigProgram:
    """Steps of every kind, so that none can be missed or done twice without a trace."""
    steps = []
    for _ in range(count):
        move = Move(rng.choice("URFDL"), rng.choice((1, 2, 3)))
        turn = Act.turn(rig.motors[move.face].channel, move.quarter_turns, f"face {move.face}")
        carriage = Act.move_by(5, rng.choice((-1, 1)) * rng.randrange(1, 900), "the carriage")
        claw = Act.position(0, rng.randrange(1000, 2000), "the claw", 4000, 0.02)
        lamp = Act.switch(1, OutputMode.ON, "the lamp")
        actions: tuple[Act, ...] = rng.choice(
            (
                (turn,),
                (turn, carriage),
                (carriage, claw),
                (claw, Act.wait(20), turn),
                (lamp, Act.wait(9)),
            )
        )
        moves = MoveSequence((move,)) if turn in actions else MoveSequence()
        steps.append(ProgramStep(actions, moves, 0.0, 0.0))
    return RigProgram(tuple(steps))


def carriage_rig(rig: FaceMotors, patience_ms: int) -> FaceMotors:
    motors = {face: motor for face, motor in rig.motors.items() if motor.channel != 5}
    return msgspec.structs.replace(
        rig, motors=motors, host_timeout_ms=patience_ms, idle_timeout_ms=0
    )


@pytest.mark.parametrize("hasty", [False, True])
def test_steps_of_every_kind_are_finished(rig: FaceMotors, hasty: bool) -> None:
    """Hosts die in actions of all kinds; a hasty board cuts them short when it hears nothing."""
    cut = 0
    for seed in range(8):
        rng = random.Random(seed)
        five = carriage_rig(rig, rng.randrange(120, 400))
        story = Story(five, seed, Faults(hasty=hasty))
        program = program_of_actions(five, rng, rng.randrange(8, 30))
        killed = story.kill_a_host(program, rng.randrange(3, 2 * len(program.steps)))
        while killed and (record := story.paper.record) is not None:
            assert len(record.actions) == len(program.steps)
            cut += resumes(story, record, rng, seed)
        actions = [each for step in program.steps for each in step.actions]
        way = sum(each.value for each in actions if each.kind is ActionKind.MOVE_BY)
        claws = [each.value for each in actions if each.kind is ActionKind.POSITION]
        assert story.virtual.state == SOLVED.apply(program.moves), seed
        assert story.virtual.parts.position(5) == way, seed
        assert story.virtual.parts.servos[0].pulse_us == (claws[-1] if claws else 0), seed
    assert (cut > 0) == hasty


def test_what_leaves_a_doubt_when_it_is_cut_short_is_not_finished(rig: FaceMotors) -> None:
    refused = 0
    for seed in range(10):
        rng = random.Random(seed)
        five = carriage_rig(rig, 150)
        story = Story(five, seed, Faults(hasty=True))
        steps = program_of_actions(five, rng, 12).steps
        program = RigProgram(
            tuple(replace(step, cut_leaves_doubt=True, does="flip the cube") for step in steps)
        )
        killed = story.kill_a_host(program, rng.randrange(3, 24))
        record = story.paper.record
        if not killed or record is None:
            continue
        story.clock.sleep(2.0)
        host = story.host()
        host.connect()
        try:
            host.resume(record)
        except AbortedError as error:
            assert story.paper.why == str(error) != ""  # noqa: PT017 - or it is done
            refused += 1
        else:
            assert story.virtual.state == SOLVED.apply(program.moves)
    assert refused > 1


def test_a_turn_that_this_program_did_not_send_is_not_finished(rig: FaceMotors) -> None:
    story = Story(msgspec.structs.replace(rig, host_timeout_ms=100), 5)
    assert story.kill_a_host(rig.plan(MoveSequence.parse("R U F L")), 4)
    record = story.paper.record
    assert record is not None
    story.clock.sleep(2.0)
    story.virtual.board._cut = (-1, 0, 0, 0)
    host = story.host()
    host.connect()
    with pytest.raises(AbortedError) as caught:
        host.resume(record)
    assert story.paper.why == str(caught.value)
