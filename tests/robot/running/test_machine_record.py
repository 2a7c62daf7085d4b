"""What outlives a host: the next one knows the pose of the machine, and what may stand askew."""

import dataclasses
import random
from functools import partial

import msgspec
import pytest
from benches import SEQUENCE, Killed, MortalPort, Story, machine
from faulty_rig import Faults
from msgspec.structs import replace

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from robot.errors import BoardResetError, LinkError, NotPossibleError
from robot.protocol.messages import Fault, Flag, State, Status
from robot.rigs.catalogue import named_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import Corners
from robot.rigs.program import Pose, RigProgram
from robot.running.driver import RigDriver
from robot.running.machine_record import MachineRecord
from robot.running.program_run import RunProgress
from robot.virtual.cubes.handled_cube import HandledCube

MACHINES = ("cubotino", "mindcub3r", "claws", "four-claws", "three")


def random_moves(rng: random.Random, count: int) -> MoveSequence:
    return MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(count)).simplified()


def real_pose(story: Story) -> Pose:
    cube = story.virtual._cube
    assert isinstance(cube, HandledCube)
    return cube.pose


def finish(story: Story, host: RigDriver) -> None:
    """Let a host turn what a solver would find for the cube that it sees."""
    if host.pose is not None:
        host.pose = real_pose(story)  # a look tells how the cube is held
    before = story.virtual.state
    program = story.rig.plan(MoveSequence.parse("R U' F2"), host.lanes, host.pose)
    host.run(program)
    assert story.virtual.state == before.apply(program.moves)
    assert story.virtual.violations == ()


def test_faces_stand_at_detents_wherever_a_host_is_killed(rig: FaceMotors) -> None:
    killed = 0
    for seed in range(12):
        rng = random.Random(seed)
        patient = msgspec.structs.replace(
            rig, host_timeout_ms=rng.choice((200, 5000)), idle_timeout_ms=0
        )
        faults = Faults(drop=0.002, flip=0.002) if seed % 2 else None
        story = Story(patient, seed, faults)
        program = patient.plan(random_moves(rng, rng.randrange(1, 120)))
        killed += story.kill_a_host(program, rng.randrange(0, 2 * len(program.steps)))
        story.clock.sleep(rng.choice((0.0, 0.01, 0.3, 6.0)))
        host = story.host(seed=seed)
        host.connect()
        assert host.why_askew() == ""
        host.prepare()
        turned = len(story.virtual.moves)
        assert story.virtual.moves == program.moves.moves[:turned]
        finish(story, host)
        assert host.record is not None
        assert host.record.steps == 0
    assert killed >= 10


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_is_known_to_stand_where_it_stands_after_a_kill(name: str) -> None:
    """Also if the host dies while it brings the machine to its place."""
    for seed in range(8):
        rng = random.Random(f"{name} {seed}")
        rig = machine(name, host_timeout_ms=rng.choice((200, 5000)))
        story = Story(rig, seed)
        program = rig.plan(random_moves(rng, 6))
        story.kill_a_host(program, rng.randrange(0, 3 * len(program.steps)))
        for calls in (rng.randrange(3, 40), 10**9):
            story.clock.sleep(rng.choice((0.0, 0.3, 9.0)))
            port = MortalPort(story.virtual)
            port.arm(calls)
            host = story.host(port, seed=seed)
            try:
                host.connect()
                assert host.why_askew() == ""
                host.prepare()
                assert host.pose is not None
                assert host.pose.places == real_pose(story).places
                host.run(rig.rest(host.pose))
                finish(story, host)
            except Killed:
                pass


