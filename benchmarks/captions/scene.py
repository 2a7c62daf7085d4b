"""What a lesson says of a step, and the cubes that it is held against."""

from dataclasses import dataclass

from benchmarks.captions.facts import Names
from benchmarks.captions.sticker_cube import Cube, names


@dataclass(frozen=True, slots=True)
class Caption:
    """One step as it was told, all as text.

    Attributes:
        name: What it is called.
        caption: Its sentences.
        settles: What it settles.
        moves: Its turns.
        about: The pieces that it is said to be about.
        moving: The pieces that are said to move.
    """

    name: str
    caption: str
    settles: str
    moves: str
    about: tuple[str, ...]
    moving: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """What a sentence is held against.

    Attributes:
        before: The cube before its step.
        cube: The cube at the end of its step, or of a later one.
        said: The step.
        later: The turns of all later steps.
    """

    before: Cube
    cube: Cube
    said: Caption
    later: tuple[str, ...]

    @property
    def moves(self) -> tuple[str, ...]:
        """The turns of the step."""
        return tuple(self.said.moves.split())

    @property
    def moved(self) -> Names:
        """The pieces that the step leaves elsewhere or otherwise."""
        return names(self.before, (i for i in range(54) if self.before[i] != self.cube[i]))
