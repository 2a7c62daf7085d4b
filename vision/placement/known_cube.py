"""How well a camera's pose explains the colours of a known cube in a picture."""

from collections.abc import Collection, Mapping
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from cube.orientation import facelet_places, orientations
from vision.colours.colour_spaces import bgr_to_lab, srgb_to_lab
from vision.colours.palette import STICKER_SRGB
from vision.colours.scheme import labels_of
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import FACE_AXES, facelet_point

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

# Chroma distinguishes stickers in any light; lightness is half shadow.
_LAB_WEIGHT = np.array([0.4, 1.0, 1.0])
# ΔE above which a point is a reflection or a coupler, whatever its colour.
_MOST_DELTA_E = 40.0
# Weight of a colour's difference from its usual appearance, relative to its spread.
_USUAL_WEIGHT = 0.3
# Points sampled in a cell that extends from -1 to 1.
_GRID = (-0.78, -0.39, 0.0, 0.39, 0.78)
# Standard deviation of the blur, as a share of the longer side, that makes one point representative
# of a sticker.
_BLUR = 0.006
# A point outside the picture is like nothing on the cube.
_OUTSIDE = (1e3, 1e3, 1e3, 0.0)


class KnownCube:
    """A cube with known colours, for comparison with a picture.

    Args:
        image_bgr: (h, w, 3) uint8.
        facelets: The state of the cube.
        scheme: Colour name of each face.

    Attributes:
        colours: (24, 54) the colour of each facelet, index in URFDLB, of the cube rotated as a
            whole to each of `orientations`; the first one is the identity.
    """

    def __init__(
        self, image_bgr: NDArray[np.uint8], facelets: Facelets, scheme: Mapping[str, str]
    ) -> None:
        self._lab = (bgr_to_lab(image_bgr) * _LAB_WEIGHT).astype(np.float32)
        self._blurred = cv2.GaussianBlur(self._lab, (0, 0), _BLUR * max(self._lab.shape))
        numbers = labels_of(facelets)
        self.colours = np.array([numbers[list(facelet_places(held))] for held in orientations()])
        names = [STICKER_SRGB[scheme[face]] for face in FACES]
        usual = srgb_to_lab(np.array(names, dtype=np.float64)) * _LAB_WEIGHT
        self._usual = usual.astype(np.float32)

    def misfit(self, pose: Pinhole) -> float:
        """Return how different stickers of one colour look: a mean ΔE, lightness counted less."""
        facelets, labs = self._points(pose)
        if len(facelets) == 0:
            return float("inf")
        colours = np.repeat(self.colours[0][facelets], labs.shape[1])
        return float(self._unlikeness(labs.reshape(1, 1, -1, 3), colours[None])[0, 0])

    def misfits(self, pixels: Array, colours: Labels) -> NDArray[np.float32]:
        """Return the approximate misfit of many poses at once, from one point per sticker.

        Args:
            pixels: (n, m, k, 2) positions of k stickers under m poses each.
            colours: (n, k) colours of the stickers, index in URFDLB.

        Returns:
            (n, m).
        """
        n, m, k, _ = pixels.shape
        labs = _sampled(self._blurred, pixels.reshape(-1, k, 2))
        return self._unlikeness(labs.reshape(n, m, k, 3), colours)

    def agreement(self, pose: Pinhole) -> float:
        """Return the share of visible stickers, except centres, nearest to others of their colour.

        Returns:
            0..1; 0 if fewer than two stickers are visible.
        """
        facelets, labs = self._points(pose)
        if len(facelets) < 2:
            return 0.0
        middle = np.median(labs, axis=1)
        colours = self.colours[0][facelets]
        apart = np.linalg.norm(middle[:, None] - middle[None], axis=2)
        np.fill_diagonal(apart, np.inf)
        with_peer = (colours[:, None] == colours[None]).sum(axis=1) > 1
        right = colours[apart.argmin(axis=1)] == colours
        return float(right[with_peer].mean()) if with_peer.any() else 0.0

    def _points(self, pose: Pinhole) -> tuple[Labels, NDArray[np.float32]]:
        """Return visible facelets (n,) without centres, and colours of their points (n, 25, 3)."""
        seen = np.array([FACES.index(face) for face in pose.faces], dtype=np.intp)
        facelets = (9 * seen[:, None] + np.array([0, 1, 2, 3, 5, 6, 7, 8])).ravel()
        points = _grid_points()[facelets]
        pixels = pose.project(points.reshape(-1, 3)).reshape(len(facelets), -1, 2)
        return facelets, _sampled(self._lab, pixels)

    def _unlikeness(self, labs: NDArray[np.float32], colours: Labels) -> NDArray[np.float32]:
        """Return points' distances from their colour's mean, and the mean's from its usual value.

        Args:
            labs: (n, m, k, 3) weighted CIELAB of k points under m poses each.
            colours: (n, k).

        Returns:
            (n, m), a mean ΔE.
        """
        member = (colours[:, None, :] == np.arange(6)[:, None]).astype(np.float32)
        count = member.sum(axis=2)
        means = (member / np.maximum(count, 1.0)[:, :, None])[:, None] @ labs
        spread = np.linalg.norm(labs - member.swapaxes(1, 2)[:, None] @ means, axis=3)
        off = np.linalg.norm(means - self._usual, axis=3)
        total = np.minimum(spread, _MOST_DELTA_E).sum(axis=2)
        usual = (np.minimum(off, _MOST_DELTA_E) * count[:, None]).sum(axis=2)
        return np.asarray((total + _USUAL_WEIGHT * usual) / labs.shape[2], dtype=np.float32)


def _sampled(lab: cv2.typing.MatLike, pixels: Array) -> NDArray[np.float32]:
    """Return the colours (…, 3) at pixels (n, k, 2), with bilinear interpolation."""
    if len(pixels) == 0:
        return np.zeros((*pixels.shape[:-1], 3), dtype=np.float32)
    places = np.clip(pixels, -100.0, 1e4).astype(np.float32)
    x, y = places[..., 0], places[..., 1]
    colours = cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderValue=_OUTSIDE)
    return np.asarray(colours, dtype=np.float32)


def unlike_neighbours(facelets: Facelets, faces: Collection[str]) -> float:
    """Return the share of neighbouring stickers of some faces that differ in colour, 0..1.

    Where neighbours are alike, stickers shifted by a place agree equally well.
    """
    if not faces:
        return 0.0
    letters = np.array([list(facelets.face(face)) for face in faces]).reshape(-1, 3, 3)
    differ = (letters[:, 1:] != letters[:, :-1], letters[:, :, 1:] != letters[:, :, :-1])
    return float(np.concatenate([each.ravel() for each in differ]).mean())


@cache
def rotations() -> tuple[Array, ...]:
    """Return the rotations (3, 3) of a whole cube in space, each like one of `orientations`."""
    return tuple(
        np.array([FACE_AXES[held.place_of(face)].normal for face in "RUF"], dtype=np.float64).T
        for held in orientations()
    )


@cache
def _grid_points() -> Array:
    """Return (54, 25, 3) mm: points spread over each facelet."""
    across, down = (axis.ravel() for axis in np.meshgrid(_GRID, _GRID))
    return np.array([facelet_point(facelet, across, down) for facelet in range(54)])
