"""Correcting a reading by what a person types."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from even_light import decode_lab, seen
from rich.console import Console

from cube.facelets import Facelets, facelet_name
from cube.laws import Orbit
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from thistlebot.errors import MisreadError, UnsolvableCubeError
from thistlebot.reading.refusal import refusal
from thistlebot.terminal.edit import edit_reading, parse_line
from thistlebot.terminal.screen import Screen
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.profile import ColourProfile
from vision.decoding.correction import Correction, correct
from vision.errors import VisionError
from vision.reading import CubeReading, ReadingState, StickerPlace


def reading_of(truth: Facelets, hidden: int) -> CubeReading:
    labs = seen(truth, np.random.default_rng(0), noise=2.0)
    labs[[i for i in range(hidden) if i % 9 != 4]] = np.nan
    return decode_lab(labs)


def screen() -> Screen:
    quiet = Screen()
    quiet.out = quiet.err = Console(file=io.StringIO(), soft_wrap=True)
    return quiet


def test_stickers_are_typed_until_it_is_a_cube_or_somebody_gives_up() -> None:
    truth = random_state(np.random.default_rng(1)).to_facelets()
    reading = reading_of(truth, 27)
    assert not reading.accepted
    names = [f"{facelet_name(i)}={truth.text[i]}" for i in range(27) if i % 9 != 4]
    wrong_centre = "U5=R" if truth.text[4] == "U" else "U5=U"

    def closed(_prompt: str) -> str:
        raise EOFError

    for gives_up in (lambda _prompt: "q", closed):
        assert edit_reading(reading, screen(), gives_up) == reading
    lines = iter(["nonsense", "U1=pink", "Z9=R", wrong_centre, " ".join(names), ""])
    assert edit_reading(reading, screen(), lambda _prompt: next(lines)).facelets == truth


def test_letters_and_colours_are_understood_and_what_makes_no_sense_is_said() -> None:
    reading = reading_of(random_state(np.random.default_rng(1)).to_facelets(), 0)
    said = parse_line("u3=r, F2 = orange B9=white", Correction(), reading)
    assert said.letters() == {"U3": "R", "F2": "L", "B9": "U"}
    assert parse_line("turn F 90", Correction(), reading) == Correction().turning("F", 1)
    assert parse_line("TURN green +90°", Correction(), reading) == Correction().turning("F", 1)
    assert parse_line("turn f -90", Correction(), reading) == Correction().turning("F", 3)
    assert parse_line("swap white r", Correction(), reading) == Correction().exchanging("U", "R")
    both = parse_line("turn F 180, swap F B, B1=green", Correction(), reading)
    assert both == Correction().turning("F", 2).exchanging("F", "B").telling({"B1": "B"})
    for line, data in (
        ("U3", "'U3'"),
        ("U3=pink", "white red"),
        ("U5=R", "U5"),
        ("turn", "'turn'"),
        ("turn F", "'turn F'"),
        ("turn F 45", "270"),
        ("turn X 90", "'turn X 90'"),
        ("swap U", "'swap U'"),
        ("swap U U3=R", "U R"),
        ("swap U white", "U"),
    ):
        with pytest.raises(VisionError, match=data):
            parse_line(line, Correction(), reading)


def test_every_refusal_has_its_class() -> None:
    doubtful = reading_of(random_state(np.random.default_rng(3)).to_facelets(), 27)
    ambiguous = replace(doubtful, state=ReadingState.AMBIGUOUS, alternatives=(doubtful.best,))
    said = [refusal(each) for each in (doubtful, replace(doubtful, mirrored=True), ambiguous)]
    assert all(isinstance(each, MisreadError) for each in said)
    assert len(set(map(str, said))) == 3
    assert re.search(r"\b2\b", str(said[2]))  # cubes fit
    wrong = replace(doubtful, state=ReadingState.MISASSEMBLED)
    assert isinstance(refusal(wrong), UnsolvableCubeError)


def test_corrections_go_with_the_profile_of_the_reading() -> None:
    """In odd light the profile tells more than the usual colours, and so the margin differs."""
    truth = random_state(np.random.default_rng(5)).to_facelets()
    odd = {face: NAMED_COLOURS[WESTERN_SCHEME[face]] for face in FACES}
    odd |= {"L": (62.0, 55.0, 45.0), "U": (80.0, 8.0, 25.0)}
    profile = ColourProfile(name="hall", created="2026-01-01", scheme=WESTERN_SCHEME, colours=odd)
    labs = np.array([odd[letter] for letter in truth.text])
    labs = labs + np.random.default_rng(0).normal(0, 4.0, (54, 3))
    reading = replace(decode_lab(labs, profile), state=ReadingState.ASK_AGAIN)
    lines = iter([f"U1={truth.text[0]}", "q"])
    edited = edit_reading(reading, screen(), lambda _prompt: next(lines), profile)
    told = Correction().telling({"U1": truth.text[0]})
    assert edited.margin == pytest.approx(correct(reading, told, profile).margin)
    assert edited.margin != pytest.approx(correct(reading, told).margin, rel=0.001)


def test_enter_takes_what_is_shown_or_a_mistake_undone_and_no_cube_that_is_none() -> None:
    """A margin may be too small for the program; of a twisted corner Enter names the law."""
    truth = random_state(np.random.default_rng(4)).to_facelets()
    unsure = replace(reading_of(truth, 0), state=ReadingState.ASK_AGAIN, margin=1.0)
    turned = np.array([s.lab for s in reading_of(truth, 0).stickers]).reshape(6, 9, 3)
    turned[2] = np.rot90(turned[2].reshape(3, 3, 3), 2).reshape(9, 3)
    mistaken = decode_lab(turned.reshape(54, 3))
    assert re.search(r"\bF\b", str(refusal(mistaken)))
    for reading in (unsure, mistaken):
        assert edit_reading(reading, screen(), lambda _prompt: "").facelets == truth
    twisted = reading_of(random_state(np.random.default_rng(3), Orbit(2, 0, 0)).to_facelets(), 0)
    lines = iter(["", "", "q"])
    assert edit_reading(twisted, screen(), lambda _prompt: next(lines)) == twisted
    assert not twisted.accepted
    assert next(lines, None) is None  # it was asked for again twice


def shown_wrongly(truth: Facelets, noise: float = 2.0) -> CubeReading:
    """Pictures of a cube: F turned to the left, U and R exchanged, B upside down."""
    labs = seen(truth, np.random.default_rng(0), noise).reshape(6, 9, 3)
    labs[2] = np.rot90(labs[2].reshape(3, 3, 3), 1).reshape(9, 3)
    labs[5] = np.rot90(labs[5].reshape(3, 3, 3), 2).reshape(9, 3)
    labs[[0, 1]] = labs[[1, 0]]
    places = [StickerPlace((((i, 0), (i + 1, 0), (i + 1, 1), (i, 1)),), i // 9) for i in range(54)]
    return decode_lab(labs.reshape(54, 3)).placed(places)


def test_faces_are_turned_and_exchanged_until_the_cube_is_sure() -> None:
    truth = random_state(np.random.default_rng(8)).to_facelets()
    reading = shown_wrongly(truth)
    assert not reading.accepted
    lines = iter(["turn F 45", "turn F 90", "swap U R", "turn B 180", "not asked for"])
    edited = edit_reading(reading, screen(), lambda _prompt: next(lines))
    assert edited.facelets == truth
    assert next(lines) == "not asked for"
    assert dict(edited.scheme) == WESTERN_SCHEME
    first_of_f = edited.stickers[18]  # in the picture, which is turned to the left, at the bottom
    assert (first_of_f.camera, first_of_f.polygons[0][0][0]) == (2, 18 + 6)
    assert [sticker.camera for sticker in edited.stickers[4::9]] == [1, 0, 2, 3, 4, 5]
    assert [edited.stickers[i].polygons[0][0][0] for i in range(54)] == list(edited.cells)


def test_what_was_told_goes_with_its_sticker() -> None:
    truth = random_state(np.random.default_rng(8)).to_facelets()
    reading = shown_wrongly(truth)
    # The picture of U shows R, so its centre is told by the letter U, and its colour as well.
    said = parse_line("F7=U, turn F 90, swap U R", Correction(), reading)
    assert said.letters() == {"F1": "R"}
    again = parse_line("swap R U, turn F -90", said, reading)
    assert again == Correction().telling({"F7": "U"})
    assert again.letters() == {"F7": "U"}
