"""The 54 stickers in a text as people write and paste it.

Between the stickers there may be spaces, line breaks, commas, quotes, brackets, lines of a drawn
net, and a terminal's colour codes. Names of faces before their stickers (``U: …``), and the shape
of a net, also tell the order.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, Self

from cube.errors import InvalidCubeError
from cube.moves import FACES
from cube.net import NET_ROWS, WESTERN_SCHEME
from cube.written.face_orders import FaceOrder

_LABELS = {
    **{face: face for face in FACES},
    "T": "U",
    "UP": "U",
    "TOP": "U",
    "RIGHT": "R",
    "FRONT": "F",
    "DOWN": "D",
    "BOTTOM": "D",
    "LEFT": "L",
    "BACK": "B",
}
_BETWEEN = frozenset(",;|/\\\"'`´“”„‘’‚«»‹›()[]{}<>_-‐‑–—+")
_VARIATION_SELECTORS = "\ufe0e\ufe0f"
_COLOUR_WORD = "|".join(WESTERN_SCHEME.values())
_PARTS = re.compile(
    r"(?P<code>\x1b\[[0-9;]*[A-Za-z])"
    r"|(?<![^\W\d_])(?P<label>[^\W\d_]++)[\"'”’]?[^\S\n]*[:=]"
    rf"|\b(?P<colour>{_COLOUR_WORD})\b"
    r"|(?P<symbol>.)",
    re.DOTALL | re.IGNORECASE,
)
# Numbers of stickers in the lines of a net.
_NET_LINES = (3, 3, 3, 12, 12, 12, 3, 3, 3)


@dataclass(frozen=True, slots=True)
class StickerText:
    """The stickers of a text.

    Attributes:
        symbols: One for each sticker, in the order of the text; names of colours as their initials.
        places: Where each of them is, for a person, such as ``line 2, character 5``.
        orders: The orders that names of faces or the shape of a net allow; empty if neither is
            there.
    """

    symbols: tuple[str, ...]
    places: tuple[str, ...]
    orders: tuple[FaceOrder, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Find the stickers of a text; there may be any number of them.

        Raises:
            InvalidCubeError: A name is not that of a face, the names do not stand before nine
                stickers of each face, or the parts of a net do not fit together.
        """
        stickers: list[_Sticker] = []
        labels: list[tuple[str, int]] = []
        line, character, column = 1, 1, 0
        for part in _PARTS.finditer(text):
            kind, found = part.lastgroup, part[0]
            here = _Sticker(found, line, character, column)
            if kind == "label":
                labels.append((_face_named(part["label"], here.place), len(stickers)))
            elif kind == "colour":
                stickers.append(here._replace(symbol=found[0].lower()))
            elif kind == "symbol" and not _is_between(found):
                stickers.append(here)
            if found == "\n":
                line, character, column = line + 1, 1, 0
            elif kind != "code":  # a terminal does not show it
                character += len(found)
                column += sum(map(_width, found))
        orders = _labelled(labels, len(stickers)) if labels else _net_orders(stickers)
        symbols = (each.symbol for each in stickers)
        return cls(tuple(symbols), tuple(each.place for each in stickers), orders)


class _Sticker(NamedTuple):
    """A sticker in the text: its line and character from 1, its column on a screen from 0."""

    symbol: str
    line: int
    character: int
    column: int

    @property
    def place(self) -> str:
        line = f"line {self.line}, " if self.line > 1 else ""
        return f"{line}character {self.character}"


def _is_between(character: str) -> bool:
    return (
        character.isspace()
        or character in _BETWEEN
        or "\u2500" <= character <= "\u257f"  # lines of a drawn net
        or not _width(character)
    )


def _width(character: str) -> int:
    """Return the columns of a character on a screen; a byte order mark, for example, has none."""
    if character in _VARIATION_SELECTORS or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _face_named(label: str, place: str) -> str:
    face = _LABELS.get(label.upper())
    if face is None:
        raise InvalidCubeError(
            f"{label!r} at {place} is not the name of a face: write U, R, F, D, L or B before its "
            "stickers, or leave the names out"
        )
    return face


def _labelled(labels: Sequence[tuple[str, int]], count: int) -> tuple[FaceOrder, ...]:
    """Return the order of the faces by their names, each before nine stickers."""
    faces = "".join(face for face, _ in labels)
    begins = [begin for _, begin in labels]
    sizes = [end - begin for begin, end in zip(begins, [*begins[1:], count], strict=True)]
    if sorted(faces) != sorted(FACES) or begins[0] or sizes != [9] * len(FACES):
        told = ", ".join(f"{face} {size}" for face, size in zip(faces, sizes, strict=True))
        raise InvalidCubeError(
            "the name of each face must stand once before its nine stickers, but the names and "
            f"the numbers of stickers are {told}"
        )
    return (FaceOrder.of_faces(faces),)


def _net_orders(stickers: Sequence[_Sticker]) -> tuple[FaceOrder, ...]:
    """Return the orders that the shape of a net allows; none if the text is not a net."""
    lines = [[each.column for each in line] for _, line in groupby(stickers, lambda one: one.line)]
    sizes = tuple(map(len, lines))
    if sizes != _NET_LINES:
        if len(set(sizes)) > 1 and set(sizes) <= {3, 6, 9, 12}:
            raise InvalidCubeError(
                f"lines of {', '.join(map(str, sizes))} stickers are a net of another shape: write "
                "it with three lines each for U, for L F R B side by side, and for D, or write the "
                "name of each face before its stickers (U: …)"
            )
        return ()
    usual, band, begins = FaceOrder.of_net(), NET_ROWS[1], lines[3][::3]
    above, below = lines[1][0], lines[-1][0]  # the first line often loses its blanks
    if above not in begins or below not in begins:
        return (usual,)
    if above != below:
        raise InvalidCubeError(
            "in this net, U and D are not in line: write them above and below the same face"
        )
    start = band.index("F") - begins.index(above)
    drawn = FaceOrder.of_net(band[start:] + band[:start])
    # Without its blanks, the usual net looks like one with U above its first face.
    return (drawn,) if above or drawn == usual else (usual, drawn)
