"""The possible statements of a lesson about the task of a step, and their checks.

Each pattern represents one sentence; its function returns whether it is true of a scene, and the
pieces that the step is about.

This module also contains a lesson's texts about a step, and the cubes for checking them.

Finally, it contains the possible statements of what a step settles, and their checks.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from benchmarks.captions.facts import (
    ALL,
    HALVES,
    Names,
    away,
    by_halves,
    delta,
    fewest,
    flipped,
    in_tetrads,
    odd,
    sets,
    slice_lacks,
    strangers,
    twist_sum,
    twisted,
    two_layers,
    without_quarters,
    wrong,
)
from benchmarks.captions.sticker_cube import SOLVED, Cube, after, names, pieces, straight


@dataclass(frozen=True, slots=True)
class Caption:
    """One step with its texts."""

    name: str
    caption: str
    settles: str
    moves: str
    about: tuple[str, ...]
    moving: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """The cubes for checking a sentence.

    Attributes:
        before: The cube before its step.
        cube: The cube at the end of its step, or of a later one.
        said: The step.
        later: The turns of all later steps.
    """

    before: Cube
    cube: Cube
    said: Caption
    later: tuple[str, ...]

    @property
    def moves(self) -> tuple[str, ...]:
        """The turns of the step."""
        return tuple(self.said.moves.split())

    @property
    def moved(self) -> Names:
        """The pieces with another place or orientation after the step."""
        return names(self.before, (i for i in range(54) if self.before[i] != self.cube[i]))


CROSS, FIRST, MIDDLE = "DR DF DL DB", "DFR DLF DBL DRB", "FR FL BL BR"

Found = tuple[bool, Names]
"""Whether a sentence is true, and the pieces that its step is then about."""


def _counted(found: Names, number: str) -> Found:
    return len(found) == int(number) > 0, found


def _none(found: Names) -> Found:
    return not found, set()


def _from_settled(scene: Scene, pattern: str) -> str:
    """Return the axis that the step's other line names."""
    match = re.search(pattern, scene.said.settles)
    return match[1] if match else ""


def _edge_angles(scene: Scene) -> Names:
    return flipped(scene.before, _from_settled(scene, r"quarter turns of ([URF]) and"))


def _corner_angles(scene: Scene) -> Names:
    return twisted(scene.before, _from_settled(scene, r"each ([URF]) or"))


def _only_halves(scene: Scene, faces: str) -> Found:
    return all(move[0] not in faces or move in HALVES for move in scene.later), set()


def _no_delta(scene: Scene, number: str) -> Found:
    return _counted(by_halves(scene.before, 3), number)


def _some_delta(scene: Scene, values: str) -> Found:
    return delta(scene.before) == values.replace(" ", "") != "URF", set()


def _last_home(scene: Scene, number: str) -> Found:
    true, found = _counted(wrong(scene.before), number)
    return true and set(scene.moves) <= set(HALVES), found


def _placed(scene: Scene, name: str, rest: str | None) -> Found:
    known = (rest or "").replace("the cross", CROSS).replace("the first layer", f"{CROSS} {FIRST}")
    goal, kept = sets(name), sets(known.replace(" and ", " "))
    right = goal <= wrong(scene.before) and not kept & wrong(scene.before)
    return right and not (goal | kept) & wrong(scene.cube), goal


def _stage(scene: Scene, number: str, text: str, kept: str = "") -> Found:
    missing = sets(text) & wrong(scene.before)
    right = not sets(kept) & wrong(scene.before) and not sets(f"{text} {kept}") & wrong(scene.cube)
    return right and len(missing) == int(number) > 0, missing


def _up(cube: Cube) -> bool:
    return all(sticker < 9 for sticker in cube[:9])


@cache
def _cases() -> dict[tuple[str, str], str]:
    """Return the turns of the last layer's cases, by kind and number, from the program's file."""
    text = resources.files("teaching.methods").joinpath("data/last_layer.txt").read_text("utf-8")
    rows = [line.split(maxsplit=2) for line in text.splitlines() if line and line[0] != "#"]
    return {(kind, number): moves for kind, number, moves in rows}


def _seen_round(scene: Scene, kind: str, number: str) -> list[Cube]:
    """Return the effect of a case's turns on the cube, from all four sides."""
    turns = _cases().get((kind, number), "")
    sides = (("", ""), ("y", "y'"), ("y2", "y2"), ("y'", "y"))
    return [after(scene.before, f"{there} {turns} {back}") for there, back in sides]


