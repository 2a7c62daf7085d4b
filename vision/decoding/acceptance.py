"""The rating of a decoded cube: sure, repaired, ambiguous, or to be shown again.

Some results count only if a second reading of the same cube confirms them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES
from cube.state import move_states
from vision.colours.assignment import CENTRES, nine_per_colour
from vision.colours.colour_model import seen_stickers, separation
from vision.colours.scheme import facelets_of, labels_of
from vision.decoding.attempt import Attempt
from vision.decoding.doubts import faces_to_reread, sticker_gaps, turned_pieces
from vision.reading import (
    MARGIN_THRESHOLD,
    CubeReading,
    Mistake,
    ReadingState,
    Repair,
    StickerReading,
    Suspicion,
    cube_stickers,
)

Array = NDArray[np.float64]


# A cube that turns cannot solve must fit better by this much to be suspected.
_SUSPICION_MARGIN = 4.0
# Maximum contradiction, in nats, between the stickers and an accepted cube: above it, something
# else is wrong, such as a face of another cube. Of 660 sound cubes in bad light, three exceed it;
# mistakes that nothing else detects begin at 7.6.
_MOST_CONTRADICTION = 6.0
# If two colours are nearer than this, standard deviations, noise may exchange them on two stickers;
# a cube that exchanges stickers again has a smaller margin, in proportion.
_CLEARLY_APART = 3.0
# An accepted cube is compared with mistakes of the user, too, if the stickers contradict it by this
# much, nats, or if several of them clearly show another colour: this much likelier, each.
_MUCH_CONTRADICTION, _CLEAR_CONTRADICTION, _MOST_CLEAR = 4.0, 4.0, 1
# The cube was perhaps turned between the pictures if some show it after one move better than
# before by this much, nats, in total. Three stickers in a row that are covered alike can exceed it.
_MOST_TURNED_BETWEEN = 2.0
# Maximum number of stickers that may contradict a mis-assembled cube, in total and per face.
_MOST_OFF, _MOST_OFF_A_FACE = 8, 3
# A mistake must explain the pictures worse than an accepted cube by this much.
_MISTAKE_MARGIN = 3.0


def assess(found: Attempt, names: Sequence[str]) -> CubeReading:
    """Rate the reliability of a result, and name the faces to show again.

    Args:
        found: The likeliest attempt.
        names: Colour of each picture's centre.
    """
    best, costs = found.best, found.costs
    labs = found.one_look().lab[found.placement.cells]
    by_hand = found.start.by_hand
    seen = seen_stickers(labs)
    labels = labels_of(best)
    own = costs.copy()
    # A sticker that was not seen has no opinion: it agrees with the likeliest cube.
    own[~seen, labels[~seen]] -= 1e-3
    proposal = facelets_of(nine_per_colour(own))
    repairs = tuple(
        Repair(i, proposal.text[i] if seen[i] else "", best.text[i])
        for i in range(54)
        if proposal.text[i] != best.text[i] or not (seen[i] or i % 9 == 4)
    )
    if by_hand and sum(bool(repair.looked) for repair in repairs) > 1:
        apart = float(separation(found.fit.model)[0])
        found = replace(found, margin=found.margin * min(1.0, apart / _CLEARLY_APART))
    at = np.arange(54)
    contradiction = float((own[at, labels] - own[at, labels_of(proposal)]).sum())
    shown_otherwise = by_hand and turned_between(own, labels) > _MOST_TURNED_BETWEEN
    state = _state(
        found,
        repairs,
        proposal,
        contradicted=shown_otherwise or contradiction > _MOST_CONTRADICTION,
    )
    suspicion = _credible(found.contest, proposal, seen)
    accepted = state in (ReadingState.SURE, ReadingState.REPAIRED)
    doubted = not accepted and state is not ReadingState.AMBIGUOUS
    return CubeReading(
        state=state,
        best=best,
        margin=found.margin,
        reread=faces_to_reread(costs, found.search, best, proposal, seen) if doubted else (),
        problems=() if accepted else (suspicion or examine(proposal)).problems,
        stickers=_stickers(labs, found),
        elapsed_ms=0.0,
        proposal=proposal,
        repairs=repairs,
        suspicion=suspicion,
        alternatives=found.alternatives,
        cells=tuple(int(cell) for cell in found.placement.cells),
        scheme=tuple(
            (face, names[picture])
            for face, picture in zip(FACES, found.placement.order, strict=True)
        ),
        mirrored=found.mirrored,
    )


def turned_between(costs: Array, labels: NDArray[np.intp]) -> float:
    """Return how much better some of the faces show the cube after one move, in nats.

    A person who turns a layer between two pictures shows some faces before the move and others
    after it. Often only one or two stickers differ, which would otherwise count as worn.

    Args:
        costs: (54, 6) nats, of each colour for each sticker.
        labels: (54,) the likeliest cube.
    """
    own = costs[np.arange(54), labels]
    moved = labels[_moved_stickers()]
    gains = (own - costs[np.arange(54), moved]).reshape(len(moved), 6, 9).sum(axis=2)
    return float(np.maximum(gains, 0.0).sum(axis=1).max())


@cache
def _moved_stickers() -> NDArray[np.intp]:
    """Return (18, 54): for each move, the place that each sticker comes from."""
    return np.array([move.facelet_places() for move in move_states()], dtype=np.intp)


def may_be_a_mistake(found: Attempt) -> bool:
    """Return whether the stickers contradict a cube so much that it may be a mistake of the user.

    Fingers and worn stickers can contradict it as much, so the mistake must explain them better.
    """
    costs, labels, at = found.costs, labels_of(found.best), np.arange(54)
    own = costs[at, labels]
    clear = np.delete(own - costs.min(axis=1), CENTRES) > _CLEAR_CONTRADICTION
    contradiction = float((own - costs[at, nine_per_colour(costs)]).sum())
    return int(clear.sum()) > _MOST_CLEAR or contradiction > _MUCH_CONTRADICTION


def judge(reading: CubeReading, gap: float, mistake: Mistake) -> CubeReading:
    """Compare a reading that its pictures contradict with possible mistakes of the user.

    Args:
        reading: The result of `assess`.
        gap: How much worse `mistake` explains the pictures, nats; negative if it does better.
        mistake: The best such explanation.
    """
    if reading.suspicion is not None:
        gap += reading.suspicion.margin  # a mis-assembled cube explains it, too
    if gap > _MISTAKE_MARGIN:
        return reading
    named = mistake if gap <= 0.0 else None
    return replace(
        reading,
        state=ReadingState.ASK_AGAIN,
        reread=mistake.faces if named else reading.reread or mistake.faces,
        mistake=named,
    )


def _stickers(labs: Array, found: Attempt) -> tuple[StickerReading, ...]:
    gaps = np.minimum(sticker_gaps(found.search, found.best), 50.0)
    return cube_stickers(labs, found.best.text, 1.0 / (1.0 + np.exp(-gaps)))


def _state(
    found: Attempt,
    repairs: tuple[Repair, ...],
    proposal: Facelets,
    *,
    contradicted: bool,
) -> ReadingState:
    if found.alternatives and not found.mirrored:  # showing it again in the same way would not help
        return ReadingState.AMBIGUOUS
    if (
        found.mirrored
        or found.contest is not None
        or turned_pieces(found.best, proposal)
        or found.margin < MARGIN_THRESHOLD
        or contradicted
    ):
        return ReadingState.ASK_AGAIN
    return ReadingState.REPAIRED if repairs else ReadingState.SURE


def _credible(
    contest: Suspicion | None, proposal: Facelets, seen: NDArray[np.bool_]
) -> Suspicion | None:
    """Return the mis-assembled cube if it is credible: most stickers look like it, too."""
    if contest is None or contest.margin < _SUSPICION_MARGIN:
        return None
    pairs = zip(proposal.text, contest.facelets.text, strict=True)
    off = Counter(i // 9 for i, (looked, shown) in enumerate(pairs) if seen[i] and looked != shown)
    too_many = off.total() > _MOST_OFF or max(off.values(), default=0) > _MOST_OFF_A_FACE
    return None if too_many else contest


def confirm(first: CubeReading, second: CubeReading) -> CubeReading:
    """Compare a reading of new pictures with an earlier one that suspected a mis-assembled cube.

    Args:
        first: The earlier reading.
        second: A reading of other pictures of the same cube.

    Returns:
        The second reading; its state is mis-assembled if both suspect exactly the same stickers.
    """
    if first.suspicion is None:
        return second
    if second.suspicion is not None and second.suspicion.facelets == first.suspicion.facelets:
        return replace(second, state=ReadingState.MISASSEMBLED, reread=())
    return second
