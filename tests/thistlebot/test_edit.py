import io
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from cube.facelets import Facelets, facelet_name
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from thistlebot.edit import edit_reading, parse_corrections
from thistlebot.errors import MisreadError, UnsolvableCubeError
from thistlebot.refusal import refusal
from thistlebot.show import Screen
from vision.colour_model import NAMED_COLOURS
from vision.decode import decode
from vision.errors import VisionError
from vision.reading import CubeReading, ReadingState


def reading_of(truth: Facelets, hidden: int) -> CubeReading:
    colours = np.array([NAMED_COLOURS[WESTERN_SCHEME[face]] for face in FACES])
    labs = colours[[FACES.index(letter) for letter in truth.text]]
    labs = labs + np.random.default_rng(0).normal(0, 2.0, (54, 3))
    labs[[i for i in range(hidden) if i % 9 != 4]] = np.nan
    return decode(labs)


def screen() -> Screen:
    quiet = Screen()
    quiet.out = quiet.err = Console(file=io.StringIO(), soft_wrap=True)
    return quiet


def test_stickers_are_typed_until_it_is_a_cube() -> None:
    truth = random_state(np.random.default_rng(1)).to_facelets()
    reading = reading_of(truth, 27)
    assert not reading.accepted
    names = [f"{facelet_name(i)}={truth.text[i]}" for i in range(27) if i % 9 != 4]
    lines = iter(["nonsense", "U1=pink", " ".join(names), ""])
    edited = edit_reading(reading, screen(), lambda _prompt: next(lines))
    assert edited.facelets == truth


def test_giving_up_leaves_the_reading_as_it_was() -> None:
    reading = reading_of(random_state(np.random.default_rng(2)).to_facelets(), 27)
    assert edit_reading(reading, screen(), lambda _prompt: "q") == reading

    def closed(_prompt: str) -> str:
        raise EOFError

    assert edit_reading(reading, screen(), closed) == reading


def test_letters_and_colours_are_understood() -> None:
    told = parse_corrections("u3=r, F2=orange B9=white", WESTERN_SCHEME)
    assert told == {"U3": "R", "F2": "L", "B9": "U"}
    with pytest.raises(VisionError, match="U3"):
        parse_corrections("U3", WESTERN_SCHEME)


def test_every_refusal_says_what_to_do() -> None:
    doubtful = reading_of(random_state(np.random.default_rng(3)).to_facelets(), 27)
    assert isinstance(refusal(doubtful), MisreadError)
    assert "again" in str(refusal(doubtful))
    assert "mirror" in str(refusal(replace(doubtful, mirrored=True)))
    ambiguous = replace(doubtful, state=ReadingState.AMBIGUOUS, alternatives=(doubtful.best,))
    assert "2 different cubes" in str(refusal(ambiguous))
    wrong = replace(doubtful, state=ReadingState.MISASSEMBLED)
    assert isinstance(refusal(wrong), UnsolvableCubeError)
    assert "assembled wrongly" in str(refusal(wrong))
