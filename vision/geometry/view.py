"""The places of the facelets in a fixed camera's picture: the content of a view file."""

import math
from collections.abc import Sequence

import msgspec

from cube.errors import InvalidCubeError
from cube.facelets import facelet_index, facelet_name
from cube.moves import FACES
from vision.errors import ViewError
from vision.reading import Polygon

# (0, 0) is the centre of the first pixel, so the picture begins half a pixel earlier.
_MARGIN_PX = 0.5


class FaceletPatches(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The patches of the picture that show one facelet.

    Attributes:
        name: The facelet, ``U1`` to ``B9``.
        polygons: One or more quadrilaterals in pixels, corners in order around the patch.

    Raises:
        ViewError: There is no such facelet, no patch, or a patch without area.
    """

    name: str
    polygons: tuple[Polygon, ...]

    def __post_init__(self) -> None:
        try:
            facelet_index(self.name)
        except InvalidCubeError as error:
            raise ViewError(str(error)) from None
        if not self.polygons:
            raise ViewError(
                f"facelet {self.name} has no polygon; leave it out if the camera does not see it"
            )
        for number, polygon in enumerate(self.polygons):
            if not abs(_area(polygon)) >= 1.0:  # also refuses NaN
                raise ViewError(
                    f"polygon {number} of facelet {self.name} covers less than a pixel; "
                    "give its four corners in order"
                )


class View(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The places of the facelets in the pictures of one camera.

    Attributes:
        image_size: Width and height in pixels of the pictures that the view was made for.
        facelet: The visible facelets, without those of hidden centres.
        centres: Colour name of each face, for centres that couplers hide.

    Raises:
        ViewError: A facelet occurs twice or is outside the picture, or a centre is not a face.
    """

    image_size: tuple[int, int]
    facelet: tuple[FaceletPatches, ...]
    centres: dict[str, str] = {}

    def __post_init__(self) -> None:
        width, height = self.image_size
        if width < 1 or height < 1:
            raise ViewError(f"image_size {width} × {height} is not the size of a picture")
        seen: set[str] = set()
        for entry in self.facelet:
            if entry.name in seen:
                raise ViewError(
                    f"facelet {entry.name} occurs twice; put all its patches into one `polygons`"
                )
            seen.add(entry.name)
            _check_inside(entry, width, height)
        if wrong := sorted(set(self.centres) - set(FACES)):
            raise ViewError(f"centres: {wrong[0]!r} is not a face; the faces are {' '.join(FACES)}")

    def showing(self, facelets: Sequence[int]) -> "View":
        """Return the view of the same camera for a cube in another state or orientation.

        Args:
            facelets: For each of the 54 places the facelet that is there.
        """
        entries = (
            msgspec.structs.replace(entry, name=facelet_name(facelets[facelet_index(entry.name)]))
            for entry in self.facelet
        )
        centres = {
            FACES[facelets[9 * FACES.index(face) + 4] // 9]: colour
            for face, colour in self.centres.items()
        }
        return View(self.image_size, tuple(entries), centres)

    def of_face(self, face: str) -> "View":
        """Return the part of the view that shows one face."""
        entries = tuple(entry for entry in self.facelet if entry.name[0] == face)
        centres = {each: colour for each, colour in self.centres.items() if each == face}
        return View(self.image_size, entries, centres)

    def names(self) -> frozenset[str]:
        """Return the names of the facelets seen."""
        return frozenset(entry.name for entry in self.facelet)


def _area(polygon: Polygon) -> float:
    """Return the signed area in square pixels; NaN if a corner is not finite."""
    if not all(math.isfinite(value) for corner in polygon for value in corner):
        return math.nan
    following = (*polygon[1:], polygon[0])
    return 0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, following, strict=True))


def _check_inside(entry: FaceletPatches, width: int, height: int) -> None:
    for polygon in entry.polygons:
        for x, y in polygon:
            if not (
                -_MARGIN_PX <= x <= width - _MARGIN_PX and -_MARGIN_PX <= y <= height - _MARGIN_PX
            ):
                raise ViewError(
                    f"facelet {entry.name} has a corner at {x:g}, {y:g}, "
                    f"outside the picture of {width} × {height} pixels"
                )
