"""Scores each pair of a profile's colours: how rarely a reader confuses the two.

A score is the ΔE between two colours divided by the usual spread of their stickers. Lightness
counts half in it, because light varies over a face more than its colour does: of the measures that
were compared, none predicted better which pairs would be confused.
docs/measurements/reading-colours.md explains what a score predicts.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cube.moves import FACES
from vision.colours.colour_spaces import HALF_LIGHTNESS, delta_e
from vision.colours.profile import ColourProfile

LEAST_SCORE = 3.0
"""Above this score, fewer than 1 of 100 readings confused the pair, even in bad light; from 2 to
2.5 it was 5 of 100, and below 1 every second one.
"""

# ΔE by which stickers scatter in the next picture however similar they are in this one.
_LEAST_SPREAD = 1.0


@dataclass(frozen=True, slots=True)
class PairScore:
    """How well two colours can be distinguished.

    Attributes:
        faces: The two faces, in the order URFDLB.
        colours: Their colours' names.
        apart: ΔE 1976 between the colours.
        score: ΔE, with lightness counted half, in usual spreads of their stickers.
        passed: Whether a reader will hardly ever confuse the two.
    """

    faces: tuple[str, str]
    colours: tuple[str, str]
    apart: float
    score: float
    passed: bool

    def record(self) -> dict[str, object]:
        """Return it as a record."""
        return {
            "faces": list(self.faces),
            "colours": list(self.colours),
            "apart": round(self.apart, 1),
            "score": round(self.score, 1),
            "passed": self.passed,
        }


def pair_scores(profile: ColourProfile) -> tuple[PairScore, ...]:
    """Score the fifteen pairs of a profile's colours, in the order URFDLB.

    Args:
        profile: A measured profile. A colour without a spread counts as if its stickers were all
            alike.
    """
    return tuple(_score(profile, first, second) for first, second in combinations(FACES, 2))


def failed_pairs(scores: tuple[PairScore, ...]) -> tuple[PairScore, ...]:
    """Return the pairs that did not pass, the worst first."""
    return tuple(sorted((each for each in scores if not each.passed), key=lambda each: each.score))


def advice(failed: tuple[PairScore, ...]) -> str:
    """Return what to do about pairs that did not pass; empty if there are none."""
    if not failed:
        return ""
    told = ", ".join(f"{each.colours[0]} and {each.colours[1]}" for each in failed)
    return (
        f"{told} may be confused: use more and whiter light without reflections, lock the "
        "camera's exposure and white balance, and measure again"
    )


def _score(profile: ColourProfile, first: str, second: str) -> PairScore:
    colours = profile.colours[first], profile.colours[second]
    spreads = np.array([profile.spread.get(first, 0.0), profile.spread.get(second, 0.0)])
    pooled = np.sqrt((spreads**2).mean() + _LEAST_SPREAD**2)
    score = float(delta_e(*colours, HALF_LIGHTNESS) / pooled)
    return PairScore(
        (first, second),
        (profile.scheme[first], profile.scheme[second]),
        float(delta_e(*colours)),
        score,
        score >= LEAST_SCORE,
    )