@pytest.mark.parametrize("name", MACHINES)
def test_a_movement_that_a_stop_cut_short_is_ended_or_a_person_is_asked(name: str) -> None:
    asked = ended = 0
    for seed in range(8):
        rng = random.Random(f"{name} {seed}")
        story = Story(machine(name), seed)
        host = story.ready_host(seed=seed)
        program = story.rig.plan(random_moves(rng, 6))
        stop_s = story.clock.now_s() + rng.uniform(0.0, 0.9 * program.time_s)
        host.stop_wanted = lambda clock=story.clock, at_s=stop_s: clock.now_s() > at_s
        with pytest.raises(KeyboardInterrupt):
            host.run(program)
        host.stop_wanted = lambda: False
        if seed % 2:
            host = story.host(seed=seed)
            host.connect()
        assert host.record is not None
        if host.why_askew():
            asked += 1
            assert "cut short" in host.why_askew()
            continue
        ended += host.record.between_places
        host.prepare()
        assert host.pose is not None
        story.clock.sleep(0.1)  # what moves a servo shows after its next pulse
        assert host.pose.places == real_pose(story).places
        if not story.virtual.violations:  # a part at rest between its places may drop the cube
            finish(story, host)
    # Half turns of shafts that have places, and turns by three quarters, may end anywhere.
    assert asked == 0 or name in ("claws", "three")
    assert ended > 0 or name not in ("cubotino", "four-claws")


@pytest.mark.parametrize("name", ["six", "claws"])
@pytest.mark.parametrize("meanwhile", ["reset", "estop", "another host", "motors off"])
def test_a_person_is_asked_if_a_face_may_stand_askew(name: str, meanwhile: str) -> None:
    rig = named_rig(name)
    story = Story(rig, 2)
    program = rig.plan(MoveSequence(SEQUENCE.moves * 3))
    assert story.kill_a_host(program, 8)
    board = story.virtual.board
    match meanwhile:
        case "reset":
            board.reset(board.boot_id + 1)
        case "estop":
            board.press_estop()
            board.release_estop()
        case "another host":
            story.clock.sleep(20.0)
            other = RigDriver(story.virtual, rig, story.clock, seed=7)
            other.connect()
            other.prepare()
            other.run(rig.plan(MoveSequence.parse("R"), start=other.pose))
        case "motors off":
            story.clock.sleep(120.0)
    host = story.host()
    host.connect()
    assert (host.why_askew() != "") == (meanwhile in ("reset", "estop"))
    host.prepare(aligned=True)
    assert host.why_askew() == ""
    if isinstance(rig, FaceMotors):
        finish(story, host)


def test_claws_that_lost_count_of_their_steps_are_brought_to_their_start_by_hand() -> None:
    rig = machine("claws")
    story = Story(rig, 1)
    host = story.ready_host()
    opened = next(
        number
        for number, step in enumerate(rig.plan(SEQUENCE).steps, start=1)
        if step.pose is not None and step.pose.places[1] != 0
    )
    host.run(RigProgram(rig.plan(SEQUENCE).steps[:opened], host.pose))
    story.clock.sleep(120.0)
    host = story.host()
    host.connect()
    assert host.why_askew() == ""
    with pytest.raises(NotPossibleError, match="by hand"):
        host.prepare()
    host.prepare()
    assert host.pose == rig.start_pose


def test_a_lost_board_keeps_the_record_of_the_program(rig: FaceMotors) -> None:
    story = Story(rig, 4)
    host = story.ready_host()
    program = rig.plan(SEQUENCE)
    with pytest.raises(LinkError):
        host.run(program, lambda done: story.virtual.unplug(60) if done.executed == 3 else None)
    assert story.record is not None
    assert story.record.steps == len(program.steps)


def test_a_restart_stays_in_the_record_of_the_host_that_saw_it(rig: FaceMotors) -> None:
    story = Story(rig, 4, Faults(reset_at_move=3))
    host = story.ready_host()
    with pytest.raises(BoardResetError):
        host.run(rig.plan(SEQUENCE))
    for _ in range(2):
        host = story.host()
        host.connect()
        assert host.why_askew()


