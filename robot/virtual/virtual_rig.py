"""A rig without hardware: a port behind which a virtual board turns a virtual cube."""

import math
import random
import threading
from collections.abc import Mapping, Sequence

from cube.facelets import Facelets
from cube.moves import Move
from cube.state import SOLVED, CubeState
from robot.errors import PortMissingError
from robot.ports.port import Clock, MonotonicClock
from robot.protocol.messages import PROTOCOL_VERSION
from robot.rigs.mechanism import Mechanism
from robot.rigs.motor import Trapezoid
from robot.virtual.cubes.slipping_cube import DEFAULT_GEOMETRY, CornerGeometry
from robot.virtual.cubes.turned_cube import TurnedCube, cube_in, parts_of
from robot.virtual.faults import Faults, Impostor, Wire
from robot.virtual.step_ranges import MachineParts
from robot.virtual.virtual_board import VirtualBoard

_NOISE_BYTES = 24
_NOISE_INTERVAL_S = 0.01
_WEAK_TORQUE = 0.5
_SHORTEST_WAIT_S = 1e-6
"""Sums of small times are rounded: without this a simulated clock could stand still."""


class VirtualRig:
    """Implements `robot.ports.port.Port`; the same bytes as on the bench go in and out.

    What it does is brought up to the present whenever anything of it is asked for, by any thread.

    On a `MonotonicClock` it turns as slowly as a real rig, on a `SimulatedClock` in no time.

    Args:
        rig: The machine: channels, steps and directions as they really are.
        clock: The time in which it turns.
        state: The cube in it; its motors lose steps when a ramp is too steep for them.
        faults: What goes wrong.
        seed: Of everything that is left to chance.
        parts: Servos, outputs and carriages of the machine; those of the rig unless given.
        lanes: Motors that its board turns at once: 2 as an Uno, 4 as a Mega; those of the rig
            unless given.
        geometry: How well the cube cuts corners.
    """

    def __init__(
        self,
        rig: Mechanism,
        clock: Clock | None = None,
        state: CubeState = SOLVED,
        faults: Faults | None = None,
        seed: int = 0,
        *,
        parts: MachineParts | None = None,
        lanes: int | None = None,
        geometry: CornerGeometry = DEFAULT_GEOMETRY,
    ) -> None:
        self._rig = rig
        self._geometry = geometry
        self._clock = clock or MonotonicClock()
        self._faults = faults or Faults()
        self._rng = random.Random(seed)  # noqa: S311 - faults, not secrets
        self.parts = parts or parts_of(rig)
        self._lock = threading.RLock()
        self._cube: TurnedCube
        self.state = state
        self._to_board = Wire(self._faults, self._rng)
        self._to_host = Wire(self._faults, self._rng)
        other = self._faults.impostor is Impostor.OTHER_VERSION
        self.board = VirtualBoard(
            self._turn,
            boot_id=self._rng.randrange(0x10000),
            protocol=PROTOCOL_VERSION + 1 if other else PROTOCOL_VERSION,
            parts=self.parts,
            lanes=lanes or rig.lanes,
            hasty=self._faults.hasty,
        )
        self.board.stall_at(self._faults.stall_at_move)
        self._reset_at = self._faults.reset_at_move
        self._back_at_s = 0.0
        self._noise_at_s = 0.0
        self._open = True

    # The cube. Cameras see it from other threads than the one that turns it.

    @property
    def state(self) -> CubeState:
        """The cube as it is now; between two detents, as it was before the turn."""
        with self._lock:
            self._live()
            return self._cube.state

    @state.setter
    def state(self, state: CubeState) -> None:
        follows = self._faults.follows
        with self._lock:
            self._cube = cube_in(self._rig, self.parts, state, self._geometry, follows)

    @property
    def shown(self) -> Facelets:
        """What the stickers show, by their places in the machine."""
        with self._lock:
            self._live()
            return self._cube.shown

    def stands(self, needs: Mapping[str, Sequence[str]]) -> bool:
        """Say whether every part stands where it has to, at rest, and the cube is there."""
        with self._lock:
            self._live()
            return self._cube.stands(needs)

    def put_in(self, rig: Mechanism, state: CubeState) -> None:
        """Put a cube into another machine on the same board."""
        with self._lock:
            self._live()
            self._rig = rig
            self.state = state

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move that the motors made since the state was last set."""
        with self._lock:
            self._live()
            return tuple(self._cube.moves)

    @property
    def slips(self) -> int:
        """How often a motor lost steps since the state was last set."""
        with self._lock:
            self._live()
            return self._cube.slips

    @property
    def jams(self) -> int:
        """How often a face beside another one was in its way since the state was last set."""
        with self._lock:
            self._live()
            return self._cube.jams

    @property
    def violations(self) -> tuple[str, ...]:
        """What the machine did to the cube that no action of it does; it is dropped then."""
        with self._lock:
            self._live()
            return tuple(each.text for each in self._cube.violations)

    def press_button(self) -> None:
        """Press the solve button on the board."""
        with self._lock:
            self._live()
            self.board.press_button()

    def unplug(self, duration_s: float) -> None:
        """Pull the cable for a while; the board goes on with what it has."""
        with self._lock:
            self._to_board.cut()
            self._to_host.cut()
            self._back_at_s = self._clock.now_s() + duration_s

    # The port.

    @property
    def name(self) -> str:
        """What the port is called in messages."""
        return "virtual rig"

    def read(self, timeout_s: float) -> bytes:
        """Return what the board sent, letting the time pass until something comes.

        Raises:
            PortMissingError: The cable is off.
        """
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
        """Send bytes to the board.

        Raises:
            PortMissingError: The cable is off.
        """
        self._check_plugged()
        with self._lock:
            self._live()
            self._to_board.put(data, self._clock.now_s())
            if self._rng.random() < self._faults.unplug:
                self._live()
                self.unplug(self._faults.unplugged_s)
            self._live()

    def reopen(self) -> None:
        """Open the port again.

        Raises:
            PortMissingError: The cable is off.
        """
        self._open = True
        self._check_plugged()

    def close(self) -> None:
        """Give the port back."""
        self._open = False

    def _check_plugged(self) -> None:
        if not self._open:
            raise PortMissingError("the virtual rig's port is closed: open it again")
        if self._clock.now_s() < self._back_at_s:
            raise PortMissingError("the virtual rig's cable is unplugged: plug it in")

    # Time.

    def _next_wake_s(self) -> float:
        noise_s = self._noise_at_s if self._faults.impostor is Impostor.NOISE else math.inf
        return min(self._next_of_board_s(), self._to_host.next_arrival_s(), noise_s)

    def _next_of_board_s(self) -> float:
        return min(self.board.next_wake_s(), self._to_board.next_arrival_s())

    def _live(self) -> None:
        """Bring board and wires up to the present, in the order in which things happen."""
        now_s = self._clock.now_s()
        if self._faults.impostor in (Impostor.SILENT, Impostor.NOISE):
            self._to_board.cut()
            if self._faults.impostor is Impostor.NOISE and now_s >= self._noise_at_s:
                self._noise_at_s = now_s + _NOISE_INTERVAL_S
                self._to_host.put(self._rng.randbytes(_NOISE_BYTES), now_s)
            return
        while (at_s := self._next_of_board_s()) <= now_s:
            self._look(at_s)
            self.board.receive(self._to_board.take(at_s), at_s)
            self._look(at_s)
            self._let_fail()
            self._forward(at_s)
        self.board.advance(now_s)
        self._look(now_s)
        self._forward(now_s)

    def _look(self, now_s: float) -> None:
        self._cube.look(now_s, self.board.motors_since_s)

    def _forward(self, now_s: float) -> None:
        output = self.board.output()
        if now_s >= self._back_at_s:
            self._to_host.put(output, now_s)

    def _let_fail(self) -> None:
        if self._reset_at and self.board.turning and self.board.executed + 1 >= self._reset_at:
            self._reset_at = 0
            self.board.reset(self.board.boot_id + 1)

    def _turn(self, channel: int, steps: int, motion: Trapezoid, start_s: float) -> None:
        if all(channel != motor.channel for motor in self._rig.motors.values()):
            return  # a carriage: `parts` knows where it stands
        weak = self.board.executed + 1 == self._faults.slip_at_move
        torque = self._faults.torque * (_WEAK_TORQUE if weak else 1.0)
        # A cube that is handled counts the motions of all parts itself.
        handled = self._rig.handles_cube
        for _ in range(1 if handled else self._faults.follows(self.board.executed + 1)):
            self._cube.turn(channel, steps, motion, torque, start_s)
