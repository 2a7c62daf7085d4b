"""Another host finishes what one began: from the journal and the board's own counts."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import msgspec
import pytest

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from robot.errors import AbortedError, BoardResetError, ForeignHostError, LinkError, RigError
from robot.ports.clock import SimulatedClock
from robot.protocol.messages import PROTOCOL_VERSION, Fault, Flag, HelloReply, State, Status
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.journal import JournalRecord, Standing, steps_taken
from robot.running.program_run import RunProgress
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig

SEQUENCE = MoveSequence.parse("R L' U2 D F R U R' U' F2 B2 L D' B U2 R2 F' L2 D B'")


class Killed(BaseException):
    """The process is gone: nothing of it runs any more."""


class MortalPort:
    """A port whose host dies at the n-th call once it is armed, and stays dead."""

    def __init__(self, rig: VirtualRig) -> None:
        self._rig = rig
        self._left = 10**9
        self.reopened = 0
        self._nap_in = 10**9
        self._nap: Callable[[], None] = lambda: None
        self.name = rig.name

    def arm(self, calls: int) -> None:
        self._left = calls

    def nap(self, calls: int, action: Callable[[], None]) -> None:
        """Stop the host at a call, as SIGSTOP does, for as long as an action takes."""
        self._nap_in, self._nap = calls, action

    def _live(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Killed
        self._nap_in -= 1
        if self._nap_in == 0:
            self._nap()

    def read(self, timeout_s: float) -> bytes:
        self._live()
        data = self._rig.read(timeout_s)
        self._live()  # between two calls of the system
        return data

    def write(self, data: bytes) -> None:
        self._live()
        self._rig.write(data)

    def reopen(self) -> None:
        self.reopened += 1
        self._live()
        self._rig.reopen()

    def close(self) -> None:
        self._rig.close()


class Paper:
    """A journal that outlives its host."""

    def __init__(self) -> None:
        self.record: JournalRecord | None = None
        self.why = ""

    def begin(self, record: JournalRecord) -> None:
        self.record = msgspec.json.decode(msgspec.json.encode(record), type=JournalRecord)

    def end(self, why: str = "") -> None:
        self.record, self.why = None, why


class Story:
    """A rig, its clock and its journal; hosts come and go."""

    def __init__(self, rig: FaceMotors, seed: int, faults: Faults | None = None) -> None:
        self.rig = rig
        self.clock = SimulatedClock()
        self.virtual = VirtualRig(rig, self.clock, faults=faults, seed=seed)
        self.paper = Paper()

    def host(self, port: MortalPort | None = None, seed: int = 1) -> RigDriver:
        self.virtual.reopen()
        return RigDriver(port or self.virtual, self.rig, self.clock, seed=seed, journal=self.paper)

    def kill_a_host(self, program: RigProgram, calls: int) -> bool:
        """Begin a program and die at the n-th call; False when it was finished before."""
        port = MortalPort(self.virtual)
        host = self.host(port)
        host.connect()
        host.prepare()
        port.arm(calls)
        try:
            host.run(program, solves=True)
        except Killed:
            return True
        return False


@pytest.mark.parametrize("part", range(4))
def test_a_program_is_finished_after_its_host_was_killed_anywhere(
    rig: FaceMotors, part: int
) -> None:
    resumed = 0
    for seed in range(part * 25, part * 25 + 25):
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
    assert resumed >= 20


SHAPES = {
    "half turns": ("R2", "U2", "F2", "L2", "D2", "B2"),
    "pairs": ("R2 L'", "U D2", "F2 B2", "R L", "U2 D2", "F' B2"),
    "overlaps": ("R2", "U2", "F", "L2", "D2", "B'"),
}


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
def test_what_a_silence_cut_short_is_finished(rig: FaceMotors, shape: str, hasty: bool) -> None:
    """Hosts die in turns of all kinds; an old board cuts half turns when it hears nothing."""
    cut = 0
    for seed in range(60):
        rng = random.Random(seed)
        degrees = 15.0 if shape == "overlaps" else 0.0
        patient = msgspec.structs.replace(
            rig, host_timeout_ms=rng.randrange(120, 400), idle_timeout_ms=0, overlap_degrees=degrees
        )
        story = Story(patient, seed, Faults(hasty=hasty))
        program = patient.plan(moves_of_shape(shape, rng, rng.randrange(8, 40)))
        assert story.kill_a_host(program, rng.randrange(3, 2 * len(program.steps)))
        while (record := story.paper.record) is not None:
            story.clock.sleep(rng.choice((0.0, 0.05, 0.6)))
            port = MortalPort(story.virtual)
            host = story.host(port, seed=seed)
            port.arm(rng.randrange(5, 120))
            try:  # the second host may be killed, too
                host.connect()
                cut += story.virtual.board.partial != (0, 0)
                host.resume(record)
            except Killed:
                pass
        solved = SOLVED.apply(program.moves)
        assert story.virtual.state == solved, (seed, story.virtual.moves)
        assert story.virtual.slips == 0
    assert (cut > 0) == hasty


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("hasty", [False, True])
def test_a_host_that_was_stopped_for_a_while_goes_on_by_itself(
    rig: FaceMotors, shape: str, hasty: bool
) -> None:
    cut = 0
    for seed in range(40):
        rng = random.Random(seed)
        degrees = 15.0 if shape == "overlaps" else 0.0
        patient = msgspec.structs.replace(rig, host_timeout_ms=300, overlap_degrees=degrees)
        story = Story(patient, seed, Faults(hasty=hasty))
        program = patient.plan(moves_of_shape(shape, rng, 40))
        port = MortalPort(story.virtual)
        host = story.host(port, seed=seed)
        host.connect()
        host.prepare()
        nap_s = rng.choice((0.2, 0.5, 2.0, 8.0, 30.0))
        port.nap(rng.randrange(3, 40), partial(story.clock.sleep, nap_s))
        heard: list[RunProgress] = []
        result = host.run(program, heard.append, solves=True)
        assert result.executed == len(program.steps)
        assert story.virtual.state == SOLVED.apply(program.moves), seed
        cut += sum(progress.gone_on for progress in heard)
        assert port.reopened == 0  # that would reset some boards
    assert cut > 5


def test_a_turn_that_this_program_did_not_send_is_not_finished(rig: FaceMotors) -> None:
    story = Story(msgspec.structs.replace(rig, host_timeout_ms=100), 5)
    assert story.kill_a_host(rig.plan(MoveSequence.parse("R U F L")), 4)
    record = story.paper.record
    assert record is not None
    story.clock.sleep(2.0)
    story.virtual.board.partial = (-1, 0)
    host = story.host()
    host.connect()
    with pytest.raises(AbortedError, match="did not send: align the faces and scan again"):
        host.resume(record)
    assert "did not send" in story.paper.why


@pytest.mark.parametrize("last", [3, len(SEQUENCE)])
def test_a_stop_is_written_down_with_how_far_it_came(rig: FaceMotors, last: int) -> None:
    story = Story(msgspec.structs.replace(rig, parallel=False), seed=1)
    host = story.host()
    host.connect()
    host.prepare()

    def interrupt(progress: RunProgress) -> None:
        if progress.executed == last:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        host.run(story.rig.plan(SEQUENCE), interrupt)
    assert story.paper.record is None
    total = len(SEQUENCE)
    assert last <= host.executed <= total
    if host.executed < total:
        assert f"stopped after {host.executed} of {total} steps" in story.paper.why
    else:
        assert story.paper.why == ""
    assert (host.executed == total) == (last == total)


@pytest.mark.parametrize(
    ("faults", "said"),
    [(Faults(stall_at_move=2), "stalled"), (Faults(reset_at_move=3), "scan again")],
)
def test_why_a_program_ended_early_is_written_down(
    rig: FaceMotors, faults: Faults, said: str
) -> None:
    story = Story(rig, seed=1, faults=faults)
    host = story.host()
    host.connect()
    host.prepare()
    with pytest.raises((RigError, LinkError)) as failure:
        host.run(story.rig.plan(SEQUENCE))
    assert said in story.paper.why
    assert story.paper.why == str(failure.value)


def test_nothing_is_sent_again_when_all_was_sent(rig: FaceMotors) -> None:
    story = Story(rig, 1)
    program = rig.plan(SEQUENCE)
    assert story.kill_a_host(program, 20)
    assert story.paper.record is not None
    story.clock.sleep(3.0)
    packets: list[str] = []
    host = RigDriver(story.virtual, rig, story.clock, packets.append, 9, journal=story.paper)
    host.connect()
    result = host.resume(story.paper.record)
    assert result.executed == len(program.steps)
    assert not any("MOVE_STEP" in line for line in packets)
    assert story.virtual.moves == SEQUENCE.moves
    assert story.paper.record is None


@pytest.mark.parametrize(
    ("meanwhile", "error", "words"),
    [
        ("reset", BoardResetError, "scan again"),
        ("another host", ForeignHostError, "another program spoke to it"),
        ("estop", AbortedError, "emergency stop was pressed"),
        ("motors off", AbortedError, "motors were switched off"),
    ],
)
def test_what_cannot_be_known_is_not_guessed(
    rig: FaceMotors, meanwhile: str, error: type[Exception], words: str
) -> None:
    story = Story(rig, 2)
    program = rig.plan(MoveSequence(SEQUENCE.moves * 3))
    assert story.kill_a_host(program, 8)
    record = story.paper.record
    assert record is not None
    match meanwhile:
        case "reset":
            story.virtual.board.reset(story.virtual.board.boot_id + 1)
        case "another host":
            story.clock.sleep(4.0)
            other = RigDriver(story.virtual, rig, story.clock, seed=7)
            other.connect()
            other.prepare()
            other.run(rig.plan(MoveSequence.parse("R")))
        case "estop":
            story.virtual.board.press_estop()
        case "motors off":
            story.clock.sleep(120.0)
    before = story.virtual.moves
    host = story.host()
    host.connect()
    with pytest.raises(error, match=words):
        host.resume(record)
    assert story.virtual.moves == before
    assert story.paper.record is None


def test_another_wiring_is_refused(rig: FaceMotors) -> None:
    story = Story(rig, 3)
    assert story.kill_a_host(rig.plan(SEQUENCE), 8)
    record = story.paper.record
    assert record is not None
    motors = rig.motors | {"U": msgspec.structs.replace(rig.motors["U"], direction=-1)}
    story.rig = msgspec.structs.replace(rig, motors=motors)
    host = story.host()
    host.connect()
    with pytest.raises(RigError, match="other motors"):
        host.resume(record)


def test_a_lost_board_keeps_the_record_and_a_stop_ends_it(rig: FaceMotors) -> None:
    story = Story(rig, 4)
    host = story.host()
    host.connect()
    host.prepare()
    program = rig.plan(SEQUENCE)
    with pytest.raises(LinkError):
        host.run(program, lambda done: story.virtual.unplug(60) if done.executed == 3 else None)
    assert story.paper.record is not None
    story.clock.sleep(60)

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    long = rig.plan(MoveSequence(SEQUENCE.moves * 4))
    host = story.host()
    host.connect()
    host.prepare()
    with pytest.raises(KeyboardInterrupt):
        host.run(long, stop)
    assert story.paper.record is None


RECORD = JournalRecord(
    steps=("R", "U", "F", "L"), rig="", solves=True, boot_id=9, done=1, accepted=100, next_seq=250
)
REPLY = HelloReply(0, PROTOCOL_VERSION, 0, 1, 0, 0, 9, 1, State.IDLE, 0, 0, 0, 0, 6, 64)


def status(accepted: int, executed: int, next_seq: int, **changes: object) -> Status:
    made = Status(State.MOVING, Flag(0), 60, accepted, executed, next_seq, Fault.NONE, 0, 0)
    return replace(made, **changes)


def test_counts_that_fit() -> None:
    assert steps_taken(RECORD, REPLY, status(102, 101, 252)) == Standing(3, 2)
    assert steps_taken(RECORD, REPLY, status(100, 100, 250)) == Standing(1, 1)
    silent = status(101, 101, 253, state=State.ABORTED, fault=Fault.HOST_SILENT)
    assert steps_taken(RECORD, REPLY, silent) == Standing(2, 2)


def test_a_turn_that_was_cut_short_counts_until_its_step_is_turned() -> None:
    cut = status(
        101, 101, 253, state=State.ABORTED, fault=Fault.HOST_SILENT, partial_a=1, partial_b=-1
    )
    assert steps_taken(RECORD, REPLY, cut) == Standing(2, 2, (1, -1))
    noted = msgspec.structs.replace(RECORD, begun=(1, 0))
    assert steps_taken(noted, REPLY, status(101, 100, 251)) == Standing(2, 1, (1, 0))
    assert steps_taken(noted, REPLY, status(102, 101, 252)) == Standing(3, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        status(104, 101, 254),  # more than the program has
        status(102, 99, 252),  # less than before it began
        status(102, 101, 253),  # a message that was none of ours
        status(102, 101, 251),
        status(101, 101, 248, state=State.ABORTED, fault=Fault.HOST_SILENT),
    ],
)
def test_counts_that_do_not_fit(wrong: Status) -> None:
    with pytest.raises(ForeignHostError):
        steps_taken(RECORD, REPLY, wrong)
