"""Floors go on beyond nine of their tiles, faces of cubes do not."""

import numpy as np

from vision.faces.continuation import goes_on
from vision.faces.straight import CELL, LINES, SIDE, START


def straightened(*, grout: float, beyond: slice | None) -> np.ndarray:
    """Nine light squares with dark lines between them; the lines go on into a part of the strip."""
    picture = np.full((1, SIDE, SIDE, 3), 128.0)
    picture[..., 0] = 70.0
    pattern = picture.copy()
    for line in LINES:
        pattern[:, :, line - 1 : line + 1, 0] = grout
        pattern[:, line - 1 : line + 1, :, 0] = grout
    inner = slice(START, START + 3 * CELL)
    picture[:, inner, inner] = pattern[:, inner, inner]
    if beyond is not None:
        picture[:, :, beyond] = pattern[:, :, beyond]
    return picture


def test_a_floor_goes_on_and_a_face_does_not() -> None:
    """Lines at one side are another face's; with one side in sight nothing is said."""
    for grout, beyond, sides, on in (
        (20.0, slice(None), (0, 1, 2, 3), True),
        (20.0, None, (0, 1, 2, 3), False),
        (55.0, slice(0, START - 3), (0, 1, 2, 3), False),
        (20.0, slice(None), (0, 1), True),
        (20.0, slice(None), (1,), False),
        (20.0, slice(None), (), False),
    ):
        seen = np.isin(np.arange(4), sides)[None]
        assert goes_on(straightened(grout=grout, beyond=beyond), seen).tolist() == [on]


WHITE, GREEN, GREY = (90.0, 128.0, 128.0), (55.0, 80.0, 165.0), (35.0, 128.0, 128.0)
