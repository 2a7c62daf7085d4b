"""What a cube that was found is worth: sure, repaired, ambiguous, or better shown again."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES
from vision.colours.colour_model import seen_stickers
from vision.colours.labels import facelets_of, labels_of
from vision.colours.nine_each import nine_per_colour
from vision.decoding.laws.legal_search import LegalSearch
from vision.decoding.laws.photo_order import Placement
from vision.decoding.reread import faces_to_reread, sticker_gaps, turned_pieces
from vision.reading import (
    CubeReading,
    Mistake,
    ReadingState,
    Repair,
    StickerPlace,
    StickerReading,
    Suspicion,
)

Array = NDArray[np.float64]

MARGIN_THRESHOLD = 9.0
"""Least margin, in nats, of an accepted reading; docs/reading-colours.md shows the curve."""

# A cube that no turns solve must fit better by this much to be suspected.
_SUSPICION_MARGIN = 4.0
# By this much, in nats, the stickers may contradict an accepted cube: by more, and something else
# is wrong, such as a face of another cube. Of 660 sound cubes in bad light three are beyond it;
# mistakes that nothing else refuses begin at 7.6.
_MOST_CONTRADICTION = 6.0
# So many may contradict a cube that was put together wrongly, of all faces and of one.
_MOST_OFF, _MOST_OFF_A_FACE = 8, 3
# A mistake must explain the pictures worse than an accepted cube by this much.
_MISTAKE_MARGIN = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class FoundCube:
    """What the search for a cube came to, in the order of the cube's facelets.

    Attributes:
        placement: Which picture shows which face.
        best: The likeliest solvable cube.
        costs: (54, 6) nats, each colour for each sticker.
        search: What else the search for the cube told.
        margin: Nats, how much likelier `best` is than any rival.
        alternatives: Other cubes that the pictures show just as well.
        contest: A cube that no turns solve and that fits better.
    """

    placement: Placement
    best: Facelets
    costs: Array
    search: LegalSearch
    margin: float
    alternatives: tuple[Facelets, ...]
    contest: Suspicion | None


def assess(
    labs: Array,
    found: FoundCube,
    names: list[str],
    places: Sequence[StickerPlace],
    *,
    mirrored: bool,
) -> CubeReading:
    """Say how far to trust what was found, and which faces to show again.

    Args:
        labs: (54, 3) CIELAB in the order of the pictures; NaN where not seen.
        found: What the search came to.
        names: Colour of each picture's centre.
        places: Where each sticker was seen, in the order of the pictures.
        mirrored: Whether the pictures are mirror images.
    """
    best, costs = found.best, found.costs
    labs = labs[found.placement.cells]
    seen = seen_stickers(labs)
    labels = labels_of(best)
    own = costs.copy()
    # A sticker that was not seen has no opinion: it goes along with the likeliest cube.
    own[~seen, labels[~seen]] -= 1e-3
    proposal = facelets_of(nine_per_colour(own))
    repairs = tuple(
        Repair(i, proposal.text[i] if seen[i] else "", best.text[i])
        for i in range(54)
        if proposal.text[i] != best.text[i] or not (seen[i] or i % 9 == 4)
    )
    at = np.arange(54)
    contradiction = float((own[at, labels] - own[at, labels_of(proposal)]).sum())
    state = _state(found, repairs, proposal, contradiction, mirrored=mirrored)
    suspicion = _credible(found.contest, proposal, seen)
    accepted = state in (ReadingState.SURE, ReadingState.REPAIRED)
    doubted = not accepted and state is not ReadingState.AMBIGUOUS
    return CubeReading(
        state=state,
        best=best,
        margin=found.margin,
        reread=faces_to_reread(costs, found.search, best, proposal, seen) if doubted else (),
        problems=() if accepted else (suspicion or examine(proposal)).problems,
        stickers=_stickers(labs, found, places),
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
        mirrored=mirrored,
    )


def judge(reading: CubeReading, gap: float, mistake: Mistake | None) -> CubeReading:
    """Hold a reading that its pictures contradict against what a person may have done wrong.

    Args:
        reading: As `assess` gave it.
        gap: How much worse `mistake` explains the pictures, nats; negative when it does better.
        mistake: The best of such explanations.
    """
    if reading.suspicion is not None:
        gap += reading.suspicion.margin  # a cube that was put together wrongly explains it, too
    if mistake is None or gap > _MISTAKE_MARGIN:
        return reading
    named = mistake if gap <= 0.0 else None
    return replace(
        reading,
        state=ReadingState.ASK_AGAIN,
        reread=mistake.faces if named else reading.reread or mistake.faces,
        mistake=named,
    )


def _stickers(
    labs: Array, found: FoundCube, places: Sequence[StickerPlace]
) -> tuple[StickerReading, ...]:
    gaps = np.minimum(sticker_gaps(found.search, found.best), 50.0)
    return tuple(
        StickerReading(
            facelet=i,
            polygons=places[cell].polygons,
            lab=(float(labs[i, 0]), float(labs[i, 1]), float(labs[i, 2])),
            colour=found.best.text[i],
            confidence=float(1.0 / (1.0 + np.exp(-gaps[i]))),
            camera=places[cell].camera,
        )
        for i, cell in enumerate(found.placement.cells)
    )


def _state(
    found: FoundCube,
    repairs: tuple[Repair, ...],
    proposal: Facelets,
    contradiction: float,
    *,
    mirrored: bool,
) -> ReadingState:
    if found.alternatives and not mirrored:  # to show it again in the same way would not help
        return ReadingState.AMBIGUOUS
    if (
        mirrored
        or found.contest is not None
        or turned_pieces(found.best, proposal)
        or found.margin < MARGIN_THRESHOLD
        or contradiction > _MOST_CONTRADICTION
    ):
        return ReadingState.ASK_AGAIN
    return ReadingState.REPAIRED if repairs else ReadingState.SURE


def _credible(
    contest: Suspicion | None, proposal: Facelets, seen: NDArray[np.bool_]
) -> Suspicion | None:
    """Return the mis-assembled cube when it is worth telling: most stickers look like it, too."""
    if contest is None or contest.margin < _SUSPICION_MARGIN:
        return None
    pairs = zip(proposal.text, contest.facelets.text, strict=True)
    off = Counter(i // 9 for i, (looked, shown) in enumerate(pairs) if seen[i] and looked != shown)
    too_many = off.total() > _MOST_OFF or max(off.values(), default=0) > _MOST_OFF_A_FACE
    return None if too_many else contest
