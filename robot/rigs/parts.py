"""The parts of a machine, for its builder: each part, its actuator, and its side of the cube.

A board must have an output for every part.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from robot.errors import NotPossibleError
from robot.protocol.messages import BoardKind, HelloReply

Drive = Literal["motor", "servo", "output", "switch"]
Role = Literal["shaft", "claw", "arm", "lever", "other"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a machine that moves.

    Attributes:
        name: Its name in the rig file.
        key: The key of the rig file that names its actuator.
        drive: The kind of actuator, or "switch" for the end of its travel.
        channel: The number of the board's motor, servo, output or switch.
        role: A "shaft" turns the part in front of it, a "claw" grips for the shaft on its side, an
            "arm" holds the cube and may tip it over, a "lever" only tips it.
        side: Its side of the machine, one of ``URFDLB``.
        places: Its places; empty for a shaft that turns without limit.
    """

    name: str
    key: str
    drive: Drive
    channel: int
    role: Role
    side: str
    places: tuple[str, ...] = ()


_SHARING = {BoardKind.UNO: "an Uno", BoardKind.NANO: "a Nano"}
"""Boards on which a servo or an output uses the pins of a motor."""
_ADVICE = {
    "motor": "use a board with more, such as a Mega with 6",
    "servo": "use a board with more, such as a Mega with 6, or move a part with a stepper",
    "output": "use a board with more, such as RAMPS with 4",
    "switch": "use a board with more, such as a Mega with 6",
}


def require_board(rig: str, parts: Iterable[Part], board: HelloReply) -> None:
    """Refuse a board that does not have everything that a machine needs, before anything moves.

    Raises:
        NotPossibleError: The message names the keys of the rig file, and the remedy.
    """
    parts = list(parts)
    has = {"motor": board.motors, "servo": board.servos, "output": board.outputs}
    has["switch"] = board.switches
    for drive, count in has.items():
        beyond = [part for part in parts if part.drive == drive and part.channel >= count]
        if beyond:
            told = " and ".join(f"{part.key} is {part.channel}" for part in beyond)
            plural = "switches" if drive == "switch" else f"{drive}s"
            have = f"{count} {plural}, 0 to {count - 1}" if count else f"no {plural}"
            raise NotPossibleError(
                f"the board has {have}, but in rig {rig!r} {told}: correct the rig file, "
                f"or {_ADVICE[drive]}"
            )
    if board.board in _SHARING:
        motors = {part.channel: part for part in parts if part.drive == "motor"}
        for part in parts:
            if part.drive in ("servo", "output") and (other := motors.get(part.channel + 1)):
                raise NotPossibleError(
                    f"on {_SHARING[board.board]} {part.drive} {part.channel} uses the pins of "
                    f"motor {other.channel}, but in rig {rig!r} {part.key} is {part.channel} "
                    f"and {other.key} is {other.channel}: give the motor another channel, or "
                    "use a Mega"
                )
