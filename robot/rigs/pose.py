"""How a machine and the cube in it stand between two steps."""

from dataclasses import dataclass, field, replace

from cube.orientation import Orientation


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the parts of a machine are, and how they hold the cube.

    Attributes:
        places: Where each part stands: the number of its place, in the order of the rig file.
        held: Which face of the cube is where.
    """

    places: tuple[int, ...]
    held: Orientation = field(default_factory=Orientation)

    @property
    def taken_anew(self) -> "Pose":
        """The same machine, with a cube whose faces are named by where they are now."""
        return replace(self, held=Orientation())
