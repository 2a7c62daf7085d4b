"""What a machine is made of, for its builder: each part, its actuator, where it is at the cube.

Whether a board has every output that a machine needs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from robot.errors import NotPossibleError
from robot.protocol.messages import BoardKind, HelloReply

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


_SHARING = {BoardKind.UNO: "an Uno", BoardKind.NANO: "a Nano"}
"""Boards on which a servo, or an output, takes the pins of a motor."""
_ADVICE = {
    "motor": "use a board with more, such as a Mega with 6",
    "servo": "use a board with more, such as a Mega with 6, or move a part with a stepper",
    "output": "use a board with more, such as RAMPS with 4",
}


def require_board(rig: str, parts: Iterable[Part], board: HelloReply) -> None:
    """Refuse a board that lacks what a machine needs, before anything moves.

    Args:
        rig: What the machine is called.
        parts: Its parts.
        board: What the board says of itself.

    Raises:
        NotPossibleError: The message names the keys of the rig file, and what to do.
    """
    parts = list(parts)
    has = {"motor": board.motors, "servo": board.servos, "output": board.outputs}
    for drive, count in has.items():
        beyond = [part for part in parts if part.drive == drive and part.channel >= count]
        if beyond:
            told = " and ".join(f"{part.key} is {part.channel}" for part in beyond)
            have = f"{count} {drive}s, 0 to {count - 1}" if count else f"no {drive}s"
            raise NotPossibleError(
                f"the board drives {have}, but in rig {rig!r} {told}: correct the rig file, "
                f"or {_ADVICE[drive]}"
            )
    if board.board in _SHARING:
        motors = {part.channel: part for part in parts if part.drive == "motor"}
        for part in parts:
            if part.drive != "motor" and (other := motors.get(part.channel + 1)):
                raise NotPossibleError(
                    f"on {_SHARING[board.board]} {part.drive} {part.channel} uses the pins of "
                    f"motor {other.channel}, but in rig {rig!r} {part.key} is {part.channel} "
                    f"and {other.key} is {other.channel}: give the motor another channel, or "
                    "use a Mega"
                )
