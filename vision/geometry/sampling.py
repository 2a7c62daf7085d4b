"""The colour of a sticker from the pixels inside its outline."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_index
from vision.colours.colour_spaces import bgr_to_lab
from vision.errors import VisionError
from vision.frame import Frame

if TYPE_CHECKING:
    from vision.geometry.view import View

# A sticker is sampled at this many by this many points, whatever its size in pixels; at fewer if
# pictures are only compared.
GRID, _FEW_POINTS = 14, 5
# The outer part of an outline contains the border of the sticker, its rounded corners and the black
# plastic.
INNER_PART = 0.62
# A patch of a view was drawn inside the sticker by hand or from geometry.
VIEW_PART = 0.8
# Of the points in a sticker, sorted by lightness, this share is glare or print at the bright end …
GLARE_SHARE = 0.25
# … and this share is scratches, print and border at the dark end.
DARK_SHARE = 0.15
# Above this lightness a sticker is overexposed; its rim is searched between these shares, if that
# many points are there.
CLIPPED_L = 96.5
RIM_L = (50.0, 96.0)
LEAST_RIM_POINTS = 12


def as_bgr8(image: NDArray[Any]) -> NDArray[np.uint8]:
    """Convert the pixels of image files and cameras to 8-bit BGR.

    Args:
        image: (h, w), (h, w, 1), (h, w, 3) or (h, w, 4), uint8 or uint16 full range; alpha is
            dropped.

    Returns:
        (h, w, 3) uint8, blue, green, red.

    Raises:
        VisionError: Any other shape or type, or no pixels.
    """
    array = np.asarray(image)
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.dtype == np.uint16:
        array = (array >> 8).astype(np.uint8)
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or channels not in (1, 3, 4):
        raise VisionError(
            f"cannot read a picture of shape {array.shape} and type {array.dtype}; give 8 or "
            "16 bits per channel, grey, BGR or BGR with alpha"
        )
    if array.size == 0:
        raise VisionError("the picture has no pixels")
    if channels == 1:
        array = np.repeat(array.reshape(*array.shape[:2], 1), 3, axis=2)
    return np.ascontiguousarray(array[:, :, :3])


def sample_polygons(
    image_bgr: NDArray[np.uint8], polygons: NDArray[np.float64], inner_part: float = INNER_PART
) -> NDArray[np.float64]:
    """Measure the colours inside quadrilaterals, robust to glare, print and imprecise outlines.

    Takes a grid of points inside each shrunk outline, drops the brightest quarter (glare) and the
    darkest part (border, print), and takes the median of the rest.

    Args:
        image_bgr: (h, w, 3) uint8.
        polygons: (k, 4, 2) finite pixels, in order around each patch; may extend beyond the
            picture.
        inner_part: Side of the region sampled as a share of the outline's side.

    Returns:
        (k, 3) CIELAB (D65, L 0..100); NaN if no pixel of the patch is in the picture.
    """
    labs, inside = _grid_points(image_bgr, polygons, inner_part, GRID)
    whole = inside.all(axis=1)
    colours = np.empty((len(polygons), 3))
    colours[whole] = _robust_colours(image_bgr, polygons[whole], labs[whole])
    for number in np.flatnonzero(~whole):
        one = slice(number, number + 1)
        colours[one] = _robust_colours(image_bgr, polygons[one], labs[one, inside[number]])
    return colours


def _robust_colours(
    image_bgr: NDArray[np.uint8], polygons: NDArray[np.float64], labs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the colour of each polygon, (k, 3), from its points, (k, n, 3) CIELAB, all at once."""
    count = labs.shape[1]
    if count == 0:
        return np.full((len(polygons), 3), np.nan)
    order = np.argsort(labs[..., 0], axis=1, kind="stable")[..., None]
    first, end = int(count * DARK_SHARE), max(1, count - int(count * GLARE_SHARE))
    middles = np.median(np.take_along_axis(labs, order, axis=1)[:, first:end], axis=1)
    for number in np.flatnonzero(middles[:, 0] > CLIPPED_L):
        middles[number] = _rim_colour(image_bgr, polygons[number], middles[number])
    return np.asarray(middles)


