"""How the machine is shown to people, as the user chose."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from thistlebot.errors import UsageError

if TYPE_CHECKING:
    from thistlebot.session.machine import Machine


class Sound(StrEnum):
    """What is heard when a cube is solved."""

    OFF = "off"
    BELL = "bell"
    WAV = "wav"
    BUZZER = "buzzer"


@dataclass(frozen=True, slots=True)
class Show:
    """How the machine is shown.

    Attributes:
        learn: Let the profile follow the light of verified solves.
        as_json: Print a record for each cube, solved or not.
        sound: What is heard when a cube is solved.
        budget_chosen: The user said how long to search; else a rig with motors on its faces
            searches only as long as that makes the whole run shorter.
        attract_s: After so long without a press the machine scrambles and solves by itself; None:
            never.
    """

    learn: bool = False
    as_json: bool = False
    sound: Sound = Sound.OFF
    budget_chosen: bool = False
    attract_s: float | None = None


PLAIN = Show()
"""Silent, and only when somebody presses."""


def require_possible(show: Show, machine: "Machine") -> None:
    """Refuse what a machine cannot do; nothing is opened.

    Raises:
        UsageError: The message says what the machine lacks.
        ThistlebotError: As of `Machine.scan`.
    """
    if show.attract_s is not None and not machine.scan.moves_nothing:
        raise UsageError(
            "--attract needs cameras that see the cube as it lies: this rig would have to move a "
            "cube that nobody has read; leave --attract away"
        )
    if show.sound is Sound.BUZZER and machine.rig.buzzer is None:
        raise UsageError(
            f"rig {machine.rig.name!r} names no buzzer: write buzzer = N into the rig file, the "
            "board's output that it is on, or take --sound bell"
        )