CORNERS = Corners(cut=33.0, anti_cut=28.0, opposite=33.0)
SHAPES = {
    "pairs": ("R2 L'", "U D2", "F2 B2", "R L", "U2 D2", "F' B2"),
    "corners": ("R2", "U2", "F", "L2", "D2", "B'", "U D'"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_host_that_was_stopped_for_a_while_continues(rig: FaceMotors, shape: str) -> None:
    continued = 0
    for seed in range(4):
        rng = random.Random(seed)
        patient = msgspec.structs.replace(
            rig, host_timeout_ms=300, corners=CORNERS if shape == "corners" else Corners()
        )
        story = Story(patient, seed)
        moves = MoveSequence.parse(" ".join(rng.choice(SHAPES[shape]) for _ in range(40)))
        program = patient.plan(moves)
        port = MortalPort(story.virtual)
        host = story.ready_host(port, seed=seed)
        nap_s = rng.choice((0.2, 0.5, 2.0, 8.0, 30.0))
        port.nap(rng.randrange(3, 40), partial(story.clock.sleep, nap_s))
        heard: list[RunProgress] = []
        result = host.run(program, heard.append)
        assert result.executed == len(program.steps)
        assert story.virtual.state == SOLVED.apply(program.moves), seed
        continued += sum(progress.continued for progress in heard)
        assert port.reopened == 0  # that would reset some boards
    assert continued > 0


RECORD = MachineRecord(
    rig="", boot_id=9, accepted=100, steps=3, poses=((0,), (1,), (2,), (3,)), doubtful=(2,)
)


GETTING_READY = RECORD.to_places(counted=False)


def status(executed: int, **changes: object) -> Status:
    counts = executed, executed, 0
    idle = Status(State.ABORTED, Flag(0), 64, *counts, Fault.HOST_SILENT, 0)
    return dataclasses.replace(idle, **changes)


@pytest.mark.parametrize(
    ("record", "boot_id", "found", "poses", "askew"),
    [
        (RECORD, 9, status(101), ((1,),), False),
        (RECORD, 9, status(103), ((3,),), False),
        (RECORD, 9, status(101, flags=Flag.CUT_SHORT), (None, (2,)), False),
        (RECORD, 9, status(102, flags=Flag.CUT_SHORT), (None, (3,)), True),
        (RECORD, 9, status(101, fault=Fault.ESTOP), ((1,),), True),
        (RECORD, 9, status(101, fault=Fault.STALL), ((1,),), True),
        (RECORD, 9, status(101, fault=Fault.NOT_FOUND), ((1,),), False),
        (RECORD, 9, status(99), (), False),
        (RECORD, 9, status(104), (), False),
        (RECORD, 8, status(0), (), True),
        (RECORD.completed(), 9, status(103, flags=Flag.CUT_SHORT), ((3,),), False),
        (RECORD.completed(), 9, status(103, fault=Fault.ESTOP), ((3,),), False),
        (RECORD.completed(), 8, status(0), (), False),
        (replace(RECORD.completed(), askew="it stands askew"), 8, status(0), (), True),
        (GETTING_READY, 9, status(101), (None, (3,)), False),
        (GETTING_READY, 9, status(103), ((3,),), False),
        (
            GETTING_READY.at_rest(9, status(101)),
            9,
            status(101),
            (None, (3,)),
            False,
        ),
    ],
)
def test_counts_of_the_board_tell_where_the_parts_are(
    record: MachineRecord,
    boot_id: int,
    found: Status,
    poses: tuple[tuple[int, ...] | None, ...],
    askew: bool,
) -> None:
    rested = record.at_rest(boot_id, found)
    assert (rested.poses, bool(rested.askew)) == (poses, askew)
    assert rested.counted == (record.counted or found.executed == 103)
    assert (rested.boot_id, rested.accepted, rested.steps) == (boot_id, found.executed, 0)
    assert rested.at_rest(boot_id, found) == rested
