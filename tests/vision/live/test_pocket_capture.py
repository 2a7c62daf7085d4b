"""Six faces of a 2×2×2 cube that were shown as was said, and otherwise."""

import numpy as np

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.sticker_colours import StickerColours
from vision.decoding.pocket import decode_pocket
from vision.live.pocket_capture import looks_alike


def shown(seed: int, order: str) -> tuple[bool, str, str]:
    """Whether a cube whose faces are shown in this order is taken, what is read, and the truth."""
    rng = np.random.default_rng(seed)
    text = random_state(rng).to_facelets().text
    letters = [text[9 * i + cell] for i in range(6) for cell in (0, 2, 6, 8)]
    labs = np.array([NAMED_COLOURS[WESTERN_SCHEME[letter]] for letter in letters])
    labs = labs + rng.normal(0, 4, (24, 3)) + np.repeat(rng.normal(0, (8, 4, 4), (6, 3)), 4, axis=0)
    faces = dict(zip(FACES, labs.reshape(6, 4, 3), strict=True))
    reading = decode_pocket(StickerColours.of_lab(np.concatenate([faces[f] for f in order])))
    return reading.accepted and looks_alike(reading), reading.facelets, "".join(letters)


def test_a_cube_is_read_when_it_is_shown_as_was_said_and_only_then() -> None:
    """Faces that are exchanged or shown twice make no cube."""
    for seed in range(2):
        taken, read, truth = shown(seed, FACES)
        assert taken
        assert read == truth
        assert not any(shown(seed, order)[0] for order in ("ULFDRB", "URFRLB", "URFDLL"))
