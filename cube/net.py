"""The net of a cube, in letters and in colour."""

import math
from collections.abc import Callable, Iterator, Mapping

from cube.moves import FACES

WESTERN_SCHEME = {
    "U": "white",
    "R": "red",
    "F": "green",
    "D": "yellow",
    "L": "orange",
    "B": "blue",
}
"""The usual colours of the faces, white up and green in front."""

NET_ROWS: tuple[str, ...] = ("U", "LFRB", "D")

SCREEN_COLOURS = {
    "white": "#f5f5f5",
    "yellow": "#ffd500",
    "red": "#c41e3a",
    "orange": "#ff7814",
    "green": "#009b48",
    "blue": "#0046ad",
}
"""The six colours on screens, as sRGB."""

_ANSI_LIGHT = ("white", "yellow", "orange")


def has_colours(scheme: Mapping[str, str]) -> bool:
    """Return whether a scheme names colours; the centres of a typed cube may be other symbols."""
    return set(scheme.values()) <= SCREEN_COLOURS.keys()


def screen_colour(face: str, scheme: Mapping[str, str]) -> str:
    """Return the colour of a face for drawing; the usual one if the scheme names no colours."""
    return SCREEN_COLOURS[(scheme if has_colours(scheme) else WESTERN_SCHEME)[face]]


def net_cells(side: int = 3) -> Iterator[tuple[int, int, int]]:
    """Yield (row, column, index of the sticker) for the cells of the net.

    Args:
        side: Stickers along an edge; the net of a cube of 3 has 9 rows and 12 columns.
    """
    for band, faces in enumerate(NET_ROWS):
        for place, face in enumerate(faces):
            left = side * place if len(faces) > 1 else side
            for cell in range(side * side):
                index = side * side * FACES.index(face) + cell
                yield side * band + cell // side, left + cell % side, index


def text_net(stickers: str) -> str:
    """Draw the net in letters, U above, L F R B side by side, D below.

    Args:
        stickers: One letter each, faces in the order URFDLB, each row by row: 54, or 24 of a 2×2×2
            cube.
    """
    return "\n".join(" ".join(row).rstrip() for row in _drawn(stickers, str, " "))


def colour_net(stickers: str, scheme: Mapping[str, str] = WESTERN_SCHEME) -> str:
    """Draw the net with ANSI colours, for a terminal that shows 24-bit colour.

    The letters remain, for people who cannot tell all colours apart.

    Args:
        stickers: The stickers, as in `text_net`.
        scheme: The colour name of each letter: white, yellow, red, orange, green or blue.
    """

    def painted(letter: str) -> str:
        name = scheme[letter]
        ink = "30" if name in _ANSI_LIGHT else "97"
        red, green, blue = bytes.fromhex(SCREEN_COLOURS[name][1:])
        return f"\x1b[48;2;{red};{green};{blue};{ink}m{letter} \x1b[0m"

    return "\n".join("".join(row).rstrip() for row in _drawn(stickers, painted, "  "))


def _drawn(stickers: str, draw: Callable[[str], str], blank: str) -> list[list[str]]:
    side = math.isqrt(len(stickers) // len(FACES))
    grid = [[blank] * (4 * side) for _ in range(3 * side)]
    for row, column, index in net_cells(side):
        grid[row][column] = draw(stickers[index])
    return grid
