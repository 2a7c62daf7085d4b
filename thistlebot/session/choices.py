"""The user's choices about a machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from thistlebot.session.staged import StagedMistake


@dataclass(frozen=True, slots=True)
class Choices:
    """The user's choices on the command line, before any device is opened.

    Attributes:
        rig: Rig file or name of a rig, or None for the usual places.
        profile: Name of the colour profile, or None.
        port: Serial port, or None for the rig's, or else the one that answers.
        cameras: Camera sources, or empty for the rig's.
        virtual: Use the virtual rig and cameras.
        seed: Seed of the virtual light.
        scheme: Colour name of each face of the cube, as its owner gave it, or None.
        aligned: Whether the user confirmed that every face is straight.
        mistake: What the virtual machine will do wrong, once.
    """

    rig: Path | None = None
    profile: str | None = None
    port: str | None = None
    cameras: tuple[str, ...] = ()
    virtual: bool = False
    seed: int = 0
    scheme: Mapping[str, str] | None = None
    aligned: bool = False
    mistake: StagedMistake | None = None
