"""The user's choices about a machine, and the mistake that a virtual one may be asked to make."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cube.moves import FACES
from robot.virtual.misturns import Misturn, StagedMisturn
from thistlebot.errors import UsageError


class Disturbance(StrEnum):
    """What may happen to a picture."""

    GLARE = "glare"
    """The stickers mirror the windows."""
    COVER = "cover"
    """A hand hides three stickers of the first camera's view."""


@dataclass(frozen=True, slots=True)
class StagedMistake:
    """A mistake that a virtual machine will make once.

    Attributes:
        what: A turn that goes wrong, or what happens to the pictures of the first reading.
    """

    what: StagedMisturn | Disturbance

    @classmethod
    def parse(cls, text: str) -> "StagedMistake":
        """Read a mistake, such as ``R 7 short``, ``slip``, ``3 double`` or ``glare``.

        Raises:
            UsageError: The text is not a mistake; the message lists all.
        """
        found = re.fullmatch(r"(?:([a-z])\s+)?(?:(\d{1,3})\s+)?([a-z]+)", text.strip().lower())
        face, turn, kind = found.groups() if found else (None, None, "")
        if kind in set(Disturbance) and not face and not turn:
            return cls(Disturbance(kind))
        face = (face or "").upper()
        if kind not in set(Misturn) or face not in ("", *FACES) or turn == "0":
            raise UsageError(
                f"there is no mistake {text!r}: give {', '.join(Misturn)}, "
                f"{' or '.join(Disturbance)}; "
                'before a mistake in a turn, a face and a number may stand: "R 7 short" is the '
                "seventh turn of the plan, or the first later one that R makes"
            )
        return cls(StagedMisturn(Misturn(kind), int(turn or 1), face))


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
