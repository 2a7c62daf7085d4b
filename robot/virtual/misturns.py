"""Turns of a virtual rig that somebody wants to go wrong."""

from dataclasses import dataclass
from enum import StrEnum


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
