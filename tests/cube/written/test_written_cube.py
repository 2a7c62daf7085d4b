"""Cubes as people write them: read as themselves, or refused, never as another cube."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_cubes import (
    CIRCLES,
    CUBE,
    DIGITS,
    JAPANESE,
    MIRRORED,
    READ,
    REFUSED,
    S4,
    SQUARES,
    WESTERN,
    Form,
    pattern,
    rotated,
    rows,
    written,
)

from cube.errors import InvalidCubeError
from cube.facelets import SOLVED_FACELETS, Facelets
from cube.laws import examine
from cube.moves import FACES
from cube.patterns import PATTERNS
from cube.random_states import random_state
from cube.state import CubeState
from cube.written.face_mistakes import find_mistakes, turned_faces
from cube.written.face_orders import USUAL_ORDERS, FaceOrder
from cube.written.written_cube import AmbiguousCubeError, WrittenCube

ALPHABETS = (FACES, WESTERN, S4.lower(), JAPANESE, MIRRORED, DIGITS, SQUARES, CIRCLES, "abcxyz")
ORDERS = tuple(order.name for order in USUAL_ORDERS)


def test_each_form_is_read_as_the_cube_that_it_shows() -> None:
    wrong = []
    for form in READ:
        cube = WrittenCube.parse(form.text, form.order)
        scheme = cube.scheme or {"U": "", "F": ""}
        told = (cube.facelets, scheme["U"], scheme["F"], cube.order.name)
        if told != (CUBE, form.up, form.front, form.found):
            wrong.append((form, told))
    assert not wrong
    assert len(READ) + len(REFUSED) >= 40


def test_other_texts_are_refused_or_break_a_law() -> None:
    for form in REFUSED:
        if form.refused == 2:
            with pytest.raises(InvalidCubeError):
                WrittenCube.parse(form.text, form.order)
        else:
            assert not examine(WrittenCube.parse(form.text, form.order).facelets).solvable


states = st.integers(0, 2**32).map(lambda seed: random_state(np.random.default_rng(seed)))
shapes = st.sampled_from(("", " ", ",", "\n", "|")).flatmap(
    lambda between: st.sampled_from((1, 3, 9)).map(lambda size: (between, size))
)


def outcome(
    facelets: Facelets, order: str, alphabet: str, text: str, given_order: str | None = None
) -> str:
    """Read a text of a cube: it must be ``read`` as that cube, or ``asked`` about."""
    try:
        cube = WrittenCube.parse(text, given_order)
    except AmbiguousCubeError as error:
        return "asked" if order in error.orders else "misread"
    centres = () if alphabet == FACES else tuple(alphabet)
    true = WrittenCube(facelets, FaceOrder.named(order), centres)
    return "read" if cube.same_as(true) else "misread"


@settings(max_examples=100)
@given(
    states, st.sampled_from(ORDERS), st.permutations(range(6)), st.sampled_from(ALPHABETS), shapes
)
def test_a_cube_in_any_order_alphabet_and_shape_is_read_as_itself_or_asked_about(
    state: CubeState, order: str, colours: list[int], alphabet: str, shape: tuple[str, int]
) -> None:
    facelets = state.to_facelets()
    if alphabet != FACES:
        alphabet = "".join(alphabet[number] for number in colours)
    between, size = shape
    text = between.join(rows(written(facelets, order, alphabet), size))
    assert outcome(facelets, order, alphabet, text) == "read"


slips = st.lists(
    st.tuples(
        st.integers(0, 300), st.integers(0, 2), st.sampled_from("URfw1:=,'\n \x1b[🟥?\ufeff")
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=300)
@given(st.sampled_from(READ), slips)
def test_slips_of_the_keyboard_never_make_another_cube(
    form: Form, made: list[tuple[int, int, str]]
) -> None:
    text = form.text
    for place, dropped, character in made:
        at = place % len(text)
        text = text[:at] + character + text[at + dropped :]
    try:
        cube = WrittenCube.parse(text, form.order)
    except InvalidCubeError:
        return
    assert cube.facelets == CUBE or not examine(cube.facelets).solvable


def test_symmetrical_cubes_are_read_as_themselves_or_asked_about() -> None:
    cubes = [SOLVED_FACELETS, *(pattern.state.to_facelets() for pattern in PATTERNS)]
    found = Counter()
    for facelets in cubes:
        for order in ORDERS:
            for alphabet in (FACES, WESTERN):
                text = written(facelets, order, alphabet)
                found[outcome(facelets, order, alphabet, text)] += 1
                assert outcome(facelets, order, alphabet, text, order) == "read"
    assert found["misread"] == 0
    assert found["read"] > found["asked"] > 0


def test_a_cube_with_a_twisted_corner_is_read_in_its_order() -> None:
    corner = [8, 9, 20]
    stickers = list(CUBE.text)
    for place, sticker in zip(corner, [CUBE.text[i] for i in (20, 8, 9)], strict=True):
        stickers[place] = sticker
    twisted = Facelets("".join(stickers))
    for order in ORDERS:
        cube = WrittenCube.parse(written(twisted, order, WESTERN))
        assert (cube.facelets, cube.order.name) == (twisted, order)


def test_the_place_of_a_wrong_sticker_is_named() -> None:
    for text, order, place in (
        (CUBE.text[:20] + "X" + CUBE.text[21:], None, "character 21"),
        (
            "\n".join(rows(written(CUBE, alphabet=DIGITS)[:-1] + "7", 9)),
            None,
            "line 6, character 9",
        ),
        (f"U: {CUBE.face('U')}\nside: {CUBE.face('R')}", None, "line 2, character 1"),
    ):
        with pytest.raises(InvalidCubeError, match=place):
            WrittenCube.parse(text, order)


def mirrored(face: str) -> Facelets:
    """Mirror the stickers of a face of the cube, as a mistake in writing does."""
    parts = {f: CUBE.face(f) for f in FACES}
    parts[face] = "".join(row[::-1] for row in rows(parts[face], 3))
    return Facelets("".join(parts.values()))


def test_faces_that_are_rotated_exchanged_or_mirrored_are_found() -> None:
    exchanged = WrittenCube.parse(written(CUBE, "UBFDLR", WESTERN), FACES).facelets
    cycled = WrittenCube.parse(written(CUBE, "RFUDLB", WESTERN), FACES).facelets
    for facelets, kind, faces in (
        (rotated(CUBE, "F"), "turned", ("F",)),
        (rotated(rotated(CUBE, "L"), "U"), "turned", ("U", "L")),
        (mirrored("R"), "mirrored", ("R",)),
        (exchanged, "exchanged", ("R", "B")),
        (cycled, "", ()),
    ):
        found = find_mistakes(facelets)
        assert [(each.kind, each.faces) for each in found] == ([(kind, faces)] if kind else [])
        assert all(each.facelets == CUBE for each in found)
    assert [each.facelets for each in turned_faces(SOLVED_FACELETS)] == [SOLVED_FACELETS]  # once


def test_rotated_faces_are_read_only_on_request_and_only_if_one_cube_fits() -> None:
    text = rotated(CUBE, "F").text
    assert not examine(WrittenCube.parse(text).facelets).solvable
    cube = WrittenCube.parse(text, any_orientation=True)
    assert (cube.facelets, bool(cube.turned)) == (CUBE, True)
    assert WrittenCube.parse(CUBE.text, any_orientation=True) == WrittenCube(CUBE)
    with pytest.raises(AmbiguousCubeError):
        WrittenCube.parse(rotated(pattern("tetris"), "U").text, any_orientation=True)
