"""Patterns look as their names say: the drawing on every face, whatever its colours are."""

from collections import Counter

from cube.moves import FACES
from cube.patterns import PATTERNS, find_pattern

PLAIN, CROSS, CHECKERS = "###/###/###", "·#·/###/·#·", "#·#/·#·/#·#"
SPOT, STRIPE, HOOK = "···/·#·/···", "···/###/···", "···/·##/·#·"
# How many faces show which drawing (`#` is the colour of the centre), and how many colours each
# of U R F D L B has.
DRAWN = {
    "superflip": ({CHECKERS: 6}, (5,) * 6),
    "checkerboard": ({CHECKERS: 6}, (2,) * 6),
    "six spots": ({SPOT: 6}, (2,) * 6),
    "four spots": ({PLAIN: 2, SPOT: 4}, (1, 2, 2) * 2),
    "cube in cube": ({"···/·##/·##": 6}, (2,) * 6),
    "cube in cube in cube": ({HOOK: 6}, (3,) * 6),
    "plus minus": ({PLAIN: 2, CROSS: 2, STRIPE: 2}, (1, 2, 2) * 2),
    "christman's cross": ({CROSS: 6}, (2,) * 6),
    "plummer's cross": ({CROSS: 6}, (2,) * 6),
    "vertical stripes": ({PLAIN: 2, STRIPE: 4}, (1, 3, 3) * 2),
    "tetris": ({SPOT: 6}, (3,) * 6),
    "anaconda": ({HOOK: 6}, (2,) * 6),
    "python": ({STRIPE: 2, HOOK: 4}, (2,) * 6),
    "spiral": ({"···/·#·/·##": 3, "···/·#·/##·": 3}, (2,) * 6),
    "twister": ({"···/###/##·": 6}, (2,) * 6),
    "gift box": ({CROSS: 2, STRIPE: 4}, (2, 3, 3) * 2),
    "kilt": ({SPOT: 6}, (3,) * 6),
    "tablecloth": ({CHECKERS: 2, SPOT: 4}, (4, 2, 4) * 2),
}


def drawing(letters: str) -> str:
    """Where a face shows its centre's colour, turned so that equal drawings are equal texts."""
    cells = ["#" if letter == letters[4] else "·" for letter in letters]
    ways = []
    for _ in range(4):
        cells = [cells[6 - 3 * (i % 3) + i // 3] for i in range(9)]
        ways.append("/".join("".join(cells[i : i + 3]) for i in (0, 3, 6)))
    return min(ways)


def test_patterns_look_as_they_are_known_and_are_short_and_ready_to_be_made() -> None:
    assert [pattern.name for pattern in PATTERNS] == list(DRAWN)
    for pattern in PATTERNS:
        facelets = pattern.state.to_facelets()
        faces = [facelets.face(face) for face in FACES]
        drawings, colours = DRAWN[pattern.name]
        expected = Counter({drawing(key.replace("/", "")): many for key, many in drawings.items()})
        assert Counter(map(drawing, faces)) == expected, pattern.name
        assert tuple(len(set(face)) for face in faces) == colours, pattern.name
        assert len(pattern.moves) == len(pattern.moves.simplified()) <= 20
        assert "\n" not in pattern.text
    assert len({pattern.state for pattern in PATTERNS}) == len(PATTERNS)
    assert len({pattern.slug for pattern in PATTERNS}) == len(PATTERNS)


def test_names_may_be_written_as_they_come() -> None:
    for name in ("cube in cube", "Cube-in-Cube", "CUBE_IN_CUBE", "cubeincube"):
        found = find_pattern(name)
        assert found is not None
        assert found.name == "cube in cube"
    assert find_pattern("plummers-cross") is find_pattern("Plummer's Cross")
    assert find_pattern("cube") is None
    assert find_pattern("") is None