def _rim_colour(
    image_bgr: NDArray[np.uint8], polygon: NDArray[np.float64], clipped: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Take the hue of an overexposed sticker from its rim.

    If every channel clips, white and yellow look alike. At the rim the camera's blur darkens the
    sticker below clipping, and its hue is still visible there.
    """
    labs, inside = _grid_points(image_bgr, polygon[None], 1.0, 2 * GRID)
    points = labs[inside]
    lit = points[(points[:, 0] > RIM_L[0]) & (points[:, 0] < RIM_L[1])]
    if len(lit) < LEAST_RIM_POINTS:
        return clipped
    return np.array([clipped[0], *np.median(lit[:, 1:], axis=0)])


def _grid_points(
    image_bgr: NDArray[np.uint8], polygons: NDArray[np.float64], inner_part: float, grid: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return CIELAB colours, (k, n, 3), of a grid of points in each polygon; which are visible."""
    steps = (np.arange(grid) + 0.5) / grid * inner_part + (1.0 - inner_part) / 2.0
    u, v = np.meshgrid(steps, steps)
    weights = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=-1)
    points = np.rint(weights.reshape(-1, 4) @ polygons).astype(np.int64)
    x, y = points[..., 0], points[..., 1]
    height, width = image_bgr.shape[:2]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return bgr_to_lab(image_bgr[y.clip(0, height - 1), x.clip(0, width - 1)]), inside


def sample_view(frames: Sequence[Frame], views: Sequence["View"]) -> NDArray[np.float64]:
    """Read the colour of every facelet that fixed cameras see.

    Args:
        frames: One picture per view, in the views' order.
        views: The places of the facelets.

    Returns:
        (54, 3) CIELAB; NaN for facelets that are in no view.

    Raises:
        VisionError: A frame is missing, or its size differs from that of its view.
    """
    patches: dict[int, list[NDArray[np.float64]]] = {}
    for number, view in enumerate(views):
        if number >= len(frames):
            raise VisionError(
                f"there are {len(views)} views, but only {len(frames)} pictures; give one for each"
            )
        frame = frames[number]
        if tuple(view.image_size) != frame.size:
            raise VisionError(
                f"{frame.source} is {frame.size[0]}×{frame.size[1]} pixels, but its view "
                f"was made for {view.image_size[0]}×{view.image_size[1]}; set the camera "
                "to that size or measure the view again"
            )
        every = [(facelet.name, patch) for facelet in view.facelet for patch in facelet.polygons]
        # All patches of a picture at once: one at a time takes four times as long.
        outlines = np.array([patch for _, patch in every]).reshape(-1, 4, 2)
        labs = sample_polygons(frame.image, outlines, VIEW_PART)
        for (name, _), lab in zip(every, labs, strict=True):
            patches.setdefault(facelet_index(name), []).append(lab)
    labs = np.full((54, 3), np.nan)
    for index, seen in patches.items():
        labs[index] = fuse_patches(np.array(seen))
    return labs


def mean_colours(frame: Frame, view: "View") -> NDArray[np.float64]:
    """Return about the colour of every facelet that a camera sees, in a thirtieth of the time.

    For comparing pictures with one another: reflections and prints are not left out, and only the
    first patch of each facelet counts.

    Args:
        frame: A picture of the view's size.
        view: The places of the facelets.

    Returns:
        (54, 3) CIELAB; NaN for facelets that are not in the view.
    """
    polygons = np.array([facelet.polygons[0] for facelet in view.facelet], dtype=np.float64)
    points, _ = _grid_points(frame.image, polygons, VIEW_PART, _FEW_POINTS)
    colours = np.full((54, 3), np.nan)
    colours[[facelet_index(facelet.name) for facelet in view.facelet]] = points.mean(axis=1)
    return colours


def fuse_patches(labs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Combine the colours of several patches of one sticker.

    A reflection covers some of the patches and only adds white light, so the patches that are
    darker than the median count.

    Args:
        labs: (n, 3) CIELAB, rows of NaN ignored.

    Returns:
        (3,) CIELAB, NaN if there is no patch.
    """
    seen = labs[np.isfinite(labs).all(axis=1)]
    if len(seen) == 0:
        return np.full(3, np.nan)
    dark = seen[np.argsort(seen[:, 0], kind="stable")][: (len(seen) + 1) // 2]
    return np.asarray(np.median(dark, axis=0))
