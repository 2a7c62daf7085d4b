"""One truth for the board: its firmware and the virtual board give the same answers.

The same random packets go to the firmware's core, built for this computer, and to `VirtualBoard`.
Their clocks may differ a little, so each sequence also goes to two virtual boards that are a little
early and a little late. As soon as these differ, the rest of the sequence depends on milliseconds
and is not compared.
"""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from robot.protocol.cobs import encode
from robot.protocol.frames import (
    ABORT_FRAME,
    STATUS_REQUEST_FRAME,
    FrameDecoder,
    Packet,
    crc16,
    encode_frame,
)
from robot.protocol.messages import (
    MAX_ACTIONS,
    MAX_PAYLOAD,
    NO_MOTOR,
    SPEC_BY_CODE,
    STALL,
    Ack,
    Action,
    ActionKind,
    Begin,
    BoardKind,
    Clear,
    Enable,
    Hello,
    Set,
    Step,
)
from robot.protocol.schema import Message
from robot.protocol.settings import SETTINGS, Setting
from robot.virtual.machine_parts import MachineParts
from robot.virtual.virtual_board import VirtualBoard

pytestmark = pytest.mark.avr
BEGINS_MS = 5
"""The time at which the host build's board has started."""
ANSWERS_MS = 4
RESTS_MS = 15_000
CLOCKS = ((0.96, -2.5), (1.0, 0.0), (1.04, 2.5))
"""Rate of the virtual boards' clocks, and how late every second packet arrives, ms."""


@dataclass(frozen=True)
class Happening:
    """What happens to a board, and the time until the next happening.

    Attributes:
        message: A message of the host; None for something else.
        raw: A type and a payload, which may be unknown.
        off_by: Added to the right sequence number, and to the right number of a step.
        data: Bytes from the host.
        estop: Presses or releases the emergency stop.
        wait_ms: The time until the next happening.
    """

    message: Message | None = None
    raw: tuple[int, bytes] | None = None
    off_by: tuple[int, int] = (0, 0)
    data: bytes = b""
    estop: bool | None = None
    wait_ms: int = 10


@dataclass
class Heard:
    """What a board said after a happening: the last ACK, and all of the other messages."""

    ack: Message | None = None
    others: dict[str, list[Message]] = field(default_factory=dict)

    def add(self, message: Message) -> None:
        if isinstance(message, Ack):  # whether the next turn has begun is a matter of microseconds
            self.ack = replace(message, credits=0)
        else:
            self.others.setdefault(type(message).__name__, []).append(message)


class Virtual:
    """A virtual board whose clock may be a little wrong."""

    def __init__(self, lanes: int, rate: float, lag_ms: float) -> None:
        self.rate, self.lag_ms = rate, lag_ms
        self.positions = [0] * 6
        self.parts = MachineParts(switches=(-1,) * 4)
        self.board = VirtualBoard(
            self._turned, boot_id=0, lanes=lanes, parts=self.parts, kind=BoardKind.HOST
        )
        self._decoder = FrameDecoder()

    def _turned(self, channel: int, steps: int, *_: object) -> None:
        self.positions[channel] += steps

    def happen(self, at_ms: float, data: bytes, estop: bool | None) -> None:
        at_s = self.seconds(at_ms)
        if estop is None:
            self.board.receive(data, at_s)
            return
        self.board.advance(at_s)
        (self.board.press_estop if estop else self.board.release_estop)()

    @property
    def state(self) -> list[int]:
        """The positions of the motors, the pulses of the servos, and the outputs."""
        pulses = [servo.pulse_us for servo in self.parts.servos]
        return [*self.positions, *pulses, *map(int, self.parts.outputs)]

    def seconds(self, at_ms: float) -> float:
        return at_ms * self.rate / 1000

    def hear(self, until_ms: float) -> Heard:
        self.board.advance(self.seconds(until_ms))
        heard = Heard()
        for received in self._decoder.feed(self.board.output()):
            assert isinstance(received, Packet)
            heard.add(received.message)
        return heard


