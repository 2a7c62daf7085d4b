"""Sources of the cube's state other than cameras: files, letters or moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from cube.held_moves import read_moves
from cube.state import SOLVED
from thistlebot.errors import UsageError
from thistlebot.journal.run_record import StoredCube
from thistlebot.reading.reader import Reader
from thistlebot.reading.typed_cube import TypedCube
from thistlebot.text_lines import read_lines
from vision.colours.profile import ColourProfile


@dataclass(frozen=True, slots=True)
class CubeSource:
    """The source of one cube's state; nothing is set if cameras read it.

    Attributes:
        photos: A folder of six photos.
        rgb: A file of sampled colours.
        facelets: The state as letters.
        scramble: The state as moves from the solved cube.
        order: Order of the stickers in `facelets`; None to find it.
        any_orientation: Each face of `photos`, `rgb` or `facelets` may be rotated in its plane.
        any_order: The faces come in any order and rotated.
    """

    photos: Path | None = None
    rgb: Path | None = None
    facelets: str | None = None
    scramble: str | None = None
    order: str | None = None
    any_orientation: bool = False
    any_order: bool = False

    @property
    def stored(self) -> bool:
        """Whether the source is files of pictures or colours."""
        return self.photos is not None or self.rgb is not None

    def typed(self) -> TypedCube | None:
        """Return the cube from letters or from moves; None if neither is given.

        Raises:
            InvalidCubeError: The letters do not describe one cube.
            UnsolvableCubeError: Turns cannot solve this cube.
            NotationError: The text is not a sequence of moves.
        """
        if self.facelets is not None:
            return TypedCube.parse(self.facelets, self.order, any_orientation=self.any_orientation)
        if self.scramble is not None:
            return TypedCube(SOLVED.apply(read_moves(self.scramble)))
        return None

    def recorded(self) -> StoredCube | None:
        """Return how the files are read, for the journal; None if there are none."""
        if not self.stored:
            return None
        rgb = islice(read_lines(self.rgb), 2) if self.rgb is not None else ()
        return StoredCube(
            any_orientation=self.any_orientation,
            any_order=self.any_order,
            rgb="\n".join(line for _, line in rgb),
        )

    def reader(
        self, profile: ColourProfile | None, scheme: Mapping[str, str] | None = None
    ) -> Reader | None:
        """Return the reader of the files, None if there are none.

        Args:
            profile: Measured colours, if any.
            scheme: The cube's colours, if its owner gave them.
        """
        if not self.stored:
            return None
        from thistlebot.reading.readers import ColourReader, PhotoReader

        turned, mixed = self.any_orientation, self.any_order
        if self.photos is not None:
            return PhotoReader(
                self.photos, profile, any_orientation=turned, any_order=mixed, scheme=scheme
            )
        assert self.rgb is not None
        return ColourReader(
            self.rgb, profile, any_orientation=turned, any_order=mixed, scheme=scheme
        )


def require_one(**sources: object) -> None:
    """Raise `UsageError` if more than one source is set; the names are those of options."""
    chosen = [f"--{name}" for name, value in sources.items() if value is not None]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} both define the cube; give one of them")