def _oll(scene: Scene, number: str, case: str, cases: str) -> Found:
    ups = (place for place, sticker in enumerate(scene.before) if place >= 9 > sticker)
    true, found = _counted(names(scene.before, ups), number)
    right = two_layers(scene.before) and two_layers(scene.cube) and _up(scene.cube)
    known = any(_up(made) and two_layers(made) for made in _seen_round(scene, "OLL", case))
    return true and right and known and cases == "57", found


def _pll(scene: Scene, case: str, cases: str) -> Found:
    made = [
        after(one, turn)
        for one in _seen_round(scene, "PLL", case)
        for turn in ("", "U", "U2", "U'")
    ]
    known = _up(scene.before) and two_layers(scene.before) and SOLVED in made
    return known and cases == "21", wrong(scene.before)


def _fits(scene: Scene) -> Found:
    one = len(scene.moves) == 1 and scene.moves[0][0] == "U" and scene.cube == SOLVED
    return one, wrong(scene.before)


def _parity(scene: Scene) -> Found:
    before = odd(scene.before, 3) and odd(scene.before, 2)
    even = not odd(scene.cube, 3) and not odd(scene.cube, 2)
    return before and even and scene.moves == ("U",), scene.moved


def _stayed(scene: Scene) -> Names:
    """Return the pieces with another orientation in the same places."""
    return {
        piece
        for at in pieces().values()
        for piece in names(scene.before, at) & names(scene.cube, at) & scene.moved
    }


def _cycle(scene: Scene, kind: str) -> Found:
    moved, size = scene.moved, {"corners": 3, "edges": 2}[kind]
    right = len(moved) == 3 and all(len(piece) == size for piece in moved)
    return right and not _stayed(scene) and two_layers(scene.cube), moved


def _turn_two(scene: Scene, size: int) -> Found:
    moved = scene.moved
    right = len(moved) == 2 and all(len(piece) == size for piece in moved)
    return right and _stayed(scene) == moved and two_layers(scene.cube), moved


def _back(text: str) -> str:
    swap = {"": "'", "'": "", "2": "2"}
    return " ".join(move[0] + swap[move[1:]] for move in reversed(text.split()))


def _commutator(scene: Scene, *parts: str | None) -> Found:
    setup, x, t, undo, side = (part or "" for part in parts)
    word = f"{side} {setup} {x} {t} {_back(x)} {_back(t)} {undo} {_back(side)}"
    return _back(setup) == undo and straight(after(scene.before, word)) == scene.cube, scene.moved


def _fewest(scene: Scene, number: str) -> Found:
    return scene.cube == SOLVED and fewest(scene.before) == int(number), wrong(scene.before)


AXIS = r"([URF]) and [DLB]"
_THEN = r": then the corners are in one of the 96 arrangements that half turns make\."
SENTENCES: dict[str, Callable[..., Found]] = {
    r"Flip (\d+) edges?, whose angle is 180 degrees\.": lambda s, n: _counted(_edge_angles(s), n),
    r"Every edge angle is 0 already\.": lambda s: _none(_edge_angles(s)),
    r"Untwist (\d+) corners?, whose ([URF]) or [DLB] sticker lies on neither \2 nor [DLB]\.": (
        lambda s, n, axis: _counted(twisted(s.before, axis), n)
    ),
    r"Every corner angle is 0 already\.": lambda s: _none(_corner_angles(s)),
    rf"Bring (\d+) edges? into the slice between {AXIS}\.": (
        lambda s, n, axis: _counted(slice_lacks(s.before, axis), n)
    ),
    rf"The slice between {AXIS} already holds its own edges\.": (
        lambda s, axis: _none(slice_lacks(s.before, axis))
    ),
    rf"Bring (\d+) corners? into their tetrads and make δ = p∘q⁻¹ the identity "
    rf"\(it has no value yet\){_THEN}": _no_delta,
    rf"Make δ = p∘q⁻¹, which takes U R F to (. . .), the identity{_THEN}": _some_delta,
    rf"Both tetrads already hold their own corners, and δ = p∘q⁻¹ is the identity{_THEN}": (
        lambda s: (in_tetrads(s.before), set())
    ),
    r"Bring (\d+) edges? into their slices\.": lambda s, n: _counted(by_halves(s.before, 2), n),
    r"Every slice already holds its own four edges\.": lambda s: _none(by_halves(s.before, 2)),
    r"Every piece is already at home\.": lambda s: _none(wrong(s.before)),
    r"Bring the last (\d+) pieces? home with half turns only\.": _last_home,
    r"Bring (\d+) pieces? home\.": lambda s, n: _counted(wrong(s.before), n),
    r"After this step, ([URFDLB ,and]+?)(?: also)? make half turns only\.": _only_halves,
    r"Bring ([URFDLB]+) home"
    r"(?:; the pieces placed before are home again at the end: (.+))?\.": _placed,
    r"Bring (\d+) edges? of D home: a cross whose arms match the centres at the sides\.": (
        lambda s, n: _stage(s, n, CROSS)
    ),
    r"Bring (\d+) corners? of D home, keeping the cross: the first layer\.": (
        lambda s, n: _stage(s, n, FIRST, CROSS)
    ),
    r"Bring (\d+) edges? of the middle layer home, keeping the first layer\.": (
        lambda s, n: _stage(s, n, MIDDLE, f"{FIRST} {CROSS}")
    ),
    r"Turn (\d+) pieces? of the last layer so that U is up: case (\d+) of (\d+)\.": _oll,
    r"Swap pieces of the last layer: case (\d+) of (\d+)\.": _pll,
    r"Turn the last layer until it fits\.": _fits,
    r"The corners are in an odd permutation, which no commutator repairs: a quarter turn of U "
    r"makes both corners and edges even\.": _parity,
    r"Cycle three (corners|edges) of the last layer\.": _cycle,
    r"Twist two corners of the last layer in opposite directions\.": lambda s: _turn_two(s, 3),
    r"Flip two edges of the last layer\.": lambda s: _turn_two(s, 2),
    r"(?:[Ss]etup (.+?) · )?[Cc]ommutator of (.+?) and (.+?)(?: · undo (.+?))?"
    r"(?:, seen after (y.?))?\.": _commutator,
    r"The fewest turns of faces and slices, found by search: (\d+) turns?\.": _fewest,
}