class Core:
    """The firmware's core in a process of its own."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program, "talk"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def happen(self, data: bytes, estop: bool | None) -> None:
        if estop is not None:
            self.tell(f"estop {int(estop)}")
        elif data:
            self.tell(f"send {data.hex()}")

    def hear(self, wait_ms: int) -> Heard:
        assert self._process.stdout is not None
        self.tell(f"wait {wait_ms}")
        heard = Heard()
        for line in iter(self._process.stdout.readline, ".\n"):
            packet = bytes.fromhex(line)
            heard.add(SPEC_BY_CODE[packet[0]].unpack(packet[1:]))
        return heard

    def state(self) -> list[int]:
        """Return the positions of the motors, the pulses of the servos, and the outputs."""
        assert self._process.stdout is not None
        self.tell("state")
        return [int(number) for number in self._process.stdout.readline().split()]

    def close(self) -> None:
        self._process.communicate()


@contextmanager
def core(program: Path) -> Iterator[Core]:
    talking = Core(program)
    try:
        yield talking
    finally:
        talking.close()


def frame_of(happening: Happening, board: VirtualBoard) -> bytes:
    """Return the bytes of a happening, with the numbers that the board expects."""
    message, (seq, number) = happening.message, happening.off_by
    if happening.raw is not None:
        code, payload = happening.raw
        body = bytes((code, (board._next_seq + seq) % 256)) + payload
        return b"\0" + encode(body + crc16(body).to_bytes(2, "little")) + b"\0"
    if message is None:
        return happening.data
    if isinstance(message, Step):
        number = (board.accepted + 1 + number) & 0xFFFF
        message = Step(number, message.begin, message.begin_value, message.actions)
    sequenced = not isinstance(message, Hello)
    return encode_frame(message, (board._next_seq + seq) % 256 if sequenced else 0)


def compare(program: Core, lanes: int, happenings: Sequence[Happening]) -> int:
    """Let a sequence happen to all boards; return how much of it could be compared."""
    virtual = [Virtual(lanes, *clock) for clock in CLOCKS]
    right = virtual[1]
    program.tell("start")
    now_ms = BEGINS_MS
    pressed = False
    for number, happening in enumerate((*happenings, Happening(wait_ms=RESTS_MS))):
        if happening.estop is not None:
            if happening.estop == pressed:
                continue
            pressed = happening.estop
        data = frame_of(happening, right.board)
        for each in virtual:
            first, second = (0.0, each.lag_ms) if number % 2 else (each.lag_ms, 0.0)
            each.happen(now_ms + first, data, happening.estop)
            each.happen(now_ms + ANSWERS_MS + second, STATUS_REQUEST_FRAME, None)
        program.happen(data, happening.estop)
        wait_ms = ANSWERS_MS + happening.wait_ms
        told = [each.hear(now_ms + wait_ms) for each in virtual]
        said = answers_of(program, happening.wait_ms)
        if not told[0] == told[1] == told[2]:
            return number
        assert said == told[1], f"after happening {number}, {happening}"
        now_ms += wait_ms
    # An emergency stop ends a turn anywhere, and a virtual one where it began.
    halted = any(happening.estop for happening in happenings)
    known = slice(6 if halted else 0, None)
    states = [each.state[known] for each in virtual]
    if not right.board.turning and states[0] == states[1] == states[2]:
        assert program.state()[known] == states[1]
    return len(happenings)


def answers_of(program: Core, wait_ms: int) -> Heard:
    first = program.hear(ANSWERS_MS)
    program.happen(STATUS_REQUEST_FRAME, None)
    then = program.hear(wait_ms)
    for kind, found in then.others.items():
        first.others.setdefault(kind, []).extend(found)
    first.ack = then.ack or first.ack
    return first


def _one_of(*values: int) -> st.SearchStrategy[int]:
    return st.sampled_from(values)


_VALUES_OF = {
    ActionKind.TURN: (-2, -1, 1, 2),
    ActionKind.MOVE_BY: (-900, -300, 20, 300, 900, 2**15 - 1),
    ActionKind.MOVE_TO: (-900, -300, 0, 300, 900),
    ActionKind.POSITION: (0, 500, 1000, 1500, 2000, 2500),
    ActionKind.HOME: (-300, 300),
    ActionKind.WAIT: (1, 30, 400),
    ActionKind.OUTPUT: (0, 1),
}
_EDGES_OF = {
    ActionKind.TURN: (-3, -2, 0, 2, 3),
    ActionKind.MOVE_BY: (-(2**15), 0),
    ActionKind.MOVE_TO: (-(2**15), 0),
    ActionKind.POSITION: (0, 499, 500, 2500, 2501),
    ActionKind.HOME: (-(2**15), 0),
    ActionKind.WAIT: (0, 10_000, 10_001),
    ActionKind.OUTPUT: (-1, 0, 1, 2),
}
_WRONG_VALUES = (-(2**15), -3, 0, 2, 3, 499, 2501, 10_001)
_DETAILS = {ActionKind.POSITION: (0, 3, 20), ActionKind.HOME: (0, 3)}


def _actions_of(kind: ActionKind) -> st.SearchStrategy[Action]:
    most = {ActionKind.WAIT: 0, ActionKind.OUTPUT: 3}.get(kind, 5)
    speeds = (0, 30, 100) if kind is ActionKind.POSITION else (0,)
    of_kind = (_VALUES_OF[kind], speeds, _DETAILS.get(kind, (0,)))
    return st.builds(Action, st.just(kind), st.integers(0, most), *(_one_of(*e) for e in of_kind))


_ACTIONS = st.sampled_from(ActionKind).flatmap(_actions_of)
_TURNS = _actions_of(ActionKind.TURN)
_ODD_ACTIONS = st.builds(
    Action,
    st.sampled_from(ActionKind),
    st.integers(0, 6),
    _one_of(*_WRONG_VALUES),
    _one_of(0, 7),
    _one_of(0, 4, STALL),
)
"""Actions of which most are impossible."""


def _steps(
    actions: st.SearchStrategy[Action], most: int, *begins: Begin
) -> st.SearchStrategy[Step]:
    values = _one_of(0, 40, 250) if Begin.ANGLE in begins else _one_of(0)
    key = (lambda each: each.channel) if most == 2 else (lambda each: (each.kind, each.channel))
    parts = st.lists(actions, min_size=1, max_size=most, unique_by=key).map(tuple)
    return st.builds(Step, st.just(0), st.sampled_from(begins), values, parts)


_STEPS = st.one_of(
    _steps(_TURNS, 2, Begin.AFTER_END),
    _steps(_TURNS, 2, Begin.ANGLE),
    _steps(_ACTIONS, MAX_ACTIONS, Begin.AFTER_END),
    _steps(_ACTIONS, 1, Begin.AFTER_END),
)
_ODD_STEPS = _steps(_ODD_ACTIONS, MAX_ACTIONS, *Begin)
_VALUES = {
    Setting.STEPS_PER_QUARTER: (3, 4, 100, 400),
    Setting.RATE_STEPS_S: (40, 2_000, 17_391, 40_000),
    Setting.ACCELERATION_STEPS_S2: (900, 300_000, 4_000_000),
    Setting.DIRECTION: (0, 1, 2),
    Setting.DRIVER_ADDRESS: (0, 9),  # there is no driver at another address
    Setting.GAP_US: (10, 16, 1_000, 30_000),
    Setting.HOST_TIMEOUT_MS: (0, 150, 600, 600_001),
    Setting.IDLE_TIMEOUT_MS: (0, 250, 1_500, 3_600_001),
    Setting.ENABLE_POLARITY: (0, 1, 2),
    Setting.STALL_INPUT: (0, 1, 2, 3),
    Setting.ENABLE_SETTLE_MS: (0, 40, 1_001),
}
_SETS = st.one_of(
    st.sampled_from(SETTINGS).flatmap(
        lambda spec: st.builds(
            Set,
            st.just(int(spec.key)),
            st.integers(0, 5) if spec.per_motor else st.just(NO_MOTOR),
            _one_of(*_VALUES.get(spec.key, (spec.minimum, spec.maximum, spec.maximum + 1))),
        )
    ),
    st.builds(Set, st.integers(0, 30), _one_of(0, 5, 6, NO_MOTOR), _one_of(0, 99)),
)
_MESSAGES = st.one_of(
    _ODD_STEPS,
    _SETS,
    _SETS,
    st.builds(Enable, _one_of(0, 1, 2)),
    st.just(Clear()),
    st.builds(Hello, _one_of(4, 5), st.integers(0, 0xFFFF)),
)
_CODES = _one_of(0x00, 0x10, 0x11, 0x12, 0x13, 0x14, 0x7F, 0x82)
_RAW_STEPS = st.builds(
    lambda number, begin, rest: bytes((number, 0, begin, 0, 0)) + rest,
    _one_of(1, 2, 3),
    _one_of(0, 0, 2),
    st.lists(_one_of(0, 1, 5, 6, 7, 255), min_size=6, max_size=6).map(bytes),
)
_WAITS = _one_of(1, 7, 30, 90, 200, 500, 2_000)
_STEP = st.builds(Happening, _STEPS, wait_ms=_WAITS)
_OTHERS = st.one_of(
    st.builds(Happening, _MESSAGES, wait_ms=_WAITS),
    st.builds(
        Happening, _STEPS, off_by=st.tuples(_one_of(-1, 0, 1), _one_of(0, 1, 7)), wait_ms=_WAITS
    ),
    st.builds(Happening, data=st.just(ABORT_FRAME), wait_ms=_WAITS),
    st.builds(Happening, data=st.binary(min_size=1, max_size=40), wait_ms=_WAITS),
    st.builds(Happening, raw=st.tuples(_CODES, st.binary(max_size=MAX_PAYLOAD)), wait_ms=_WAITS),
    st.builds(Happening, raw=st.tuples(st.just(0x10), _RAW_STEPS), wait_ms=_WAITS),
    st.builds(Happening, estop=st.booleans(), wait_ms=_WAITS),
)
_READY = [
    Happening(estop=False, wait_ms=30),
    Happening(Clear(), wait_ms=1),
    Happening(Enable(1), wait_ms=50),
]
_SPELLS = st.tuples(
    _one_of(0, 1, 1, 1), st.lists(_STEP, min_size=1, max_size=5), _OTHERS, _OTHERS
).map(lambda parts: _READY * parts[0] + parts[1] + list(parts[2:]))
"""What happens to a board that is made ready, unless it stays as it is."""
_SEQUENCES = st.lists(_SPELLS, min_size=1, max_size=6).map(
    lambda spells: list(chain.from_iterable(spells))
)
LANES = pytest.mark.parametrize(("program", "lanes"), [("host-test", 2), ("host-test-4", 4)])


def compare_many(program: Path, lanes: int, examples: int) -> None:
    compared = every = 0
    with core(program) as talking:

        @settings(
            max_examples=examples,
            derandomize=True,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        @given(_SEQUENCES)
        def same(happenings: list[Happening]) -> None:
            nonlocal compared, every
            compared += compare(talking, lanes, happenings)
            every += len(happenings)

        same()
    assert compared > every / 2  # else the test shows too little


def test_settings_keep_to_the_same_ranges(firmware_build: Path) -> None:
    values = [
        (spec, value)
        for spec in SETTINGS
        for value in (spec.minimum - 1, spec.minimum, spec.default, spec.maximum, spec.maximum + 1)
        if value >= 0
    ]
    asked = [Set(spec.key, motor, value) for spec, value in values for motor in (0, 5, 6, NO_MOTOR)]
    asked += [Set(key, NO_MOTOR, 1) for key in range(256)]
    happenings = [Happening(message, wait_ms=1) for message in asked]
    with core(firmware_build / "host-test") as talking:
        assert compare(talking, 2, happenings) == len(happenings)


def test_actions_keep_to_the_same_ranges(firmware_build: Path) -> None:
    happenings = [*_READY]
    for kind in ActionKind:
        fits = Action(kind, 0, _VALUES_OF[kind][-1], 0, max(_DETAILS.get(kind, (0,))))
        tried = [replace(fits, channel=channel) for channel in range(8)]
        tried += [replace(fits, value=value) for value in _EDGES_OF[kind]]
        tried += [replace(fits, speed=1), *(replace(fits, detail=each) for each in (4, STALL))]
        for action in tried:
            step = Step(0, Begin.AFTER_END, 0, (action,))
            happenings += [Happening(step, wait_ms=100), Happening(data=ABORT_FRAME, wait_ms=150)]
            happenings += [Happening(Clear(), wait_ms=5), Happening(Enable(1), wait_ms=5)]
    with core(firmware_build / "host-test") as talking:
        assert compare(talking, 2, happenings) == len(happenings)


def test_a_search_that_finds_no_home_is_counted(firmware_build: Path) -> None:
    """Beyond what can be counted, the position is unknown."""

    def moves(kind: ActionKind, value: int) -> Happening:
        step = Step(0, Begin.AFTER_END, 0, (Action(kind, 4, value, 0, 0),))
        return Happening(step, wait_ms=30_000)

    happenings = [*_READY]
    for travel in (-300, -20_000, -20_000):
        happenings += [moves(ActionKind.HOME, travel), *_READY]
        happenings += [moves(ActionKind.MOVE_BY, -900), moves(ActionKind.MOVE_TO, -30_000), *_READY]
    with core(firmware_build / "host-test") as talking:
        assert compare(talking, 2, happenings) == len(happenings)


def test_no_step_begins_before_the_current_has_settled(firmware_build: Path) -> None:
    step = Step(0, Begin.AFTER_END, 0, (Action(ActionKind.TURN, 0, 1, 0, 0),))
    happenings = [*_READY, Happening(Set(Setting.ENABLE_SETTLE_MS, NO_MOTOR, 300), wait_ms=5)]
    for rest_ms in (40, 200, 400):
        happenings += [Happening(Enable(0), wait_ms=5), Happening(Enable(1), wait_ms=5)]
        happenings += [Happening(step, wait_ms=rest_ms), Happening(Enable(1), wait_ms=rest_ms)]
        happenings += [Happening(step, wait_ms=1_000)]
    with core(firmware_build / "host-test") as talking:
        assert compare(talking, 2, happenings) == len(happenings)


@LANES
def test_firmware_and_virtual_board_say_the_same(
    firmware_build: Path, program: str, lanes: int
) -> None:
    compare_many(firmware_build / program, lanes, 300)


@pytest.mark.exhaustive
@pytest.mark.timeout(7200)
@LANES
def test_firmware_and_virtual_board_say_the_same_ten_thousand_times(
    firmware_build: Path, program: str, lanes: int
) -> None:
    compare_many(firmware_build / program, lanes, 10_000)
