"""Reading 2×2×2 cubes: 24 stickers, no centres.

Without centres there is no way to tell to which face a sticker belongs, only which colours are
alike. The corners do the rest: under each of the 30 different ways to paint a cube with six colours
they are the eight corner pieces, whose twists sum to 0 modulo 3 (any permutation is possible: S4).
The cheapest scheme wins, and the colours get the names that suit them and a scheme of cubes on
sale.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.pieces import CORNER_FACELETS
from cube.written.face_orders import S4_ORDER
from vision.colours.colour_fit import fit_colours
from vision.colours.colour_model import (
    NAMED_COLOURS,
    seed_models,
    seen_stickers,
    separation,
    sticker_costs,
)
from vision.colours.colour_spaces import LESS_LIGHTNESS, delta_e, lab_to_srgb, srgb_to_lab
from vision.colours.scheme import JAPANESE_SCHEME, scheme_rotations
from vision.colours.sticker_colours import StickerColours
from vision.decoding.face_turns import arrangements
from vision.decoding.legal_search import assign_one, search_corners
from vision.decoding.piece_costs import piece_colours
from vision.errors import NoFaceError, VisionError
from vision.reading import MARGIN_THRESHOLD

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

# Maximum loss of a name, ΔE, in favour of a scheme of cubes on sale.
_SCHEME_WORTH, _JAPANESE_PENALTY = 60.0, 10.0
_CLEAR_SEPARATION = 2.0
_FOLLOWED = 3


@dataclass(frozen=True, slots=True)
class PocketReading:
    """A 2×2×2 cube as read.

    Attributes:
        accepted: Whether to trust it.
        best: The likeliest solvable state, 24 letters of white, yellow, red, orange, green, blue
            (``w y r o g b``), faces in S4's order U L F R B D, each row by row.
        facelets: The same in the order URFDLB, each colour as its face in the western scheme,
            however the cube is held.
        margin: Nats to the second likeliest cube.
        confidence: (24,) 0 to 1 for each sticker, in the order URFDLB.
        reread: Faces to show again; empty when accepted.
        labs: (24,) CIELAB, in the order URFDLB.
        elapsed_ms: Duration of the reading as measured by the caller; else 0.
    """

    accepted: bool
    best: str
    facelets: str
    margin: float
    confidence: tuple[float, ...]
    reread: tuple[str, ...]
    labs: tuple[tuple[float, ...], ...]
    elapsed_ms: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _PocketCorners:
    orders: tuple[tuple[int, ...], ...]

    def cheapest_pieces(self, costs: Array) -> Labels:
        """See `vision.colours.colour_fit.Constraint`."""
        return self.cheapest_cube(costs)

    def cheapest_cube(self, costs: Array) -> Labels:
        """See `vision.colours.colour_fit.Constraint`."""
        return self.best(costs)[1]

    def narrowed(self, colours: Array, guesses: Array) -> "_PocketCorners":
        """Keep the schemes that are among the cheapest under any of the guesses."""
        model = seed_models(guesses, np.full(len(guesses), 1.5), len(colours))
        kept: dict[tuple[int, ...], None] = {}
        for costs in sticker_costs(colours, model):
            bounds = [assign_one(_corner_costs(costs, order))[0] for order in self.orders]
            best = np.argsort(bounds, kind="stable")[:_FOLLOWED]
            kept |= dict.fromkeys(self.orders[number] for number in best)
        return _PocketCorners(tuple(kept))

    def best(self, costs: Array) -> tuple[float, Labels, tuple[int, ...]]:
        """Return cost, labels and scheme of the cheapest solvable cube."""
        bounds = [assign_one(_corner_costs(costs, order))[0] for order in self.orders]
        found = []
        for number in np.argsort(bounds, kind="stable")[:_FOLLOWED]:
            order = self.orders[number]
            cost, corners, _, _ = search_corners(_corner_costs(costs, order), marginals=False)
            found.append((cost, int(number), corners))
        cost, number, (pieces, turns) = min(found, key=lambda one: one[:2])
        painted = np.array(self.orders[number])
        labels = np.empty(24, dtype=np.intp)
        labels[_corner_stickers()] = painted[piece_colours("corner")[pieces, turns]]
        return cost, labels, self.orders[number]


def decode_pocket(colours: StickerColours) -> PocketReading:
    """Find the 2×2×2 cube with these colours, however it is held.

    Args:
        colours: Colours of 24 stickers, faces URFDLB, each row by row as in the usual net.

    Raises:
        VisionError: There are not 24 colours.
        NoFaceError: Fewer than twelve stickers were seen.
    """
    if len(colours) != 24:
        raise VisionError(f"a 2×2×2 cube has 24 stickers, not {len(colours)}")
    if seen_stickers(colours.lab).sum() < 12:
        raise NoFaceError("fewer than half of the stickers were seen; show the cube again")
    guesses = _guesses(colours.lab)
    constraint = _PocketCorners(arrangements()).narrowed(colours.srgb, guesses)
    _, fits = fit_colours(colours.srgb, guesses, constraint)
    costs = fits.sticker_costs[0]
    _, labels, order = constraint.best(costs)
    cost, (pieces, turns), margin, marginals = search_corners(_corner_costs(costs, order))
    rivals = [
        float(total - fits.costs[0])
        for total, row in zip(fits.costs, fits.labels, strict=True)
        if not np.array_equal(_partition(row), _partition(labels))
    ]
    clear = min(1.0, float(separation(fits.model)[0]) / _CLEAR_SEPARATION)
    margin = max(0.0, min([margin, *rivals])) * clear
    names = _names(fits.model.means[0], order)
    own = marginals.copy()
    own[np.arange(8), pieces, turns] = np.inf
    gaps = np.empty(24)
    gaps[_corner_stickers()] = (own.min(axis=(1, 2)) - cost)[:, None]
    confidence = 1.0 / (1.0 + np.exp(-np.clip(gaps, 0.0, 50.0) * clear))
    accepted = margin >= MARGIN_THRESHOLD
    worst = [FACES[int(i) // 4] for i in np.argsort(gaps, kind="stable")[:4]]
    western = {colour: face for face, colour in WESTERN_SCHEME.items()}
    return PocketReading(
        accepted,
        "".join(names[labels[4 * FACES.index(f) + k]][0] for f in S4_ORDER for k in range(4)),
        "".join(western[names[label]] for label in labels),
        margin,
        tuple(float(value) for value in confidence),
        () if accepted else tuple(dict.fromkeys(worst)),
        tuple(tuple(float(v) for v in lab) for lab in colours.lab),
    )


def _partition(labels: Labels) -> Labels:
    """Number the colours in the order of their appearance: which stickers are alike."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


