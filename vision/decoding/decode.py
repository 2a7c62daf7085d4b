"""From 54 measured colours to a cube with a margin, or to the faces to show again.

Centres may be hidden or covered by a coupler, a disc or a logo. Then the colours are known, but not
their faces, and a cube with exchanged colours may explain the pictures equally well: with four
hidden centres there is always another one, the whole cube turned by 180°.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_index
from cube.moves import FACES
from vision.colours.assignment import nearest_medians
from vision.colours.colour_model import seen_stickers
from vision.colours.first_guesses import Proposer, cluster_colours, name_hidden_colours
from vision.colours.looks import AllLooks, FaceLook
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.acceptance import assess, judge, may_be_a_mistake
from vision.decoding.attempt import Attempt, attempt
from vision.decoding.centre_orders import centre_orders
from vision.decoding.further_looks import turned_like_the_first
from vision.decoding.mistakes import explain, undone
from vision.decoding.start import Start, first_starts, hidden_centres, named_centres
from vision.errors import VisionError
from vision.reading import CubeReading, ReadingState

Array = NDArray[np.float64]


# Cost of any other colour for a sticker that the user gave, nats.
_TOLD = 100.0
# Number of other orders of the colours that are examined if centres do not tell the order.
_MOST_ORDERS = 3
# With this many hidden centres, turning the whole cube by 180° always gives another solvable one.
_UNTELLABLE = 4
# A face with fewer visible stickers is always requested again.
_LEAST_OF_A_FACE = 6


def decode(
    colours: StickerColours,
    profile: ColourProfile | None = None,
    centres: Mapping[str, str] | None = None,
    *,
    scheme: Mapping[str, str] | None = None,
    any_orientation: bool = False,
    any_order: bool = False,
    told: Mapping[str, str] | None = None,
    further: Sequence[FaceLook] = (),
    by_hand: bool = True,
) -> CubeReading:
    """Find the cube that shows these colours.

    Colours are proposed from the centres or the profile and from all stickers; then colours, the
    light of every face and the likeliest legal cube are estimated alternately, from several starts,
    and the best fit wins. If the result is doubtful, k-means proposes more. The reading is accepted
    if no other legal cube is nearly as likely.

    Args:
        colours: Colours of 54 stickers in the order URFDLB, each face oriented as in the usual net.
        profile: Measured colours to start from.
        centres: Colour name of each face, for centres that couplers hide; their measured colours
            are not used.
        scheme: Colour name of each face of the cube, as the user gave it: names centres that were
            not seen, and tells which pictures are mirrored. By default that of the profile, or any
            scheme of cubes on sale.
        any_orientation: Each face may be rotated in its plane.
        any_order: The faces may come in any order and rotated.
        told: The face letter of each sticker that the user gave, by its name, with upright faces.
        further: More looks at any faces. Each counts as much as the first one. If faces may be
            rotated, each is rotated like the first look at its face, or dropped if that is unclear.
        by_hand: Whether a person showed the faces one by one: then a doubtful reading is compared
            with possible mistakes. Fixed cameras see all faces at once, and glare on several.

    Raises:
        VisionError: There are not 54 colours, or `centres` or `told` makes no sense.
        InvalidCubeError: `told` names a facelet that does not exist.
    """
    if len(colours) != 54:
        raise VisionError(f"a cube has 54 stickers, not {len(colours)}")
    turned, known = any_orientation or any_order, centres or {}
    covered = [facelet_index(f"{face}5") for face in known if face in tuple(FACES)]
    likely = None if any_order else scheme
    held = scheme or (None if profile is None else profile.scheme)
    shown = turned, any_order, _told_costs(told) if told else None, held, by_hand

    def read(looks: AllLooks) -> tuple[CubeReading, Attempt | None]:
        first, looks = looks.first().without(covered), looks.without(covered)
        # Rotated looks cannot be averaged until colours are guessed.
        colours = first if turned else looks.mean()
        named = named_centres(colours, known, likely)
        starts = first_starts(Start(colours, looks, *shown, profile), named, likely)
        if turned and len(looks.cells) > len(first):
            seeds = StickerColours.of_lab(starts[0].seeds)
            looks = turned_like_the_first(looks, nearest_medians(colours.srgb, seeds.srgb))
            starts = [replace(start, looks=looks) for start in starts]
        hidden = set(hidden_centres(colours, named))
        return _likeliest(starts, {FACES.index(face) for face in named}, hidden)

    reading, best = read(AllLooks.of(colours, further))
    if told or any_order or not by_hand or best is None or best.mirrored:
        return reading
    if reading.accepted and not may_be_a_mistake(best):
        return reading
    return _as_meant(read, reading, best)


def _likeliest(
    starts: Sequence[Start], known: Set[int], hidden: Set[int]
) -> tuple[CubeReading, Attempt | None]:
    """Read the cube from some starts; faces with known centres keep their colours.

    Returns:
        The likeliest reading; also the attempt, if a mistake may explain the doubt.
    """
    told, profile = starts[0].told, starts[0].profile
    attempts: list[Attempt] = []
    for propose in (nearest_medians, cluster_colours):
        attempts += [attempt(start, propose) for start in starts]
        doubtful = set(_best(attempts).odd_centres()) - known
        untellable = len(doubtful) >= _UNTELLABLE
        rivals: list[float] = []
        if doubtful - hidden and not untellable:
            others, rivals = _other_orders(attempts, known, propose)
            attempts += others
        best = _best(attempts, rivals)
        if untellable and told is None:
            best = replace(best, margin=0.0)
        means = StickerColours.of_srgb(255.0 * best.fit.model.means[0]).lab
        names: Sequence[str] = best.names
        if not best.start.any_order:
            names = name_hidden_colours(means, names, sorted(doubtful), profile)
        reading = assess(best, names)
        if reading.state is ReadingState.SURE:
            return reading, None
    if untellable and told is None:
        return replace(reading, reread=tuple(FACES[face] for face in sorted(doubtful))), None
    return reading, best


def _as_meant(
    read: Callable[[AllLooks], tuple[CubeReading, Attempt | None]],
    reading: CubeReading,
    best: Attempt,
) -> CubeReading:
    """Compare a reading with possible mistakes of the user, and read again with one undone."""
    seen = best.one_look()
    if seen_stickers(seen.lab).reshape(6, 9).sum(axis=1).min() < _LEAST_OF_A_FACE:
        return reading
    reading = judge(reading, *explain(best.fitted_to(seen)))
    cells = None if reading.mistake is None else undone(reading.mistake)
    if cells is None:
        return reading
    instead, _ = read(AllLooks.of(seen.take(cells)))
    shown = tuple(int(cells[cell]) for cell in instead.cells)
    return replace(reading, instead=replace(instead, cells=shown))


def _best(attempts: Sequence[Attempt], rivals: Sequence[float] = ()) -> Attempt:
    """Return the likeliest attempt, with the cubes of the others as rivals, whatever they cost."""
    costs = [one.cost for one in attempts]
    first = int(np.argmin(costs))
    best, least = attempts[first], costs[first]
    others = [cost for one, cost in zip(attempts, costs, strict=True) if one.best != best.best]
    margins = [cost - least for cost in (*others, *rivals)]
    return replace(best, margin=max(0.0, min([best.margin, *margins])))


def _other_orders(
    attempts: Sequence[Attempt], known: Set[int], propose: Proposer
) -> tuple[list[Attempt], list[float]]:
    """Try the likeliest other orders of the colours; also return the cost of the next one."""
    best = _best(attempts)
    # Pictures in any order look mirrored if their colours went to the wrong faces.
    if best.start.told is not None or (best.mirrored and best.law.known_order):
        return [], []
    orders = centre_orders(best, known, _MOST_ORDERS + 1)
    if not orders:
        return [], []
    # The first order starts again, too: only fits from equal starts can be compared.
    likely = [order for _, order in orders[:_MOST_ORDERS] if order is not None]
    tried = [tuple(range(6)), *likely]
    rest = [best.cost + dearer for dearer, order in orders if order not in likely]
    return [attempt(best.reordered(order), propose) for order in tried], rest


def told_sticker(name: str, letter: str) -> tuple[int, int]:
    """Return the facelet, 0 to 53, and the colour, index in URFDLB, that the user gave.

    Raises:
        VisionError: There is no such letter, or a centre would get another colour.
        InvalidCubeError: There is no such facelet.
    """
    place = facelet_index(name)
    if len(letter) != 1 or letter not in FACES:
        raise VisionError(f"{name} = {letter!r}: the letters are {' '.join(FACES)}")
    if place % 9 == 4 and letter != FACES[place // 9]:
        raise VisionError(f"{name} is the centre of face {FACES[place // 9]} and cannot change")
    return place, FACES.index(letter)


def _told_costs(told: Mapping[str, str]) -> Array:
    """Return (54, 6) nats: a given sticker has no other colour."""
    costs = np.zeros((54, 6))
    for name, letter in told.items():
        place, colour = told_sticker(name, letter)
        costs[place] = _TOLD
        costs[place, colour] = 0.0
    return costs
