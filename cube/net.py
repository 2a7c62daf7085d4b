"""The net of a cube, in letters and in colour."""

from collections.abc import Iterator, Mapping

from cube.facelets import Facelets
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
"""How the six colours are shown on screens, as sRGB."""

_ANSI_LIGHT = ("white", "yellow", "orange")


def net_cells() -> Iterator[tuple[int, int, int]]:
    """Yield (row, column, facelet index) for the 54 cells of the net, 9 rows by 12 columns."""
    for band, faces in enumerate(NET_ROWS):
        for place, face in enumerate(faces):
            left = 3 * place if len(faces) > 1 else 3
            for cell in range(9):
                yield 3 * band + cell // 3, left + cell % 3, 9 * FACES.index(face) + cell


def text_net(facelets: Facelets) -> str:
    """Draw the net in letters, U above, L F R B side by side, D below."""
    grid = [[" "] * 12 for _ in range(9)]
    for row, column, index in net_cells():
        grid[row][column] = facelets.text[index]
    return "\n".join(" ".join(row).rstrip() for row in grid)


def colour_net(facelets: Facelets, scheme: Mapping[str, str] = WESTERN_SCHEME) -> str:
    """Draw the net with ANSI colours, for a terminal that shows 24-bit colour.

    The letters stay, for people who do not tell all colours apart.

    Args:
        facelets: The stickers.
        scheme: The colour name of each face: white, yellow, red, orange, green or blue.
    """
    grid = [["  "] * 12 for _ in range(9)]
    for row, column, index in net_cells():
        letter = facelets.text[index]
        name = scheme[letter]
        ink = "30" if name in _ANSI_LIGHT else "97"
        red, green, blue = bytes.fromhex(SCREEN_COLOURS[name][1:])
        grid[row][column] = f"\x1b[48;2;{red};{green};{blue};{ink}m{letter} \x1b[0m"
    return "\n".join("".join(row).rstrip() for row in grid)
