"""Floors go on beyond nine of their tiles, faces of cubes do not."""

import numpy as np

from vision.faces.continuation import goes_on, two_coloured
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


def test_a_grainy_place_has_no_lines() -> None:
    rng = np.random.default_rng(1)
    grainy = rng.normal(128.0, 25.0, (40, SIDE, SIDE, 3))
    assert goes_on(grainy, np.ones((40, 4), np.bool_)).sum() <= 2


WHITE, GREEN, GREY = (90.0, 128.0, 128.0), (55.0, 80.0, 165.0), (35.0, 128.0, 128.0)


def checkered(beyond: tuple[float, float, float] | None, *, diagonal: bool = False) -> np.ndarray:
    """A chessboard, or nine of its squares, or squares along its diagonals, before a colour."""
    y, x = (np.indices((SIDE, SIDE)) - START) / CELL
    if diagonal:
        x, y = x + y + 0.5, x - y + 0.5
    odd = (np.floor(x) + np.floor(y)).astype(int) % 2 == 1
    picture = np.where(odd[:, :, None], GREEN, WHITE)
    if beyond is not None:
        picture[:START] = picture[-START:] = picture[:, :START] = picture[:, -START:] = beyond
    return picture[None]


def middles(straight: np.ndarray) -> np.ndarray:
    at = [START + CELL // 2 + CELL * place for place in range(3)]
    return straight[:, at][:, :, at].reshape(-1, 9, 3)


def test_a_chessboard_has_its_two_colours_all_around() -> None:
    cut = checkered(GREY)
    cut[:, :START] = cut[:, START : START + 1]
    cut[:, :, :START] = cut[:, :, START : START + 1]
    for what, straight, on in (
        ("a chessboard", checkered(None), True),
        ("along its diagonals", checkered(None, diagonal=True), True),
        ("a face before a wall", checkered(GREY), False),
        ("a face before a wall of its second colour", checkered(GREEN), False),
        ("a face that two borders cut", cut, False),
        ("nothing", np.full((1, SIDE, SIDE, 3), 128.0), False),
    ):
        noisy = straight + np.random.default_rng(2).normal(0.0, 5.0, straight.shape)
        assert two_coloured(straight, middles(straight)).tolist() == [on], what
        assert two_coloured(noisy, middles(straight)).tolist() == [on], what
