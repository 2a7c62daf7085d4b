"""How well a camera's pose explains the colours of a known cube in a picture."""

from collections.abc import Collection, Mapping
from functools import cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from vision.colours.colour_space import bgr_to_lab, srgb_to_lab
from vision.colours.palette import STICKER_SRGB
from vision.geometry.scene import facelet_centre, facelet_point
from vision.placement.cube_pose import CameraPose

Array = NDArray[np.float64]

# Chroma tells stickers apart in any light; lightness is half shadow.
_LAB_WEIGHT = np.array([0.4, 1.0, 1.0])
# ΔE beyond which a point is a reflection or a coupler, whatever its colour.
_MOST_DELTA_E = 40.0
# How much a colour may differ from its usual look before that counts as much as a spread.
_USUAL_WEIGHT = 0.3
# Points looked at in a cell that reaches from -1 to 1.
_GRID = (-0.78, -0.39, 0.0, 0.39, 0.78)


class KnownCube:
    """A cube whose colours are known, to be compared with a picture.

    Args:
        image_bgr: (h, w, 3) uint8.
        facelets: What the cube shows.
        scheme: Face letter to colour name.
    """

    def __init__(
        self, image_bgr: NDArray[np.uint8], facelets: Facelets, scheme: Mapping[str, str]
    ) -> None:
        self._lab = bgr_to_lab(image_bgr) * _LAB_WEIGHT
        numbers = np.array([FACES.index(letter) for letter in facelets.text])
        self._numbers = np.array([numbers[places] for places in _places_by_rotation()])
        names = [STICKER_SRGB[scheme[face]] for face in FACES]
        self._usual = srgb_to_lab(np.array(names, dtype=np.float64)) * _LAB_WEIGHT

    def misfit(self, pose: CameraPose, rotation: int = 0) -> float:
        """How unlike stickers of one colour look, a mean ΔE with lightness counted less.

        Args:
            pose: The camera.
            rotation: Which of `rotations` the whole cube was turned by.
        """
        facelets, labs = self._points(pose)
        return self._cost(np.repeat(self._numbers[rotation][facelets], labs.shape[1]), labs)

    def best_rotation(self, pose: CameraPose, corner: str = "") -> tuple[float, int]:
        """The least misfit of the 24 ways to put the cube there, and which way it is.

        Args:
            pose: The camera.
            corner: Letters of faces that must be in sight.
        """
        facelets, labs = self._points(pose)
        best = float("inf"), 0
        for number, rotation in enumerate(rotations()):
            if corner and not all(pose.turned(rotation).sees(face) for face in corner):
                continue
            colours = np.repeat(self._numbers[number][facelets], labs.shape[1])
            best = min(best, (self._cost(colours, labs), number))
        return best

    def agreement(self, pose: CameraPose, rotation: int = 0) -> float:
        """Share of the stickers in sight, centres aside, nearest to others of their own colour.

        Returns:
            0..1; 0 when fewer than two stickers are in sight.
        """
        facelets, labs = self._points(pose)
        if len(facelets) < 2:
            return 0.0
        middle = np.median(labs, axis=1)
        colours = self._numbers[rotation][facelets]
        apart = np.linalg.norm(middle[:, None] - middle[None], axis=2)
        np.fill_diagonal(apart, np.inf)
        with_peer = (colours[:, None] == colours[None]).sum(axis=1) > 1
        right = colours[apart.argmin(axis=1)] == colours
        return float(right[with_peer].mean()) if with_peer.any() else 0.0

    def _points(self, pose: CameraPose) -> tuple[NDArray[np.intp], Array]:
        """Facelets in sight (n,) without centres, and the colours of their points (n, 25, 3)."""
        seen = np.array([face for face in range(6) if pose.sees(FACES[face])], dtype=np.intp)
        facelets = (9 * seen[:, None] + np.array([0, 1, 2, 3, 5, 6, 7, 8])).ravel()
        if len(facelets) == 0:
            return facelets, np.zeros((0, len(_GRID) ** 2, 3))
        pixels = np.rint(pose.project(_grid_points()[facelets].reshape(-1, 3)))
        height, width = self._lab.shape[:2]
        x, y = np.clip(pixels, -1, (width, height)).astype(np.intp).T
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        labs = self._lab[np.where(inside, y, 0), np.where(inside, x, 0)]
        labs[~inside] = 1e3  # like nothing on the cube
        return facelets, labs.reshape(len(facelets), -1, 3)

    def _cost(self, colours: NDArray[np.intp], labs: Array) -> float:
        if len(labs) == 0:
            return float("inf")
        points = labs.reshape(-1, 3)
        total = 0.0
        for colour in np.unique(colours):
            mine = points[colours == colour]
            middle = np.median(mine, axis=0)
            spread = np.linalg.norm(mine - middle, axis=1)
            off = float(np.linalg.norm(middle - self._usual[colour]))
            total += float(np.minimum(spread, _MOST_DELTA_E).sum())
            total += _USUAL_WEIGHT * len(mine) * min(off, _MOST_DELTA_E)
        return total / len(points)


def unlike_neighbours(facelets: Facelets, faces: Collection[str]) -> float:
    """Share of neighbouring stickers of some faces that differ in colour, 0..1.

    Where neighbours are alike, stickers that are slid by a place agree just as well.
    """
    if not faces:
        return 0.0
    letters = np.array([list(facelets.face(face)) for face in faces]).reshape(-1, 3, 3)
    differ = (letters[:, 1:] != letters[:, :-1], letters[:, :, 1:] != letters[:, :, :-1])
    return float(np.concatenate([each.ravel() for each in differ]).mean())


@cache
def rotations() -> tuple[Array, ...]:
    """Return the 24 rotations of a cube, (3, 3), from its own axes to where they point."""
    found = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = signs
            if np.linalg.det(matrix) > 0.0:
                found.append(matrix)
    found.sort(key=lambda matrix: -np.trace(matrix))  # the identity first
    return tuple(found)


@cache
def _places_by_rotation() -> NDArray[np.intp]:
    """(24, 54): which facelet of the turned cube lies where each facelet of the resting one is."""
    centres = np.array([facelet_centre(facelet) for facelet in range(54)])
    apart = [
        np.linalg.norm(centres[:, None] - (centres @ rotation.T)[None], axis=2)
        for rotation in rotations()
    ]
    return np.array([distance.argmin(axis=1) for distance in apart], dtype=np.intp)


@cache
def _grid_points() -> Array:
    """(54, 25, 3) mm: points spread over each facelet."""
    across, down = (axis.ravel() for axis in np.meshgrid(_GRID, _GRID))
    return np.array([facelet_point(facelet, across, down) for facelet in range(54)])
