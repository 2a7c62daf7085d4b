"""A cube as people and programs write it: 54 letters, digits or emoji in one of several orders.

Texts differ in the order of the faces (`cube.written.face_orders`) and in what lies between the
stickers (`cube.written.sticker_text`). Letters of faces tell the order by their centres. Other
symbols stand for colours: the centre of each face shows which colour it has. All usual orders are
tried then, and one counts if it makes a solvable cube. If different cubes result, only the writer
knows the right one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cube.errors import InvalidCubeError
from cube.facelets import SOLVED_FACELETS, Facelets, facelet_name
from cube.laws import examine
from cube.moves import FACES
from cube.orientation import facelet_places, orientations
from cube.pieces import CENTRE_FACELETS, missing_pieces
from cube.written.face_mistakes import turned_faces
from cube.written.face_orders import KOCIEMBA, USUAL_ORDERS, FaceOrder
from cube.written.sticker_text import StickerText

_COLOURS = ("white", "yellow", "red", "orange", "green", "blue")
_COLOUR_SYMBOLS = {
    symbol: colour
    for symbols in ("WYROGB", "⬜🟨🟥🟧🟩🟦", "⚪🟡🔴🟠🟢🔵")
    for symbol, colour in zip(symbols, _COLOURS, strict=True)
}
# Ranks of a reading: a solvable cube, a re-assembled one, anything else.
_SOLVABLE, _COMPLETE, _NO_CUBE = range(3)


class AmbiguousCubeError(InvalidCubeError):
    """A text describes different cubes, depending on the order of its faces.

    Attributes:
        orders: The names of the orders that fit.
    """

    def __init__(self, message: str, orders: tuple[str, ...]) -> None:
        super().__init__(message)
        self.orders = orders


@dataclass(frozen=True, slots=True)
class WrittenCube:
    """The cube that a text describes; the laws of the cube may be broken.

    Attributes:
        facelets: The stickers.
        order: The order of the text.
        centres: The symbol of each face's centre, URFDLB; empty if the text has letters of faces.
        order_told: Whether the order is the default or was given; otherwise it was found.
        turned: Rotations of faces that were undone, such as ``face F is upside down``; or empty.
    """

    facelets: Facelets
    order: FaceOrder = KOCIEMBA
    centres: tuple[str, ...] = ()
    order_told: bool = True
    turned: str = ""

    @classmethod
    def parse(
        cls, text: str, order: str | None = None, *, any_orientation: bool = False
    ) -> "WrittenCube":
        """Read a text.

        If no order fits, the result is that of the order in which the fewest pieces are wrong.

        Args:
            text: 54 letters of faces (``URFDLB``, ``T`` for ``U``), or symbols of six colours; see
                `cube.written.sticker_text` for what else it may contain.
            order: The name of the order (`FaceOrder.named`); by default it is found.
            any_orientation: If no order fits, faces may be rotated in their planes.

        Raises:
            AmbiguousCubeError: Different cubes fit.
            InvalidCubeError: There are not 54 stickers, a symbol is not one of six colours, the
                order is unknown, or it contradicts the centres.
        """
        if order is None and len(text) == 54 and text[4::9] == FACES and set(text) <= set(FACES):
            one = cls(Facelets(text))  # at once, for files of many cubes
            return _chosen((one,), rotated=True) if any_orientation else one
        found = StickerText.parse(text)
        told = found.orders if order is None else _given(order, found.orders)
        if len(found.symbols) != 54:
            names = ", ".join(each.name for each in told or USUAL_ORDERS)
            raise InvalidCubeError(
                f"a cube has 54 stickers, but this text has {len(found.symbols)}; write nine per "
                f"face, row by row, in an order such as {names}"
            )
        letters = tuple(symbol.upper().replace("T", "U") for symbol in found.symbols)
        if set(letters) <= set(FACES):
            written = _by_faces(letters, told, given=order is not None)
        else:
            written = _by_colours(found, told)
        return _chosen(written, rotated=any_orientation)

    @property
    def scheme(self) -> dict[str, str] | None:
        """The colour of each face, by name if all six are known, else by symbol; None for faces."""
        if not self.centres:
            return None
        names = [_COLOUR_SYMBOLS.get(symbol.upper(), "") for symbol in self.centres]
        known = set(names) == set(_COLOURS)
        return dict(zip(FACES, names if known else self.centres, strict=True))

    def same_as(self, other: "WrittenCube") -> bool:
        """Return whether both are the same cube, and the same moves solve it.

        The solved cube counts in any order. The moves of another cube also depend on the colours of
        its centres, except for those that differ by a rotation of the whole cube.
        """
        if self.facelets != other.facelets:
            return False
        return self.facelets == SOLVED_FACELETS or self._looks_like(other)

    def _looks_like(self, other: "WrittenCube") -> bool:
        """Return whether both are the same cube in the hand, perhaps held differently."""
        if not self.centres:
            return self.facelets == other.facelets
        shown, painted = self._painted, other._painted
        return any(
            shown == tuple(painted[facelet] for facelet in facelet_places(held))
            for held in orientations()
        )

    @property
    def _painted(self) -> tuple[str, ...]:
        colours = dict(zip(FACES, self.centres, strict=True))
        return tuple(colours[letter] for letter in self.facelets.text)


def _given(name: str, shown: tuple[FaceOrder, ...]) -> tuple[FaceOrder]:
    """Return the order with a name.

    Args:
        name: The name.
        shown: The orders that the text itself allows; empty for any.

    Raises:
        InvalidCubeError: It is unknown, or contradicts the text.
    """
    order = FaceOrder.named(name)
    fitting = [each for each in shown if each.name == order.name] if shown else [order]
    if not fitting:
        raise InvalidCubeError(
            f"the text is written {_listed(shown)}, but the given order is {order.name}: leave the "
            "order out, or write the stickers alone"
        )
    return (fitting[0],)


def _listed(orders: Sequence[FaceOrder]) -> str:
    return ", or ".join(order.text for order in orders)


def _by_faces(
    letters: tuple[str, ...], told: tuple[FaceOrder, ...], *, given: bool
) -> tuple[WrittenCube, ...]:
    """Return the readings of letters of faces: in the orders that put the centres in place."""
    own = _own_orders(letters)
    if given and own and told[0] not in own:
        raise InvalidCubeError(
            f"the centres are {_listed(own)}, but the given order is {told[0].text}: leave the "
            "order out, or correct the centres"
        )
    orders = told or own or (KOCIEMBA,)
    known = bool(told) or orders == (KOCIEMBA,)
    return tuple(
        WrittenCube(Facelets("".join(order.sorted(letters))), order, order_told=known)
        for order in orders
    )


def _own_orders(letters: tuple[str, ...]) -> tuple[FaceOrder, ...]:
    """Return the orders in which the centres are the letters of their faces."""
    blocks, net = "".join(letters[4::9]), FaceOrder.of_net()
    found = (FaceOrder.of_faces(blocks),) if sorted(blocks) == sorted(FACES) else ()
    return (*found, net) if "".join(net.sorted(letters)[4::9]) == FACES else found


def _by_colours(found: StickerText, told: tuple[FaceOrder, ...]) -> tuple[WrittenCube, ...]:
    """Return the readings of symbols of colours: in the orders whose centres are six colours.

    Raises:
        InvalidCubeError: There is none.
    """
    symbols = found.symbols
    if len(set(symbols)) > len(FACES):  # perhaps in both cases
        symbols = tuple(symbol.upper() for symbol in symbols)
    readings = []
    for order in told or USUAL_ORDERS:
        stickers = order.sorted(symbols)
        centres = stickers[4::9]
        if len(set(centres)) == len(FACES) and set(stickers) == set(centres):
            face_of = dict(zip(centres, FACES, strict=True))
            facelets = Facelets("".join(face_of[sticker] for sticker in stickers))
            readings.append(WrittenCube(facelets, order, centres, order_told=len(told) == 1))
    if not readings:
        raise InvalidCubeError(_why_no_colours(symbols, found.places, told))
    return tuple(readings)


def _why_no_colours(
    symbols: tuple[str, ...], places: tuple[str, ...], told: tuple[FaceOrder, ...]
) -> str:
    """Say why the centres do not name the six colours of the stickers."""
    counts = Counter(symbols)
    if len(counts) > len(FACES):
        rare, count = counts.most_common()[-1]
        at = symbols.index(rare)
        known = told or _own_orders(symbols)
        facelet = f"{facelet_name(known[0].cells.index(at))}, " if len(known) == 1 else ""
        where = f"{facelet}{places[at]}"
        colours = " ".join(symbol for symbol, _ in counts.most_common(len(FACES)))
        return (
            f"{rare!r} at {where} is not a colour of this cube, which has six, such as {colours}: "
            f"there are {len(counts)} different symbols; check that sticker"
            + (f" and the others of its {count}" if count > 1 else "")
        )
    if len(counts) < len(FACES):
        return f"the stickers show only {len(counts)} colours, but a cube has six: check the text"
    orders = told or USUAL_ORDERS
    centres = orders[0].sorted(symbols)[4::9]
    pairs = zip(CENTRE_FACELETS, centres, strict=True)
    shown = ", ".join(f"{facelet_name(facelet)} {symbol}" for facelet, symbol in pairs)
    return (
        f"the six centres must show six colours, but, {orders[0].text}, they show {shown}; check "
        "the order of the faces"
    )


def _chosen(readings: Sequence[WrittenCube], *, rotated: bool) -> WrittenCube:
    """Choose the reading that is a cube, or the nearest one.

    Args:
        readings: One for each possible order.
        rotated: If none is a cube, faces may be rotated.

    Raises:
        AmbiguousCubeError: Different cubes fit.
    """
    if len(readings) == 1 and not rotated:
        return readings[0]
    ranks = [_rank(each.facelets) for each in readings]
    if rotated and min(ranks) != _SOLVABLE and (upright := _upright(readings)):
        # In two orders around the cube, it is the same one if U and D are rotated, too.
        return _unique(upright, same=all(each._looks_like(upright[0]) for each in upright))
    fitting = [each for each, rank in zip(readings, ranks, strict=True) if rank == min(ranks)]
    if min(ranks) == _NO_CUBE:
        return min(fitting, key=lambda each: missing_pieces(each.facelets))
    return _unique(fitting, same=all(each.same_as(fitting[0]) for each in fitting))


def _rank(facelets: Facelets) -> int:
    verdict = examine(facelets)
    if verdict.solvable:
        return _SOLVABLE
    return _NO_CUBE if verdict.state is None else _COMPLETE


def _upright(readings: Sequence[WrittenCube]) -> list[WrittenCube]:
    """Return the readings with faces turned upright, those with the fewest turns first."""
    found = [
        (len(each.faces), replace(written, facelets=each.facelets, turned=each.text))
        for written in readings
        for each in turned_faces(written.facelets)
    ]
    return [written for _, written in sorted(found, key=lambda one: one[0])]


def _unique(fitting: Sequence[WrittenCube], *, same: bool) -> WrittenCube:
    """Return the first of several readings if they are the same cube.

    Raises:
        AmbiguousCubeError: They are different cubes.
    """
    if same:
        return fitting[0]
    orders = tuple(dict.fromkeys(each.order for each in fitting))
    names = tuple(order.name for order in orders)
    if len(orders) == 1:
        raise AmbiguousCubeError(
            f"{len(fitting)} different cubes look like this if faces may be rotated: write every "
            "face upright, as in the usual net",
            names,
        )
    ways = "; ".join(f"{order.name} ({order.text})" for order in orders)
    raise AmbiguousCubeError(
        f"this text describes different cubes, depending on the order of its stickers: {ways}. "
        "Say with --order which one it is, or write the name of each face before its stickers "
        "(U: …)",
        names,
    )
