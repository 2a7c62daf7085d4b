"""Sources of the cube's state other than cameras: files, letters or moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cube.held_moves import read_moves
from cube.state import SOLVED
from thistlebot.errors import UsageError
from thistlebot.journal.run_record import StoredCube
from thistlebot.reading.reader import Reader
from thistlebot.reading.typed_cube import TypedCube
from vision.colours.profile import ColourProfile


@dataclass(frozen=True, slots=True)
class CubeSource:
    """The source of one cube's state; nothing is set if cameras read it.

    Attributes:
        photos: A folder of six photos.
        facelets: The state as letters.
        scramble: The state as moves from the solved cube.
        order: Order of the stickers in `facelets`; None to find it.
        any_order: The faces of `photos` come in any order and rotated; those of `facelets` may be
            rotated.
    """

    photos: Path | None = None
    facelets: str | None = None
    scramble: str | None = None
    order: str | None = None
    any_order: bool = False

    def typed(self) -> TypedCube | None:
        """Return the cube from letters or from moves; None if neither is given.

        Raises:
            InvalidCubeError: The letters do not describe one cube.
            UnsolvableCubeError: Turns cannot solve this cube.
            NotationError: The text is not a sequence of moves.
        """
        if self.facelets is not None:
            return TypedCube.parse(self.facelets, self.order, any_orientation=self.any_order)
        if self.scramble is not None:
            return TypedCube(SOLVED.apply(read_moves(self.scramble)))
        return None

    def recorded(self) -> StoredCube | None:
        """Return how the photos are read, for the journal; None if there are none."""
        return None if self.photos is None else StoredCube(any_order=self.any_order)

    def reader(
        self, profile: ColourProfile | None, scheme: Mapping[str, str] | None = None
    ) -> Reader | None:
        """Return the reader of the photos, None if there are none."""
        if self.photos is None:
            return None
        from thistlebot.reading.readers import PhotoReader

        return PhotoReader(self.photos, profile, any_order=self.any_order, scheme=scheme)


def require_one(**sources: object) -> None:
    """Raise `UsageError` if more than one source is set; the names are those of options."""
    chosen = [f"--{name}" for name, value in sources.items() if value is not None]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} both define the cube; give one of them")
