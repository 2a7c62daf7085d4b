"""One cube in the forms in which people and programs write it, and texts that must be refused."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from cubes import cube

from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import colour_net, text_net
from cube.patterns import find_pattern
from cube.written.face_orders import FaceOrder

CUBE = cube(10).to_facelets()
WESTERN, S4, JAPANESE, MIRRORED = "WRGYOB", "YGRWBO", "WRGBOY", "WOGYRB"
SQUARES, CIRCLES, DIGITS = "⬜🟥🟩🟨🟧🟦", "⚪🔴🟢🟡🟠🔵", "123456"
NAMES = {"W": "white", "R": "red", "G": "green", "Y": "yellow", "O": "orange", "B": "blue"}


class Form(NamedTuple):
    """A text, how it is read or why it is not.

    Attributes:
        text: The text.
        up: The colour or symbol that the top face must have; empty for letters of faces.
        front: The same for the front face.
        order: The order to give with it.
        found: The order that is found.
        refused: The exit code of the refusal; 0 if it is read as `CUBE`.
    """

    text: str
    up: str = ""
    front: str = ""
    order: str | None = None
    found: str = FACES
    refused: int = 0


def written(facelets: Facelets, order: str = FACES, alphabet: str = FACES) -> str:
    """Write a cube in symbols of its faces, URFDLB, and in an order."""
    cells = FaceOrder.named(order).cells
    symbol_at = dict(zip(cells, facelets.text, strict=True))
    return "".join(alphabet[FACES.index(symbol_at[cell])] for cell in range(54))


def rows(text: str, size: int) -> list[str]:
    """Break a text into pieces."""
    return [text[start : start + size] for start in range(0, len(text), size)]


def pattern(name: str) -> Facelets:
    """Return the stickers of a pattern."""
    found = find_pattern(name)
    assert found is not None
    return found.state.to_facelets()


def rotated(facelets: Facelets, face: str) -> Facelets:
    """Rotate the stickers of a face by a half turn, as a mistake in writing does."""
    return Facelets("".join(facelets.face(f)[:: -1 if f == face else 1] for f in FACES))


def _translated(text: str, alphabet: str) -> str:
    return text.translate(str.maketrans(FACES, alphabet))


def _letters_of_faces() -> Iterator[Form]:
    text, net = CUBE.text, text_net(CUBE.text)
    lines = net.splitlines()
    yield Form(text)
    yield Form(text.lower())
    yield Form(text.replace("U", "T"))
    yield Form(" ".join(rows(text, 9)))
    yield Form(" ".join(text))
    yield Form("\r\n".join(rows(text, 3)))
    yield Form("\ufeff" + text + "\n")
    yield Form("\u00a0".join(rows(text, 9)))
    yield Form("-".join(rows(text, 9)))
    yield Form("/".join(rows(text, 3)))
    yield Form(",".join(text))
    yield Form(f'"{text}"')
    yield Form(str(rows(text, 9)))
    yield Form(json.dumps([rows(CUBE.face(face), 3) for face in FACES]))
    yield Form(json.dumps({face: list(CUBE.face(face)) for face in "FBLRUD"}), found="FBLRUD")
    yield Form("\n".join(f"{f}: {CUBE.face(f)}" for f in "DLBURF"), found="DLBURF")
    names = {"Top": "U", "Left": "L", "Front": "F", "Right": "R", "Back": "B", "Bottom": "D"}
    yield Form("; ".join(f"{k} = {CUBE.face(f)}" for k, f in names.items()), found="ULFRBD")
    for order in ("ULFRBD", "UFRBLD", "FRBLUD", "net"):
        yield Form(written(CUBE, order), found=order)
    yield Form(text, order="URFDLB")
    yield Form(written(CUBE, "LFRBUD"), order="l f r b t d", found="LFRBUD")
    yield Form(net, found="net")
    yield Form(net, order="net", found="net")
    yield Form(net.strip(), found="net")
    yield Form("\n".join(line.strip() for line in lines), found="net")
    yield Form(colour_net(CUBE.text), found="net")
    yield Form("\n".join(f"│{line}│" for line in lines), found="net")
    # U above the first face of the middle band, which is F
    ahead = [line.strip() if len(line) < 20 else line[6:] + " " + line[:5] for line in lines]
    yield Form("\n".join(ahead), found="net")


def _symbols_of_colours() -> Iterator[Form]:
    western = {"up": "white", "front": "green"}
    for order in ("URFDLB", "ULFRBD", "UFRBLD", "net"):
        yield Form(written(CUBE, order, WESTERN), **western, found=order)
        yield Form(
            written(CUBE, order, S4.lower()), up="yellow", front="red", order=order, found=order
        )
    yield Form(written(CUBE, "ULFRBD", S4.lower()), "yellow", "red", found="ULFRBD")
    mixed = written(CUBE, alphabet=WESTERN)
    yield Form(mixed[:20] + mixed[20:].lower(), **western)
    yield Form(written(CUBE, "FBUDLR", WESTERN), **western, order="FBUDLR", found="FBUDLR")
    yield Form(written(CUBE, alphabet=JAPANESE), **western)
    yield Form(written(CUBE, alphabet=MIRRORED), **western)
    yield Form(written(CUBE, alphabet=DIGITS), "1", "3")
    yield Form(" ".join(written(CUBE, "UFRBLD", "012345")), "0", "2", found="UFRBLD")
    yield Form(written(CUBE, alphabet="ABCDEF"), "A", "C")
    yield Form(written(CUBE, "ULFRBD", SQUARES), **western, found="ULFRBD")
    yield Form("\ufe0f".join(written(CUBE, alphabet=CIRCLES)), **western)
    yield Form(written(CUBE, alphabet="🍎🍏🍐🍊🍋🍌"), "🍎", "🍐")
    wide = _translated(text_net(CUBE.text).replace(" ", ""), SQUARES).splitlines()
    yield Form(
        "\n".join(line if len(line) > 3 else "　　　" + line for line in wide),
        **western,
        found="net",
    )
    colours = [NAMES[symbol] for symbol in written(CUBE, alphabet=WESTERN)]
    yield Form(json.dumps(colours), **western)
    yield Form(_translated(text_net(CUBE.text), WESTERN), **western, found="net")


def _refused() -> Iterator[Form]:
    colours = written(CUBE, alphabet=WESTERN)
    solved = Facelets("".join(face * 9 for face in FACES))
    yield Form("", refused=2)
    yield Form(CUBE.text[:-1], refused=2)
    yield Form(CUBE.text + "U", refused=2)
    yield Form(colours + "!", refused=2)
    yield Form(CUBE.text[:20] + "X" + CUBE.text[21:], refused=2)
    yield Form(CUBE.text[:20] + "?" + CUBE.text[21:], refused=2)
    yield Form(colours[:20] + "P" + colours[21:], refused=2)
    yield Form("W" * 54, refused=2)
    yield Form("\n".join(f"{f}x: {CUBE.face(f)}" for f in FACES), refused=2)
    yield Form("\n".join(f"{f}: {CUBE.face(f)}" for f in "URFDLU"), refused=2)
    yield Form(f"U: {CUBE.text}", refused=2)
    lines = text_net(CUBE.text).replace(" ", "").splitlines()
    cross = [*lines[:3], *(line[:9] for line in lines[3:6]), *lines[6:]]
    yield Form("\n".join([*cross, *(line[9:] for line in lines[3:6])]), refused=2)
    aside = [line.strip() if len(line) < 20 else line for line in text_net(CUBE.text).splitlines()]
    yield Form("\n".join([*text_net(CUBE.text).splitlines()[:6], *aside[6:]]), refused=2)
    yield Form(text_net(CUBE.text), order="URFDLB", refused=2)
    labelled = "\n".join(f"{f}: {CUBE.face(f)}" for f in FACES)
    yield Form(labelled, order="ULFRBD", refused=2)
    yield Form(CUBE.text, order="URFDLL", refused=2)
    yield Form(CUBE.text, order="ULFRBD", refused=2)
    yield Form(written(solved, "net", WESTERN), refused=2)
    yield Form(written(pattern("six spots"), alphabet=WESTERN), refused=2)
    yield Form(written(pattern("kilt"), alphabet=DIGITS), refused=2)
    yield Form(written(CUBE, "FBUDLR", WESTERN), refused=4)
    yield Form(written(CUBE, alphabet=WESTERN), order="ULFRBD", refused=4)
    yield Form(rotated(CUBE, "F").text, refused=4)
    yield Form(written(rotated(CUBE, "D"), "UFRBLD", WESTERN), refused=4)
    yield Form(CUBE.text[:9] + CUBE.text[10] + CUBE.text[9] + CUBE.text[11:], refused=4)


READ = (*_letters_of_faces(), *_symbols_of_colours())
REFUSED = tuple(_refused())
