"""A virtual rig with faults of its wire, its board and its motors, injected repeatably."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from cube.moves import Move
from cube.state import SOLVED, CubeState
from robot.ports.port import Clock
from robot.protocol.messages import PROTOCOL_VERSION
from robot.rigs.mechanism import Mechanism
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.cubes.slipping_cube import DEFAULT_GEOMETRY, CornerGeometry, SlippingCube
from robot.virtual.cubes.turned_cube import TurnedCube
from robot.virtual.virtual_board import VirtualBoard
from robot.virtual.virtual_rig import VirtualRig, Wire

_NOISE_BYTES = 24
_NOISE_INTERVAL_S = 0.01
_WEAK_TORQUE = 0.5
_LONGEST_DELAY_S = 0.02


class Impostor(Enum):
    """A foreign device that answers on the port instead of one of our boards."""

    SILENT = auto()
    NOISE = auto()
    OTHER_VERSION = auto()


@dataclass(frozen=True, slots=True)
class Faults:
    """Faults of a virtual rig; the default has none.

    Attributes:
        impostor: The device that answers instead of the board.
        drop: Probability that a byte is lost, 0..1.
        flip: Probability that a byte has one inverted bit.
        duplicate: Probability that a byte arrives twice.
        delay: Probability that a byte is delayed, by 20 ms at most, and with it all that follow.
        unplug: Probability, for each piece that the host writes, that the cable is unplugged.
        unplugged_s: Duration of an unplugged cable.
        reset_at_move: The board restarts when it begins the move with this number; 0 for never.
        stall_at_move: A motor stalls in the move with this number; 0 for never.
        torque: Share of the motors' torque that is left, as with a tight cube or a weak supply.
        slip_at_move: The motors of the move with this number lose half of their torque; 0 for
            never.
        loose_at_move: In the move with this number the cube does not follow, as if a coupling slips
            on its shaft, or a holder turns without the cube; 0 for never. A machine that handles
            the cube counts its moves from the time when the cube was put in.
        doubled_at_move: In the move with this number, counted in the same way, the cube follows
            twice; 0 for never.
    """

    impostor: Impostor | None = None
    drop: float = 0.0
    flip: float = 0.0
    duplicate: float = 0.0
    delay: float = 0.0
    unplug: float = 0.0
    unplugged_s: float = 0.5
    reset_at_move: int = 0
    stall_at_move: int = 0
    torque: float = 1.0
    slip_at_move: int = 0
    loose_at_move: int = 0
    doubled_at_move: int = 0

    def follows(self, move: int) -> int:
        """Return how many times the cube follows in the move with this number."""
        if move == self.loose_at_move:
            return 0
        return 2 if move == self.doubled_at_move else 1


class FaultyWire(Wire):
    """A wire that may lose, change, repeat or delay bytes."""

    def __init__(self, faults: Faults, rng: random.Random) -> None:
        super().__init__()
        self._faults = faults
        self._rng = rng

    def put(self, data: bytes, now_s: float) -> None:
        faults, chance = self._faults, self._rng.random
        for byte in data:
            if chance() < faults.delay:
                now_s = max(now_s, self._last_s) + self._rng.uniform(0.0, _LONGEST_DELAY_S)
            if chance() < faults.drop:
                continue
            arriving = byte ^ (1 << self._rng.randrange(8)) if chance() < faults.flip else byte
            copies = 2 if chance() < faults.duplicate else 1
            super().put(bytes([arriving] * copies), now_s)


class FaultyRig(VirtualRig):
    """A virtual rig with faults; the further options are those of the virtual rig."""

    def __init__(
        self,
        rig: Mechanism,
        clock: Clock | None = None,
        state: CubeState = SOLVED,
        faults: Faults | None = None,
        seed: int = 0,
        **options: Any,
    ) -> None:
        self._faults = faults or Faults()
        self._geometry: CornerGeometry = options.pop("geometry", DEFAULT_GEOMETRY)
        self._reset_at = self._faults.reset_at_move
        self._noise_at_s = 0.0
        super().__init__(rig, clock, state, seed, **options)
        made = self._faults
        if made.drop or made.flip or made.duplicate or made.delay:
            self._to_board = FaultyWire(made, self._rng)
            self._to_host = FaultyWire(made, self._rng)
        if made.impostor is Impostor.OTHER_VERSION:
            self.board = VirtualBoard(
                self._turn, boot_id=1, protocol=PROTOCOL_VERSION + 1, parts=self.parts
            )
        self.board.stall_at(made.stall_at_move)

    @property
    def slips(self) -> int:
        """Number of times that a motor lost steps since the state was last set."""
        return self._cube.slips

    @property
    def jams(self) -> int:
        """Number of times that something was in the way since the state was last set."""
        return getattr(self._cube, "jams", len(self._cube.violations))

    def _put(self, state: CubeState) -> TurnedCube:
        cube = super()._put(state)
        if isinstance(cube, SlippingCube):
            cube.geometry = self._geometry
        return cube

    def write(self, data: bytes) -> None:
        super().write(data)
        if self._rng.random() < self._faults.unplug:
            self.unplug(self._faults.unplugged_s)

    def _live(self) -> None:
        if self._faults.impostor not in (Impostor.SILENT, Impostor.NOISE):
            super()._live()
            return
        self._to_board.cut()
        now_s = self._clock.now_s()
        if self._faults.impostor is Impostor.NOISE and now_s >= self._noise_at_s:
            self._noise_at_s = now_s + _NOISE_INTERVAL_S
            self._to_host.put(self._rng.randbytes(_NOISE_BYTES), now_s)

    def _next_wake_s(self) -> float:
        wake_s = super()._next_wake_s()
        noisy = self._faults.impostor is Impostor.NOISE
        return min(wake_s, self._noise_at_s) if noisy else wake_s

    def _look(self, now_s: float) -> None:
        super()._look(now_s)
        if self._reset_at and self.board.turning and self.board.executed + 1 >= self._reset_at:
            self._reset_at = 0
            self.board.reset(self.board.boot_id + 1)

    def _turn(self, channel: int, steps: int, motion: Trapezoid, start_s: float) -> None:
        weak = self.board.executed + 1 == self._faults.slip_at_move
        self._cube.torque = self._faults.torque * (_WEAK_TORQUE if weak else 1.0)
        super()._turn(channel, steps, motion, start_s)

    def _follows(self, turns: Sequence[Move]) -> int:
        times, cube = super()._follows(turns), self._cube
        motion = cube.motions if isinstance(cube, HandledCube) else self.board.executed + 1
        return self._faults.follows(motion) if times == 1 else times
