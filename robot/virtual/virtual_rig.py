"""A rig without hardware: a port with a virtual board that turns a virtual cube."""

import math
import random
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cube.facelets import Facelets
from cube.moves import Move
from cube.state import SOLVED, CubeState
from robot.errors import PortMissingError
from robot.ports.port import Clock, MonotonicClock
from robot.rigs.mechanism import Mechanism
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.controllers.planned_moves import VirtualController
from robot.virtual.cubes.in_machine import cube_in, parts_of
from robot.virtual.cubes.turned_cube import TurnedCube
from robot.virtual.machine_parts import MachineParts
from robot.virtual.misturns import Misturn, StagedMisturn
from robot.virtual.virtual_board import VirtualBoard

_QUARTER_SHORT = -1
_MADE = {Misturn.SHORT: _QUARTER_SHORT, Misturn.SLIP: 0, Misturn.DOUBLE: 2, Misturn.UNPLUG: 1}
"""How many times the cube follows a turn that goes wrong."""
_UNPLUGGED_S = 3.0
_SHORTEST_WAIT_S = 1e-6
"""Minimum step: sums of small times are rounded, so a simulated clock could stand still."""


class Wire:
    """One direction of a virtual serial line; bytes arrive in order.

    Args:
        byte_s: Time of each byte on the line.
    """

    def __init__(self, byte_s: float = 0.0) -> None:
        self._byte_s = byte_s
        self._travelling: deque[tuple[float, bytes]] = deque()
        self._last_s = 0.0

    def put(self, data: bytes, now_s: float) -> None:
        """Send bytes into the wire."""
        self._last_s = max(self._last_s, now_s) + self._byte_s * len(data)
        if data:
            self._travelling.append((self._last_s, data))

    def take(self, now_s: float) -> bytes:
        """Return the bytes that have arrived."""
        arrived = b""
        while self._travelling and self._travelling[0][0] <= now_s:
            arrived += self._travelling.popleft()[1]
        return arrived

    def next_arrival_s(self) -> float:
        """Return the arrival time of the next byte, infinity for none."""
        return self._travelling[0][0] if self._travelling else math.inf

    def cut(self) -> None:
        """Drop everything in transit."""
        self._travelling.clear()


