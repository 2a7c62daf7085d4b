"""Faults of a wire and a board, injected repeatably."""

import math
import random
from collections import deque
from dataclasses import dataclass
from enum import Enum, StrEnum, auto


class Impostor(Enum):
    """A foreign device that answers on the port instead of one of our boards."""

    SILENT = auto()
    NOISE = auto()
    OTHER_VERSION = auto()


class Misturn(StrEnum):
    """What a turn may do instead."""

    SHORT = "short"
    """The motor stops a quarter turn short."""
    SLIP = "slip"
    """The coupling slips on its shaft: the motor turns, and the face does not."""
    DOUBLE = "double"
    """The face turns twice as far."""
    UNPLUG = "unplug"
    """The turn is made, but the cable is unplugged in it."""


@dataclass(frozen=True, slots=True)
class StagedMisturn:
    """One turn of a face that will not do what it should.

    Attributes:
        kind: What it does.
        turn: Number of the turn among those of the faces, from 1.
        face: Only a turn of this face: the first one from that number on. Empty for any face.
    """

    kind: Misturn
    turn: int = 1
    face: str = ""


@dataclass(frozen=True, slots=True)
class Faults:
    """Faults of a virtual rig; the default has none.

    Attributes:
        impostor: The device that answers instead of the board.
        drop: Probability that a byte is lost, 0..1.
        flip: Probability that a byte has one inverted bit.
        duplicate: Probability that a byte arrives twice.
        delay: Probability that a byte is delayed, and with it all that follow.
        longest_delay_s: Maximum delay; delays are uniformly distributed.
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
    longest_delay_s: float = 0.02
    unplug: float = 0.0
    unplugged_s: float = 0.5
    reset_at_move: int = 0
    stall_at_move: int = 0
    torque: float = 1.0
    slip_at_move: int = 0
    loose_at_move: int = 0
    doubled_at_move: int = 0

    def __post_init__(self) -> None:
        chances = (self.drop, self.flip, self.duplicate, self.delay, self.unplug)
        if not all(0.0 <= chance <= 1.0 for chance in chances):
            raise ValueError(f"probabilities must be between 0 and 1: {self}")
        if self.torque <= 0:
            raise ValueError(f"a motor must have some torque: {self}")

    def follows(self, move: int) -> int:
        """Return how many times the cube follows in the move with this number."""
        if move == self.loose_at_move:
            return 0
        return 2 if move == self.doubled_at_move else 1


class Wire:
    """One direction of a serial line: bytes arrive in order, but may be lost or changed."""

    def __init__(self, faults: Faults, rng: random.Random) -> None:
        self._faults = faults
        self._rng = rng
        self._travelling: deque[tuple[float, bytes]] = deque()
        self._last_s = 0.0
        self._perfect = not (faults.drop or faults.flip or faults.duplicate or faults.delay)

    def put(self, data: bytes, now_s: float) -> None:
        """Send bytes into the wire."""
        self._last_s = max(self._last_s, now_s)
        if self._perfect:
            if data:
                self._travelling.append((self._last_s, data))
            return
        faults, chance = self._faults, self._rng.random
        for byte in data:
            if chance() < faults.delay:
                self._last_s += self._rng.uniform(0.0, faults.longest_delay_s)
            if chance() < faults.drop:
                continue
            arriving = byte ^ (1 << self._rng.randrange(8)) if chance() < faults.flip else byte
            copies = 2 if chance() < faults.duplicate else 1
            self._travelling.append((self._last_s, bytes([arriving] * copies)))

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
