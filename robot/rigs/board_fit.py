"""Whether a board has every output that a machine needs."""

from collections.abc import Iterable

from robot.errors import NotPossibleError
from robot.protocol.messages import BoardKind, HelloReply
from robot.rigs.part import Part

_SHARING = {BoardKind.UNO: "an Uno", BoardKind.NANO: "a Nano"}
"""Boards on which a servo, or an output, takes the pins of a motor."""
_ADVICE = {
    "motor": "use a board with more, such as a Mega with 6",
    "servo": "use a board with more, such as a Mega with 6, or move a part by a stepper",
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
                f"the board drives {have}, but in rig {rig!r} {told}: correct the rig file, or "
                f"{_ADVICE[drive]}"
            )
    if board.board in _SHARING:
        motors = {part.channel: part for part in parts if part.drive == "motor"}
        for part in parts:
            if part.drive != "motor" and (other := motors.get(part.channel + 1)):
                raise NotPossibleError(
                    f"on {_SHARING[board.board]} {part.drive} {part.channel} takes the place of "
                    f"motor {other.channel}, but in rig {rig!r} {part.key} is {part.channel} and "
                    f"{other.key} is {other.channel}: give the motor another channel, or use a Mega"
                )
