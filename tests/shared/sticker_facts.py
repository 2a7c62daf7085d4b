"""Facts about a cube of stickers: angles, slices, tetrads, delta, signs, distances.

They are found by trying turns (`sticker_cube`), not by the program's coordinates.
"""

from functools import cache

from sticker_cube import (
    FACES,
    SOLVED,
    Cube,
    after,
    names,
    not_led_home,
    pieces,
    stickers,
)

Names = set[frozenset[str]]
ALL = tuple(face + turns for face in FACES for turns in ("", "2", "'"))
HALVES = tuple(move for move in ALL if move[1:] == "2")


def sets(text: str) -> Names:
    """Return names of pieces as sets of faces."""
    return {frozenset(name) for name in text.split()}


def wrong(cube: Cube, size: int = 0) -> Names:
    """Return the pieces that are not solved; with a number of stickers, or all."""
    found = names(cube, (i for i, sticker in enumerate(cube) if i != sticker))
    return {faces for faces in found if size in {0, len(faces)}}


def without_quarters(*faces: str) -> tuple[str, ...]:
    """Return all turns but the quarter turns of some faces."""
    return tuple(move for move in ALL if move[0] not in faces or move in HALVES)


def flipped(cube: Cube, first: str) -> Names:
    """Return edges that cannot come home without quarter turns of two opposite faces."""
    kept = without_quarters(first, opposite(first))
    return {faces for faces in not_led_home(cube, kept) if len(faces) == 2}


def twisted(cube: Cube, axis: str) -> Names:
    """Return corners without a sticker of these two faces' colours on these two faces."""
    both = {axis, opposite(axis)}
    corners = [places for faces, places in pieces().items() if len(faces) == 3]
    here = {p for places in corners for p in places if FACES[p // 9] in both}
    return names(cube, (p for p in here if FACES[cube[p] // 9] not in both))


def strangers(cube: Cube, axis: str) -> Names:
    """Return edges in the slice between two faces that do not belong there."""
    both = {axis, opposite(axis)}
    places = (
        p for faces, at in pieces().items() if len(faces) == 2 and not faces & both for p in at
    )
    return {faces for faces in names(cube, places) if faces & both}


def by_halves(cube: Cube, size: int) -> Names:
    """Return pieces with a number of stickers that half turns cannot bring home."""
    return {
        piece
        for faces, places in pieces().items()
        for piece in names(cube, places)
        if len(faces) == size and piece not in _half_reach(faces)
    }


@cache
def _half_reach(faces: frozenset[str]) -> frozenset[frozenset[str]]:
    """Return the places to which half turns bring the piece in a place."""
    seen, todo = {faces}, [faces]
    while todo:
        here = todo.pop()
        for move in HALVES:
            start = [sticker if i in pieces()[here] else -1 for i, sticker in enumerate(SOLVED)]
            moved = after(tuple(start), move)
            there = frozenset(FACES[i // 9] for i, sticker in enumerate(moved) if sticker >= 0)
            if there not in seen:
                seen.add(there)
                todo.append(there)
    return frozenset(seen)


def opposite(face: str) -> str:
    """Return the opposite face."""
    return FACES[(FACES.index(face) + 3) % 6]


def delta(cube: Cube) -> str:
    """Return the images of U, R and F under p∘q⁻¹; p of the tetrad of URF; empty if undefined."""
    if by_halves(cube, 3):
        return ""
    first: dict[str, str] = {}
    second: dict[str, str] = {}
    for faces, places in pieces().items():
        for other, at in pieces().items():
            shared = faces & other
            if len(faces) == len(other) == 3 and faces != other and len(shared) == 1:
                came = next(iter(names(cube, places))) & next(iter(names(cube, at)))
                mine = faces in _half_reach(frozenset("URF"))
                (first if mine else second)[_axis(shared)] = _axis(came)
    back = {there: here for here, there in second.items()}
    return "".join(first[back[axis]] for axis in "URF")


def _axis(shared: frozenset[str]) -> str:
    face = next(iter(shared))
    return face if face in "URF" else opposite(face)


def odd(cube: Cube, size: int) -> bool:
    """Return whether the permutation of the pieces with a number of stickers is odd."""
    places = [faces for faces in pieces() if len(faces) == size]
    at = {f: next(iter(names(cube, pieces()[f]))) for f in places}
    even, seen = True, set()
    for start in places:
        here, length = start, 0
        while here not in seen:
            seen.add(here)
            here, length = at[here], length + 1
        even ^= length > 0 and length % 2 == 0
    return not even


def twist_sum(cube: Cube) -> int:
    """Return the sum of all corner angles, in thirds of a turn, modulo 3."""
    total = 0
    for faces, places in pieces().items():
        if len(faces) == 3:
            start = next(p for p in places if FACES[p // 9] in "UD")
            mark = next(p for p in places if FACES[cube[p] // 9] in "UD")
            total += 0 if mark == start else 1 if _clockwise(start, mark, places) else 2
    return total % 3


def _clockwise(first: int, second: int, places: tuple[int, ...]) -> bool:
    """Return whether one sticker of a corner follows another clockwise, seen from outside."""
    third = next(p for p in places if p not in {first, second})
    (a, b, c), (d, e, f), (g, h, i) = (stickers()[p][1] for p in (first, second, third))
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0
