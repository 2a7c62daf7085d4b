"""One attempt at a cube: from first guesses of the colours to the likeliest cube and its rivals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.laws import examine
from vision.colours.assignment import CENTRES, nine_per_colour
from vision.colours.colour_fit import Fits
from vision.colours.colour_model import (
    fit_models,
    label_costs,
    seed_models,
    seen_stickers,
    separation,
    sticker_costs,
    usual_shares,
)
from vision.colours.first_guesses import (
    Proposer,
    first_guesses,
    guesses_without_a_centre,
    known_colours,
)
from vision.colours.looks import AllLooks, added_costs
from vision.colours.naming import name_faces
from vision.colours.scheme import centre_order, facelets_of, looks_mirrored, scheme_rotations
from vision.colours.sticker_colours import StickerColours
from vision.decoding.face_turns import FaceLaw, Placement, arrangements
from vision.decoding.legal_search import LegalSearch, search_legal
from vision.decoding.piece_costs import piece_costs
from vision.decoding.start import Start
from vision.reading import MARGIN_THRESHOLD, Suspicion

Array = NDArray[np.float64]


# Colours nearer than this many standard deviations are easily confused by the fit itself; the
# margin is reduced in proportion.
_CLEAR_SEPARATION = 2.0
# If a cube that turns cannot solve fits better by this much, the solvable one is not trusted.
_CONTEST_MARGIN = 1.5
# Pictures are tried as mirror images if those fit better by this much; then the margin decides.
_MIRROR_MARGIN = 10.0
# Other rotations of the faces are rivals if they are within this distance.
_WINDOW = 20.0
# All orders of six pictures that differ by more than a rotation of the whole cube; the number that
# is examined, and how often they are chosen again.
_ANY_ORDER = FaceLaw(arrangements(), None)
_MOST_ORDERS, _MOST_REORDERED = 2, 2
# Rounds in which the light is fitted before guesses of doubtful pictures are compared.
_LIGHT_ROUNDS = 2
# Number of fits that give the guesses when the order is chosen again.
_MOST_REFITTED = 2
# Stickers may contradict a labelling by this much in total, nats, before others are examined; a
# centre of this cost or more does not look like its colour.
_NEGLIGIBLE, _ODD_COST = 1.0, 0.0
# Width of the guesses by which guesses, orders and mirror images are compared.
_CAUTION = 1.5

# A centre that is less typical of its colour than this may be covered.
_COVERED = 0.1
# Rarity of that, nats, beyond what the colour of any sticker may do.
_ODD_CENTRE = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """A decoded cube, and how it was found; it is in the order of the cube's facelets.

    Attributes:
        start: The start of the attempt.
        guesses: (n, 6, 3) first guesses of the colours.
        law: What was known about the faces.
        fit: The best legal fit to the looks.
        mirrored: The pictures are mirror images.
        names: Name of the colour of each picture's centre.
        placement: The face that each picture shows.
        best: The likeliest solvable cube.
        costs: (54, 6) nats, of each colour for each sticker.
        search: Further results of the search.
        margin: Nats by which `best` is likelier than any rival.
        alternatives: Other cubes that explain the pictures equally well.
        contest: A cube that turns cannot solve and that fits better.
    """

    start: Start
    guesses: Array
    law: FaceLaw
    fit: Fits
    mirrored: bool
    names: tuple[str, ...]
    placement: Placement
    best: Facelets
    costs: Array
    search: LegalSearch
    margin: float
    alternatives: tuple[Facelets, ...]
    contest: Suspicion | None

    @property
    def cost(self) -> float:
        """The total cost in nats: of the cube, of the light, and of centres that look odd."""
        seen = seen_stickers(self.start.looks.mean().srgb[CENTRES])
        odd = sum(bool(seen[face]) for face in self.odd_centres())
        return float(self.fit.costs[0]) + self.start.dearer + _ODD_CENTRE * odd

    @property
    def any_placement(self) -> FaceLaw:
        """The law of the colours if they belong to the faces in another order."""
        return self.law if self.law.known_order else _ANY_ORDER

    def odd_centres(self) -> list[int]:
        """Return the faces whose centre was not seen or does not look like its colour."""
        srgb, cells = self.start.looks.colours.srgb, self.start.looks.cells
        model = self.fit.model.take([0])
        shares = usual_shares(srgb, self.fit.labels[:1, cells], model)[0]
        most = np.zeros(54)
        np.maximum.at(most, cells, np.where(seen_stickers(srgb), shares, 0.0))
        return [face for face, centre in enumerate(CENTRES) if most[centre] < _COVERED]

    def reordered(self, order: Sequence[int]) -> Start:
        """Start again with the colours found, assigned to the faces in another order."""
        means = 255.0 * self.fit.model.means[0][list(order)]
        names = tuple(self.start.names[colour] for colour in order)
        seeds = StickerColours.of_srgb(means).lab
        return replace(self.start, seeds=seeds, names=names, fitted=True)

    def one_look(self) -> StickerColours:
        """Return all looks at each sticker combined, in the light of the first of them."""
        return self.start.looks.fused(self.fit.labels[0], self.fit.model.take([0]))

    def fitted_to(self, colours: StickerColours) -> "Attempt":
        """Return the attempt with one look at each face instead of all, and the best fit to it."""
        if len(self.start.looks.cells) == len(colours):
            return self
        start = replace(self.start, looks=AllLooks.of(colours))
        return replace(self, start=start, fit=start.fits(self.guesses, self.law)[1])


def attempt(start: Start, propose: Proposer) -> Attempt:
    """Find the likeliest cube from given first guesses of the colours."""
    if start.any_order:
        return _attempt_in_any_order(start, propose)
    guesses = first_guesses(start.colours, StickerColours.of_lab(start.seeds), propose)
    law = _law(start, guesses)
    found = _settle(start, guesses, law, start.fits(guesses, law))
    if law.mirrored and found.margin < MARGIN_THRESHOLD:  # a bad reading in any case
        law = replace(law, mirrored=False)
        found = _settle(start, guesses, law, start.fits(guesses, law))
    return found


def _attempt_in_any_order(start: Start, propose: Proposer) -> Attempt:
    """Find the likeliest cube in pictures of any order; see `attempt`.

    Neither the order of the pictures nor the names of their colours may depend on single centres:
    the order is chosen again, and the names are given, when the colours of all stickers are known.
    """
    guesses, likeliest, costs = _likeliest_guesses(start, propose)
    fits: list[tuple[FaceLaw, tuple[Fits, Fits]]] = []
    tried = guesses
    for _ in range(_MOST_REORDERED):
        law = _ANY_ORDER.narrowed(costs, _MOST_ORDERS)
        if fits and law.orders[0] in fits[-1][0].orders:
            break
        loose, legal = start.fits(tried, law)
        if fits and legal.costs[0] >= fits[-1][1][1].costs[0]:
            break
        fits.append((law, (loose, legal)))
        costs = legal.sticker_costs[0]
        if _without_contradiction(costs, legal.labels[0]):
            break  # no other order can be likelier
        tried = np.concatenate([likeliest, legal.model.means[:_MOST_REFITTED]])
    law, (loose, legal) = fits[-1]
    orders = law.narrowed(legal.sticker_costs[0], _MOST_ORDERS).orders
    found = _named(start, guesses, orders, (loose, legal))
    if found.placement.order not in found.law.orders[:1]:
        found = _named(start, guesses, (found.placement.order, *orders), (loose, legal))
    return found


def _named(
    start: Start, guesses: Array, orders: Sequence[tuple[int, ...]], fits: tuple[Fits, Fits]
) -> Attempt:
    """Name the colours in the first of some orders, and hold the cube in all of them like that."""
    order = list(orders[0])
    held = name_faces(fits[1].model.means[0][order], known_colours(start.profile), start.scheme)
    names = tuple(held.names[order.index(picture)] for picture in range(6))
    sought = centre_order(start.scheme)
    rank = [sought.index(name) for name in names]
    turned = [
        min(scheme_rotations(one), key=lambda held: (rank[held[0]], rank[held[2]]))
        for one in orders
    ]
    law = FaceLaw(tuple(dict.fromkeys(turned)), None)
    return replace(_settle(start, guesses, law, fits), names=names, mirrored=held.mirrored)


def _likeliest_guesses(start: Start, propose: Proposer) -> tuple[Array, Array, Array]:
    """Guess the six colours, also without one of the centres if a picture is doubtful.

    Returns:
        The guesses, the likeliest of them, (1, 6, 3), and the costs with it, (54, 6) nats.
    """
    seeds = StickerColours.of_lab(start.seeds)
    if start.fitted:
        return seeds.srgb[None], *_cheapest_guess(start.looks, seeds.srgb[None], _LIGHT_ROUNDS)[:2]
    usual = first_guesses(start.colours, seeds, propose)
    best, costs, typical = _cheapest_guess(start.looks, usual, 0)
    if typical:
        return usual, best, costs
    spared = guesses_without_a_centre(start.colours, start.seeds)
    best, costs, _ = _cheapest_guess(start.looks, np.concatenate([usual, spared]), _LIGHT_ROUNDS)
    known = (usual == best).all(axis=(1, 2)).any()
    return (usual if known else np.concatenate([usual, best])), best, costs


def _cheapest_guess(looks: AllLooks, guesses: Array, rounds: int) -> tuple[Array, Array, bool]:
    """Find the guess whose colours explain nine stickers each at the lowest cost.

    Args:
        looks: All looks.
        guesses: (n, 6, 3).
        rounds: How often the colours and the light are fitted before the guesses are compared;
            that takes a few milliseconds, and uneven light can make a wrong guess look better.

    Returns:
        The guess, (1, 6, 3), the costs with it, (54, 6) nats, and whether it explains every sticker
        and every centre well.
    """
    different = np.unique(guesses, axis=0)
    srgb, cells = looks.colours.srgb, looks.cells
    model = seed_models(different, np.full(len(different), _CAUTION), len(cells))
    for left in range(rounds, -1, -1):
        costs = added_costs(sticker_costs(srgb, model), cells)
        labels = np.array([nine_per_colour(each) for each in costs])
        if left:
            model = fit_models(srgb, labels[:, cells], model)
    best = int(np.argmin(label_costs(costs, labels, model)))
    typical = _without_contradiction(costs[best], labels[best]) and bool(
        (costs[best, CENTRES, np.arange(6)] < _ODD_COST).all()
    )
    return different[[best]], costs[best], typical


def _without_contradiction(costs: Array, labels: NDArray[np.intp]) -> bool:
    """Return whether every sticker has about the likeliest colour of all."""
    return float((costs[np.arange(54), labels] - costs.min(axis=1)).sum()) < _NEGLIGIBLE


def _law(start: Start, guesses: Array) -> FaceLaw:
    """Choose the law of the faces; pictures may turn out to be mirror images."""
    if start.told is not None:
        return FaceLaw(told=start.told)
    looks, law = start.looks, FaceLaw(turns=None if start.turned else (0,) * 6)
    model = seed_models(guesses[:1], np.array([_CAUTION]), len(looks.cells))
    costs = added_costs(sticker_costs(looks.colours.srgb, model), looks.cells)[0]
    flipped = replace(law, mirrored=True)
    if law.least_bound(costs) - flipped.least_bound(costs) <= _MIRROR_MARGIN:
        return law
    # Two exchanged opposite photos look like a mirror image; only the scheme tells the difference.
    exchanged = not start.turned and looks_mirrored(start.names, start.scheme)
    return law if exchanged else flipped


def _settle(start: Start, guesses: Array, law: FaceLaw, fits: tuple[Fits, Fits]) -> Attempt:
    """Search around the best fit; the cubes of other fits and rotations are rivals."""
    loose, legal = fits
    costs = legal.sticker_costs[0]
    (cost, placement, labels), *others = law.placements(costs, _WINDOW)
    pictures = placement.to_pictures(labels)
    placed = placement.to_cube(costs + law.told)
    search = search_legal(*piece_costs(placed))
    rivals = [search.margin]
    rivals += [
        other - cost
        for other, turned, cube in others
        if not np.array_equal(turned.to_pictures(cube), pictures)
    ]
    rivals += [
        float(total - legal.costs[0])
        for total, row in zip(legal.costs, legal.labels, strict=True)
        if not np.array_equal(row, pictures)
    ]
    clear = min(1.0, float(separation(legal.model)[0]) / _CLEAR_SEPARATION)
    best = facelets_of(labels)
    upright = law.turns is not None and not law.mirrored
    return Attempt(
        start,
        guesses,
        law,
        legal,
        law.mirrored,
        start.names,
        placement,
        best,
        placed,
        search,
        max(0.0, min(rivals)) * clear,
        tuple(cube for cube in map(facelets_of, law.same_colours(pictures)) if cube != best),
        _suspect(placement, loose, float(legal.costs[0])) if upright else None,
    )


def _suspect(placement: Placement, loose: Fits, legal_cost: float) -> Suspicion | None:
    """Compare the likeliest cube of any orbit with the likeliest solvable one."""
    evidence = legal_cost - float(loose.costs[0])
    if evidence < _CONTEST_MARGIN:
        return None
    facelets = facelets_of(placement.from_pictures(loose.labels[0]))
    verdict = examine(facelets)
    return None if verdict.solvable else Suspicion(facelets, verdict.problems, evidence)
