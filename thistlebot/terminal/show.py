"""How the machine behaves in front of an audience, as the user chose."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from thistlebot.errors import UsageError

if TYPE_CHECKING:
    from thistlebot.session.machine import Machine


@dataclass(frozen=True, slots=True)
class Show:
    """The user's choices for a show.

    Attributes:
        learn: Let the profile follow the light of verified solves.
        as_json: Print a record for each cube, solved or not.
        budget_chosen: The user set the search time; otherwise a rig with motors on its faces
            searches only as long as this shortens the whole run.
        attract_min: Minutes without a press after which the machine scrambles and solves a cube;
            None for never.
    """

    learn: bool = False
    as_json: bool = False
    budget_chosen: bool = False
    attract_min: float | None = None


PLAIN = Show()
"""The default: only solves after a press."""


def require_possible(show: Show, machine: "Machine") -> None:
    """Refuse what a machine cannot do; nothing is opened.

    Raises:
        UsageError: The message says what the machine lacks.
        ThistlebotError: See `Machine.scan`.
    """
    if show.attract_min is not None and not machine.scan.moves_nothing:
        raise UsageError(
            "a demonstration needs cameras that see the whole cube at once, but this rig would "
            "have to move a cube that has not been read: leave --attract or THISTLEBOT_ATTRACT out"
        )
