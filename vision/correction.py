"""Correcting a reading by hand: a few stickers are told, all others stay as they were read."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cube.facelets import Facelets, facelet_index, facelet_name
from cube.laws import examine
from cube.moves import FACES
from vision.classify import facelets_of
from vision.errors import VisionError
from vision.legal_search import search_legal
from vision.piece_costs import piece_costs, piece_labels
from vision.reading import CubeReading, ReadingState, Repair

# A sticker that was told is certain: any other colour costs this many nats.
_TOLD = 200.0


def doubtful_stickers(reading: CubeReading, most: int = 6) -> tuple[str, ...]:
    """Name the stickers whose correction tells most, the most doubtful first.

    Those that were repaired or not seen come first, then the least confident ones; centres are
    never asked for.
    """
    repaired = {repair.facelet for repair in reading.repairs}
    order = sorted(
        (sticker for sticker in reading.stickers if sticker.facelet % 9 != 4),
        key=lambda sticker: (sticker.facelet not in repaired, sticker.confidence),
    )
    return tuple(facelet_name(sticker.facelet) for sticker in order[:most])


def correct(reading: CubeReading, told: Mapping[str, str]) -> CubeReading:
    """Read again with some stickers told by a person.

    The likeliest legal cube that has all told stickers is found; how likely colours are elsewhere
    follows from what each sticker looked like and how sure that was.

    Args:
        reading: what the cameras saw.
        told: facelet name (`U1`) to face letter (URFDLB). Corrections add up: give all that were
            told so far.

    Returns:
        The corrected reading. It is accepted when every sticker that speaks for another colour was
        told, or when no sticker contradicts any more.

    Raises:
        VisionError: a facelet or a letter does not exist, or a centre is told another colour.
        InvalidCubeError: there is no such facelet.
    """
    costs = _costs(reading)
    for name, letter in told.items():
        place = facelet_index(name)
        if letter not in FACES or len(letter) != 1:
            raise VisionError(f"{name} = {letter!r}: the letters are {' '.join(FACES)}")
        if place % 9 == 4 and letter != FACES[place // 9]:
            raise VisionError(f"{name} is the centre of face {FACES[place // 9]} and stays so")
        costs[place] = _TOLD
        costs[place, FACES.index(letter)] = 0.0
    shown = list(reading.proposal.text)
    for name, letter in told.items():
        shown[facelet_index(name)] = letter
    typed = Facelets("".join(shown))
    if examine(typed).solvable:  # nothing is left to repair
        return _corrected(reading, typed, typed, _TOLD)
    found = search_legal(*piece_costs(costs))
    best = facelets_of(piece_labels(found.corners, found.edges))
    return _corrected(reading, best, typed, found.margin if _obeys(best, told) else 0.0)


def _obeys(best: Facelets, told: Mapping[str, str]) -> bool:
    return all(best.text[facelet_index(name)] == letter for name, letter in told.items())


def _costs(reading: CubeReading) -> np.ndarray:
    """(54, 6) nats from what the reading says of every sticker."""
    costs = np.zeros((54, 6))
    for sticker in reading.stickers:
        looked = reading.proposal.text[sticker.facelet]
        sure = float(np.clip(sticker.confidence, 0.5, 1.0 - 1e-4))
        strength = np.log(sure / (1.0 - sure)) + 1.0 if sticker.seen else 0.0
        costs[sticker.facelet] += strength
        costs[sticker.facelet, FACES.index(looked)] -= strength
    return costs


def _corrected(reading: CubeReading, best: Facelets, typed: Facelets, margin: float) -> CubeReading:
    from vision.decode import MARGIN_THRESHOLD  # noqa: PLC0415 - decode is heavy, its number is not

    repairs = tuple(
        Repair(i, typed.text[i], best.text[i]) for i in range(54) if typed.text[i] != best.text[i]
    )
    trusted = margin >= MARGIN_THRESHOLD and not reading.mirrored
    state = ReadingState.ASK_AGAIN
    if trusted:
        state = ReadingState.REPAIRED if repairs else ReadingState.SURE
    return replace(
        reading,
        state=state,
        best=best,
        proposal=typed,
        margin=margin,
        repairs=repairs,
        problems=() if trusted else examine(typed).problems,
        reread=() if trusted else reading.reread,
        suspicion=None,
        alternatives=(),
        stickers=tuple(
            replace(sticker, colour=letter)
            for sticker, letter in zip(reading.stickers, best.text, strict=True)
        ),
    )
