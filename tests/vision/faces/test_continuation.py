"""Floors go on beyond nine of their tiles, faces of cubes do not."""

import numpy as np
import pytest

from vision.faces.continuation import goes_on
from vision.faces.straight import CELL, LINES, SIDE, START

ALL = np.ones((1, 4), np.bool_)


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
    assert goes_on(straightened(grout=20.0, beyond=slice(None)), ALL).tolist() == [True]
    assert goes_on(straightened(grout=20.0, beyond=None), ALL).tolist() == [False]


def test_lines_at_one_side_are_those_of_another_face_of_the_cube() -> None:
    assert goes_on(straightened(grout=55.0, beyond=slice(0, START - 3)), ALL).tolist() == [False]


@pytest.mark.parametrize(("sides", "on"), [((0, 1), True), ((1,), False), ((), False)])
def test_with_one_side_in_sight_nothing_is_said(sides: tuple[int, ...], on: bool) -> None:
    seen = np.isin(np.arange(4), sides)[None]
    assert goes_on(straightened(grout=20.0, beyond=slice(None)), seen).tolist() == [on]


def test_a_grainy_place_has_no_lines() -> None:
    rng = np.random.default_rng(1)
    grainy = rng.normal(128.0, 25.0, (40, SIDE, SIDE, 3))
    assert goes_on(grainy, np.ones((40, 4), np.bool_)).sum() <= 2
