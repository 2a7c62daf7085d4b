"""What a machine is made of, for its builder: each part, its actuator, where it is at the cube."""

from dataclasses import dataclass
from typing import Literal

Drive = Literal["motor", "servo", "output"]
Role = Literal["shaft", "claw", "arm", "lever", "other"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a machine that moves.

    Attributes:
        name: What the rig file calls it.
        key: The key of the rig file that names its actuator.
        drive: What moves it.
        channel: The board's motor, servo or output of that number.
        role: A "shaft" turns what is before it, a "claw" grips for the shaft on its side, an "arm"
            holds the cube, and may tip it over, a "lever" tips it only.
        side: Where it is at the machine, one of ``URFDLB``.
        places: Where it can stand; empty for a shaft that turns on and on.
    """

    name: str
    key: str
    drive: Drive
    channel: int
    role: Role
    side: str
    places: tuple[str, ...] = ()
