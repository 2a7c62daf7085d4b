"""The copies of a picture in which faces are looked for, and what makes their finds believed."""

from dataclasses import replace

import numpy as np
import pytest

from vision.faces.continuation import CELL, LINES, SIDE, START, continues_beyond
from vision.faces.copies import COPIES, PIXELS_OF, PictureCopy, framed_small, small
from vision.faces.face_score import SURE_SCORE
from vision.faces.finder import CopyFace, likeliest
from vision.faces.lattice import Lattice


@pytest.mark.parametrize("make", COPIES)
def test_a_copy_knows_where_its_pixels_lie_in_the_picture(make) -> None:
    for size in ((480, 640), (640, 480), (1080, 1920), (90, 120), (1, 1), (3, 900)):
        copy = make(np.zeros((*size, 3), np.uint8))
        if copy is None:
            assert max(size) <= 320
            continue
        assert copy.image.dtype == np.uint8
        margin = copy.margin_px
        height, width = (n - 2 * margin for n in copy.image.shape[:2])
        corners = np.array([(-0.5, -0.5), (width - 0.5, height - 0.5)]) + margin
        there = copy.to_picture(corners)
        assert np.abs(there[0] + 0.5).max() < 1e-9
        assert np.abs(there[1] + 0.5 - size[::-1]).max() <= 0.6 / copy.scale


GRID = np.array([(column, row) for row in range(3) for column in range(3)], dtype=np.float64)
BLANK = PictureCopy(np.zeros((8, 8, 3), np.uint8), 1.0, plain=True)
LATTICE = Lattice(np.eye(3), np.ones((3, 3)), around=0, strays=0, miss=0.0, unlike=0.0)
SMALL, FRAMED_SMALL = COPIES.index(small), COPIES.index(framed_small)
OTHERS = [number for number in set(PIXELS_OF) if number != SMALL]


def found(score: float, number: int = SMALL, at: tuple[float, float] = (0.0, 0.0)) -> CopyFace:
    return CopyFace(score, LATTICE, BLANK, number, 30.0 * GRID + at)


def test_what_several_copies_show_is_likelier_than_what_one_shows() -> None:
    assert likeliest([]) is None
    assert likeliest([found(-np.inf), found(-5.0)]) is None
    alone = found(1.5, at=(200.0, 0.0))
    agreed = [found(1.0, OTHERS[0]), found(0.5, OTHERS[1], at=(3.0, -3.0)), found(0.2, OTHERS[2])]
    best, score = likeliest([alone, *agreed]) or pytest.fail("nothing is found")
    assert best is agreed[0]
    assert 1.5 < score < 3.0


def test_who_adds_nothing() -> None:
    for what, other in {
        "the same pixels in a margin": found(0.5, FRAMED_SMALL),
        "the same copy": found(0.5, SMALL),
        "shifted by a sticker": found(0.5, OTHERS[0], at=(30.0, 0.0)),
        "hardly a face": found(-1.5, OTHERS[0]),
    }.items():
        best, score = likeliest([found(1.0), other]) or pytest.fail("nothing is found")
        assert best.score == score == 1.0, what


def test_two_rows_are_never_sure_and_three_books_in_a_row_no_face() -> None:
    high = found(SURE_SCORE + 2.0)
    assert high.sure
    assert not found(SURE_SCORE - 0.1).sure
    two_rows = np.repeat([[1.0], [1.0], [0.0]], 3, axis=1)
    assert not replace(high, lattice=replace(LATTICE, voters=two_rows)).sure
    for whole, is_face in ((0, False), (1, False), (2, True)):
        voters = np.full(9, 0.5)
        voters[:whole] = 1.0
        parts = replace(LATTICE, voters=voters.reshape(3, 3))
        books = [replace(found(2.0, number), lattice=parts) for number in (SMALL, *OTHERS)]
        _, score = likeliest(books) or pytest.fail("nothing is found")
        assert np.isfinite(score) == is_face


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


def test_a_floor_continues_and_a_face_does_not() -> None:
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
        assert continues_beyond(straightened(grout=grout, beyond=beyond), seen).tolist() == [on]