def _is_home(scene: Scene, text: str) -> bool:
    return not sets(text) & wrong(scene.cube)


def _only_quarters(axis: str) -> bool:
    """Return whether only the quarter turns of two opposite faces change edge angles."""
    kept = without_quarters(axis, OPPOSITE[axis])
    return all(bool(flipped(after(SOLVED, move), axis)) == (move not in kept) for move in ALL)


OPPOSITE = {"U": "D", "R": "L", "F": "B"}
CLAUSES: dict[str, Callable[..., bool]] = {
    rf"every edge angle β is 0, and only quarter turns of {AXIS} change it \(S3, Φ1\)": (
        lambda s, axis: not flipped(s.cube, axis) and _only_quarters(axis)
    ),
    r"every corner angle α is 0, each ([URF]) or [DLB] sticker of a corner lying on \1 or [DLB]": (
        lambda s, axis: not twisted(s.cube, axis)
    ),
    rf"the slice between {AXIS} holds its own edges \(S3, Φ2\)": (
        lambda s, axis: not slice_lacks(s.cube, axis) and not strangers(s.cube, axis)
    ),
    r"both tetrads hold their own corners and δ = p∘q⁻¹ is the identity \(S3, Φ3\)": (
        lambda s: in_tetrads(s.cube)
    ),
    r"every slice holds its own four edges \(S3, Φ3\)": lambda s: not by_halves(s.cube, 2),
    r"every piece is at home": lambda s: s.cube == SOLVED,
    r"the corner permutation is even, and so is that of the edges \(ε = 1\)": (
        lambda s: not odd(s.cube, 3) and not odd(s.cube, 2)
    ),
    r"each corner is in its place, whatever its angle": lambda s: not away(s.cube, 3),
    r"each edge is in its place, whatever its angle": lambda s: not away(s.cube, 2),
    r"every corner angle is 0, as their sum was from the beginning": (
        lambda s: not twisted(s.cube, "U") and twist_sum(s.before) == 0
    ),
    r"every edge angle is 0, as their sum was from the beginning": (
        lambda s: not flipped(s.cube, "F") and len(flipped(s.before, "F")) % 2 == 0
    ),
    r"every corner and edge angle is 0": (
        lambda s: not twisted(s.cube, "U") and not flipped(s.cube, "F")
    ),
    r"the four edges of D are at home and oriented correctly": lambda s: _is_home(s, CROSS),
    r"the first layer is solved": lambda s: _is_home(s, f"{CROSS} {FIRST}"),
    r"the first layer is solved, ([URFDLB ]+) (?:is|are) at home and oriented correctly": (
        lambda s, more: _is_home(s, f"{CROSS} {FIRST} {more}")
    ),
    r"((?:[URFDLB]{2,3} )+)(?:is|are) at home and oriented correctly": _is_home,
    r"the first two layers are solved(?:, and above them is one of 62 208 last layers)?": (
        lambda s: two_layers(s.cube)
    ),
}
LEFT: dict[str, Callable[[Scene], Names]] = {
    "corners placed": lambda s: away(s.cube, 3),
    "edges placed": lambda s: away(s.cube, 2),
    "corners turned": lambda s: twisted(s.cube, "U"),
    "edges turned": lambda s: flipped(s.cube, "F"),
}
