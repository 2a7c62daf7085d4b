"""The commands of the assistant for a first run, and the base of all commands."""

import re
from enum import StrEnum
from typing import Annotated

import msgspec


def _tag(name: str) -> str:
    """Return the command's name for its class name: ``measure_colours``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class NamedCommand(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="command", tag=_tag
):
    """Refuses misspelt fields: ``{"command": "solve", "dryrun": true}`` must not turn anything."""


class AssistantStep(StrEnum):
    """The steps of the assistant, in their order."""

    RIG = "rig"
    DEVICES = "devices"
    DIRECTIONS = "directions"
    VIEWS = "views"
    SOLVE = "solve"
    DONE = "done"


class ChooseRig(NamedCommand, frozen=True):
    """Use a built-in rig from now on: write the user's rig file, or use the rig virtually.

    Attributes:
        rig: Its name, as listed by ``thistlebot rig list``; empty to keep the user's own file.
        virtual: Use the virtual machine of this rig; no file is written.
    """

    rig: str
    virtual: bool = False


class FindDevices(NamedCommand, frozen=True):
    """Open the machine again, and look for its board and its cameras; nothing moves."""


class UseCamera(NamedCommand, frozen=True):
    """Write the source of one of the rig's cameras into the rig file.

    Attributes:
        number: The number of the rig's camera.
        source: A camera, as listed by ``thistlebot devices``.
    """

    number: int
    source: str


class TryPart(NamedCommand, frozen=True):
    """Turn one motor a little, or do one action, there and back, and ask about it.

    Attributes:
        part: A motor or an action of the rig.
    """

    part: str


class JudgePart(NamedCommand, frozen=True):
    """Say whether the part that was tried last moved as it should.

    Attributes:
        part: That motor or action.
        right: Whether it did; otherwise its direction is reversed in the rig file.
        moved: The motor that moved instead: the two exchange their channels.
    """

    part: str
    right: bool
    moved: str = ""


class GoToStep(NamedCommand, frozen=True):
    """Go to a step of the assistant; nothing moves.

    Attributes:
        step: The step; ``done`` ends the assistant.
        skips: Whether the present step is skipped, because something is not in order.
    """

    step: AssistantStep
    skips: bool = False


class FlashBoard(NamedCommand, frozen=True):
    """Load the program's firmware onto a board; its motors are off meanwhile.

    Attributes:
        board: The kind of board, as for ``thistlebot flash --board``.
        port: A serial port of this computer.
    """

    board: str
    port: str


class Examine(NamedCommand, frozen=True):
    """Check the parts of the machine one by one, as ``thistlebot doctor``; nothing moves."""


class SaveRigFile(NamedCommand, frozen=True):
    """Check a text, write it into the user's rig file, and use it.

    Attributes:
        text: The text. It may name only the cameras and ports that `UseCamera` may, and those that
            the file names already.
    """

    text: Annotated[str, msgspec.Meta(max_length=200_000)]


AssistantCommand = (
    ChooseRig
    | FindDevices
    | UseCamera
    | TryPart
    | JudgePart
    | GoToStep
    | FlashBoard
    | Examine
    | SaveRigFile
)