@lru_cache(maxsize=1)
def _corner_stickers() -> Labels:
    """Return (8, 3) the stickers, 0 to 23, of each corner place."""
    cell = {0: 0, 2: 1, 6: 2, 8: 3}
    return np.array([[4 * (i // 9) + cell[i % 9] for i in place] for place in CORNER_FACELETS])


def _corner_costs(costs: Array, order: tuple[int, ...]) -> Array:
    """Return (8 places, 8 pieces, 3 twists) from (24, 6) sticker costs, under one scheme."""
    pieces = np.array(order)[piece_colours("corner")]
    return np.asarray(costs[_corner_stickers()[:, None, None, :], pieces].sum(axis=-1))


def _guesses(labs: Array) -> Array:
    """Return (n, 6, 3) encoded sRGB: k-means from the usual colours and from random ones."""
    from sklearn.cluster import KMeans

    seen = labs[seen_stickers(labs)] * LESS_LIGHTNESS
    named = np.array(list(NAMED_COLOURS.values())) * LESS_LIGHTNESS
    distinct = len(np.unique(seen, axis=0))
    if distinct < 6:
        return lab_to_srgb(named / LESS_LIGHTNESS)[None] / 255.0
    found = [
        KMeans(6, init=named, n_init=1).fit(seen).cluster_centers_,
        KMeans(6, n_init=6, random_state=0).fit(seen).cluster_centers_,
        named,
    ]
    return np.array([lab_to_srgb(means / LESS_LIGHTNESS) / 255.0 for means in found])


def _names(means: Array, order: tuple[int, ...]) -> list[str]:
    """Name the six colours so that they suit their names and form a scheme of cubes on sale."""
    labs = srgb_to_lab(means * 255.0)
    cost = {
        (i, name): float(delta_e(labs[i], lab, LESS_LIGHTNESS))
        for i in range(6)
        for name, lab in NAMED_COLOURS.items()
    }
    sold = {
        held: penalty
        for scheme, penalty in ((WESTERN_SCHEME, 0.0), (JAPANESE_SCHEME, _JAPANESE_PENALTY))
        for held in scheme_rotations(tuple(scheme[face] for face in FACES))
    }

    def total(held: tuple[str, ...]) -> float:
        fit = sum(cost[colour, name] for colour, name in zip(order, held, strict=True))
        return fit + sold.get(held, _SCHEME_WORTH)

    held = min(permutations(NAMED_COLOURS), key=total)
    return [name for _, name in sorted(zip(order, held, strict=True))]