class VirtualRig:
    """Implements `robot.ports.port.Port`; the same bytes as with real hardware go in and out.

    Its state is brought up to date whenever any thread reads a part of it.

    On a `MonotonicClock` it is as slow as a real rig; on a `SimulatedClock` it takes no time.

    Args:
        rig: The machine: its real channels, steps and directions.
        clock: The clock.
        state: The cube in it; its motors lose steps if a ramp is too steep for them.
        seed: Seed of all random choices.
        parts: Servos, outputs and carriages of the machine; by default those of the rig.
        lanes: Number of motors that its board turns at once: 2 as an Uno, 4 as a Mega; by default
            that of the rig.
    """

    def __init__(
        self,
        rig: Mechanism,
        clock: Clock | None = None,
        state: CubeState = SOLVED,
        seed: int = 0,
        *,
        parts: MachineParts | None = None,
        lanes: int | None = None,
    ) -> None:
        self._rig = rig
        self._clock = clock or MonotonicClock()
        self._rng = random.Random(seed)  # noqa: S311 - faults, not secrets
        self.parts = parts or parts_of(rig)
        self._lock = threading.RLock()
        self._cube: TurnedCube
        self.state = state
        self._to_board, self._to_host = Wire(self.byte_s), Wire(self.byte_s)
        self._connect(lanes or rig.lanes)
        self._back_at_s = 0.0
        self._open = True
        self._staged: StagedMisturn | None = None
        self._turned = 0

    byte_s = 0.0
    """Time of a byte on the line to the board."""

    def _connect(self, lanes: int) -> None:
        """Connect something to the port."""
        self.board = VirtualBoard(
            self._turn, self._rng.randrange(0x10000), parts=self.parts, lanes=lanes
        )

    @property
    def _device(self) -> VirtualBoard | VirtualController:
        """What is connected to the port."""
        return self.board

    # The cube. Cameras see it from other threads than the one that turns it.

    @property
    def state(self) -> CubeState:
        """The cube as it is now; between two detents, as it was before the turn."""
        with self._lock:
            self._live()
            return self._cube.state

    @state.setter
    def state(self, state: CubeState) -> None:
        with self._lock:
            self._cube = self._put(state)

    def _put(self, state: CubeState) -> TurnedCube:
        return cube_in(self._rig, self.parts, state, follows=self._follows)

    @property
    def shown(self) -> Facelets:
        """The stickers, by their places in the machine."""
        with self._lock:
            self._live()
            return self._cube.shown

    def stands(self, needs: Mapping[str, Sequence[str]]) -> bool:
        """Return whether every part has its required place, at rest, and the cube is there."""
        with self._lock:
            self._live()
            return self._cube.stands(needs)

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves of the motors since the state was last set."""
        with self._lock:
            self._live()
            return tuple(self._cube.moves)

    @property
    def violations(self) -> tuple[str, ...]:
        """Movements that none of the machine's actions allows; the cube is dropped then."""
        with self._lock:
            self._live()
            return tuple(self._cube.violations)

    def press_button(self) -> None:
        """Press the solve button on the board."""
        with self._lock:
            self._live()
            self._device.press_button()

    @property
    def staged(self) -> StagedMisturn | None:
        """The mistake that no turn has made yet."""
        return self._staged

    def stage(self, misturn: StagedMisturn) -> None:
        """Let one of the next turns go wrong; they are counted from now on.

        A holder cannot turn a cube a quarter too little, so a turn that is to be short slips in it.
        """
        with self._lock:
            self._live()
            self._staged, self._turned = misturn, 0

    def unplug(self, duration_s: float) -> None:
        """Unplug the cable for a while; the board continues with the steps that it has."""
        with self._lock:
            self._to_board.cut()
            self._to_host.cut()
            self._back_at_s = self._clock.now_s() + duration_s

    # The port.

    @property
    def name(self) -> str:
        """Its name in messages."""
        return "virtual rig"

    def read(self, timeout_s: float) -> bytes:
        """Return the bytes from the board; let the time pass until some arrive."""
        deadline_s = self._clock.now_s() + timeout_s
        while True:
            self._check_plugged()
            with self._lock:
                self._live()
                now_s = self._clock.now_s()
                data = self._to_host.take(now_s)
                wait_s = min(self._next_wake_s(), deadline_s) - now_s
            if data or now_s >= deadline_s:
                return data
            self._clock.sleep(max(wait_s, _SHORTEST_WAIT_S))

    def write(self, data: bytes) -> None:
        """Send bytes to the board."""
        self._check_plugged()
        with self._lock:
            self._live()
            self._to_board.put(data, self._clock.now_s())
            self._live()

    def reopen(self) -> None:
        """Open the port again."""
        self._open = True
        self._check_plugged()

    def close(self) -> None:
        """Close the port."""
        self._open = False

    def _check_plugged(self) -> None:
        if not self._open:
            raise PortMissingError("the virtual rig's port is closed: open it again")
        if self._clock.now_s() < self._back_at_s:
            raise PortMissingError("the virtual rig's cable is unplugged: plug it in")

    # Time.

    def _next_wake_s(self) -> float:
        return min(self._next_of_board_s(), self._to_host.next_arrival_s())

    def _next_of_board_s(self) -> float:
        return min(self._device.next_wake_s(), self._to_board.next_arrival_s())

    def _live(self) -> None:
        """Bring board and wires up to date, in the order of events."""
        now_s = self._clock.now_s()
        while (at_s := self._next_of_board_s()) <= now_s:
            self._look(at_s)
            self._device.receive(self._to_board.take(at_s), at_s)
            self._look(at_s)
            self._forward(at_s)
        self._device.advance(now_s)
        self._look(now_s)
        self._forward(now_s)

    def _look(self, now_s: float) -> None:
        self._cube.look(now_s, self._device.motors_since_s)

    def _forward(self, now_s: float) -> None:
        output = self._device.output()
        if now_s >= self._back_at_s:
            self._to_host.put(output, now_s)

    def _turn(self, channel: int, steps: int, motion: Trapezoid, start_s: float) -> None:
        named = (name for name, each in self._rig.motors.items() if each.channel == channel)
        name = next(named, None)
        if name is None:
            return  # a carriage: `parts` has its position
        if self._rig.handles_cube:  # it counts the motions of all parts itself
            self._cube.turn(channel, steps, motion, start_s)
            return
        quarter = self._rig.motors[name].steps_per_quarter
        # A small movement back and forth, as of `try`, is not a turn.
        turns = [Move(name, abs(steps) // quarter)] if quarter <= abs(steps) < 4 * quarter else []
        times = self._follows(turns)
        if times == _QUARTER_SHORT:
            steps -= quarter if steps > 0 else -quarter
            motion = replace(motion, steps=abs(steps)) if steps else motion
            times = 1 if steps else 0
        for _ in range(times):
            self._cube.turn(channel, steps, motion, start_s)

    def _follows(self, turns: Sequence[Move]) -> int:
        """Return how many times the cube follows a motion that turns some faces."""
        staged = self._staged
        for move in turns:
            self._turned += 1
            if staged and self._turned >= staged.turn and staged.face in ("", move.face):
                self._staged = None
                if staged.kind is Misturn.UNPLUG:
                    self.unplug(_UNPLUGGED_S)
                return _MADE[staged.kind]
        return 1
