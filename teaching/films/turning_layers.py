"""Layers of a box that rotate in an animated SVG, seen from two sides.

Each view is an orthographic one, so the picture of a plane that rotates is an affine map at every
moment: each face of a layer is a group of polygons, and a CSS animation moves it by such maps.
Turns of the same name share it, with a delay of their own. A layer is drawn after what lies behind
it in a view, and before what lies in front of it: the part in front of an inner layer is drawn a
second time.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cube import svg
from cube.drawing import Patch, Point
from puzzles.kinds.solids import rotation
from teaching.films.figures import BoxView, Place, Sides, box_stickers, box_views, ink_on
from teaching.films.film import FilmLane, StickerLook, Times
from teaching.films.keyframes import Step, SvgSheet, shape_element

Points = NDArray[np.float64]
Layer = tuple[str, Place, Place]
"""The face from which a layer is seen, and its corners, in small cubes."""
_NAME = re.compile(r"(\d*)([URFDLB])(w?)(2|'|3)?")
_OUTWARD = {
    "U": (0, 1, 0),
    "R": (1, 0, 0),
    "F": (0, 0, 1),
    "D": (0, -1, 0),
    "L": (-1, 0, 0),
    "B": (0, 0, -1),
}
_QUARTERS = {None: 1, "2": 2, "'": -1, "3": -1}
_EYE = np.array([1.0, 1.0, 1.0])
"""The direction from the box to the eye in the first view; the opposite in the second."""
_MOST_TURNS = 150
"""With more turns, the file would be too large: the stickers of all change in place."""
_MOST_LETTERED = 40
"""With more turns, layers have no letters while they turn."""
_STEPS = 14
"""Maps of a quarter turn; browsers would not interpolate between them as a face turns."""
_ASIDE = 0.02
"""A face seen from the side has no area."""


class DrawnTurn(NamedTuple):
    """A turn of a layer of a box.

    Attributes:
        number: Number of its frame.
        name: Its name.
        begin_s: When it begins.
        end_s: When it ends.
        quarters: Number of quarter turns clockwise; -1 is one anticlockwise, 0 rests.
        face: The face from which that is clockwise.
        low: The lower corner of the layer, in small cubes.
        high: Its upper corner.
    """

    number: int
    name: str
    begin_s: float
    end_s: float
    quarters: int
    face: str
    low: Place
    high: Place

    def holds(self, place: Points) -> bool:
        """Return whether a point inside the box is in the layer."""
        return bool((place > self.low).all() and (place < self.high).all())

    @property
    def layer(self) -> Layer:
        """The layer that turns."""
        return self.face, self.low, self.high


def layer_turns(lane: FilmLane, times: Times) -> tuple[DrawnTurn, ...]:
    """Return the turns of a lane that are drawn as rotations; other turns change stickers."""
    space = lane.figure.space or {}
    if "sides" not in space or lane.turns > _MOST_TURNS:
        return ()
    found = []
    for number, frame in enumerate(lane.frames[1:], start=1):
        if match := _NAME.fullmatch(frame.move):
            which, face, wide, suffix = match.groups()
            last = int(which or (2 if wide else 1))
            layer = _layer(space["sides"], face, 1 if wide else last, last)
            begin, quarters = times.begins[number], _QUARTERS[suffix]
            found.append(
                DrawnTurn(number, frame.move, begin, begin + times.turn_s, quarters, *layer)
            )
    return tuple(found)


def _layer(sides: Sides, face: str, first: int, last: int) -> Layer:
    """Return some of the layers that are seen from a face; the outermost is number 1."""
    axis = _axis(face)
    low, high = [0.0, 0.0, 0.0], [float(side) for side in sides]
    if sum(_OUTWARD[face]) > 0:
        low[axis], high[axis] = high[axis] - last, high[axis] - first + 1
    else:
        low[axis], high[axis] = first - 1.0, float(last)
    return face, _place(low), _place(high)


def _eye(view: BoxView) -> Points:
    return -_EYE if view.number else _EYE


class _Plane(NamedTuple):
    """A face of a layer: its outward normal, a corner, and its directions and lengths."""

    normal: Points
    corner: Points
    one: Points
    other: Points
    long: float
    high: float


def _planes(turn: DrawnTurn) -> Iterator[_Plane]:
    low, high = np.array(turn.low), np.array(turn.high)
    for axis in range(3):
        one, other = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        size = high - low
        for end in (low, high):
            corner = low.copy()
            corner[axis] = end[axis]
            normal = np.eye(3)[axis] * (1 if end is high else -1)
            yield _Plane(normal, corner, one, other, size @ one, size @ other)


@dataclass
class LayerSheet:
    """The moving layers of one figure.

    Args:
        sheet: The document.
        lane: The puzzle.
        turns: Its turns, as `layer_turns` returns them.
        offset: The upper left corner of the figure.
        lettered: Whether stickers have letters.
    """

    sheet: SvgSheet
    lane: FilmLane
    turns: tuple[DrawnTurn, ...]
    offset: Point
    lettered: bool
    _slots: Mapping[int, tuple[str, Points]] = field(init=False)
    _steps: dict[str, tuple[Step, ...]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        space = self.lane.figure.space or {}
        self.sides: Sides = space["sides"] if self.turns else (3, 3, 3)
        stickers = box_stickers(self.sides)
        self._slots = {slot: (face, np.array(ends)) for slot, face, ends in stickers}
        self.views = box_views(self.sides) if self.turns else ()

    def rests(self, slot: int) -> dict[str, str]:
        """Return the attributes of a sticker's place, empty while its layer rotates."""
        face, ends = self._slots[slot]
        inside = ends.mean(axis=0) - 0.2 * np.array(_OUTWARD[face])
        return self._hidden(turn for turn in self.turns if turn.holds(inside))

    def _hidden(self, turns: Iterable[DrawnTurn], *, hidden: bool = True) -> dict[str, str]:
        """Return the attributes of an element that is hidden while layers turn, or only then."""
        found = [(0.0, "1" if hidden else "0")]
        for turn in turns:
            during, after = ("0", "1") if hidden else ("1", "0")
            if found[-1][0] >= turn.begin_s - 1e-9:
                found.pop()
            found += [(turn.begin_s, during), (turn.end_s, after)]
        attributes = self.sheet.valued("opacity", found)
        return attributes if hidden else attributes | {"opacity": "0"}

    def bodies(self, backs: Sequence[tuple[Point, ...]]) -> None:
        """Draw the body of the box in each view, without the layer that turns."""
        draw = self.sheet.body.append
        for view, back in zip(self.views, backs, strict=False):
            whole = self._hidden(self.turns)
            draw(shape_element(Patch(back, ""), self.offset, class_="p", **whole))
            layers: dict[Layer, list[DrawnTurn]] = {}
            for turn in self.turns:
                layers.setdefault(turn.layer, []).append(turn)
            for layer, turns in layers.items():
                behind, before = _rests(self.sides, layer, view)
                parts = [part for part in (behind, before) if part]
                if not parts:
                    continue  # the whole box turns
                self.sheet.open(**self._hidden(turns, hidden=False))
                for rest in parts:
                    draw(shape_element(Patch(view.rim(*rest), ""), self.offset, class_="p"))
                if behind:
                    draw(shape_element(_cut(view, turns[0]), self.offset, class_="c"))
                self.sheet.close()

    def draw(self, *, near: bool) -> None:
        """Draw the layers that turn in front of the rest of the box, or behind it."""
        for view in self.views:
            for turn in self.turns:
                behind, before = _rests(self.sides, turn.layer, view)
                if bool(behind) != near:
                    continue
                self._turn(view, turn)
                if behind and before:  # it covers the layer
                    low, high = before
                    self._turn(view, turn._replace(quarters=0, low=low, high=high))

    def _turn(self, view: BoxView, turn: DrawnTurn) -> None:
        delay = self.sheet.keyframes.delay(turn.begin_s)
        left, top = self.offset
        place = f"translate({left:g} {top:g})"
        self.sheet.open(class_=f"r {delay}", transform=place, stroke_width=0.93 * view.scale)
        for number, plane in enumerate(_planes(turn)):
            key = f"{turn[1]} {turn[4:]} {self.sides} {view.number} {number}"
            if key not in self._steps:
                self._steps[key] = tuple(_steps(view, turn, plane))
            steps = self._steps[key]
            if not any(seen for _, _, seen in steps):
                continue
            share = turn.end_s - turn.begin_s
            name = self.sheet.keyframes.moving(key, share, steps)
            drawn = "".join(self._face(view, turn, plane))
            self.sheet.body.append(svg.element("g", drawn, class_=name, visibility="hidden"))
        self.sheet.close()

    def _face(self, view: BoxView, turn: DrawnTurn, plane: _Plane) -> Iterator[str]:
        """Yield the plastic and the stickers of a face, in its own plane, in pixels."""
        scale = view.scale
        long, high = scale * plane.long, scale * plane.high
        axis = int(np.argmax(np.abs(plane.normal)))
        cut = bool(0 < plane.corner[axis] < self.sides[axis])
        square = f"M0 0h{_one_digit(long)}v{_one_digit(high)}h-{_one_digit(long)}z"
        yield svg.element("path", class_="c" if cut else "p", d=square)
        paths: dict[str, str] = {}
        letters: list[str] = []
        looks = self.lane.frames[turn.number - 1].looks
        faces = [face for face, out in _OUTWARD.items() if not cut and plane.normal @ out > 0.5]
        for slot, (face, ends) in self._slots.items():
            if face not in faces:
                continue
            middle = ends.mean(axis=0)
            if not turn.holds(middle - 0.2 * plane.normal):
                continue
            x = scale * ((middle - plane.corner) @ plane.one)
            y = scale * ((middle - plane.corner) @ plane.other)
            fill = looks[slot].fill
            paths[fill] = paths.get(fill, "") + f"M{_one_digit(x)} {_one_digit(y)}h0"
            letters += self._letter(looks[slot], plane, ends, (x, y))
        for fill, dots in paths.items():
            yield svg.element("path", stroke=fill, d=dots)
        yield from letters

    def _letter(self, look: StickerLook, plane: _Plane, ends: Points, at: Point) -> Iterator[str]:
        """Yield a letter, along the first side of its sticker."""
        if not (self.lettered and look.label and len(self.turns) <= _MOST_LETTERED):
            return
        px = next((mark.letter_px for mark in self.lane.figure.marks), 0.0)
        along, down = ends[1] - ends[0], ends[3] - ends[0]
        a, b, c, d = (way @ to for way in (along, down) for to in (plane.one, plane.other))
        place = f"matrix({a:g} {b:g} {c:g} {d:g} {at[0]:.1f} {at[1]:.1f})"
        ink = ink_on(look.fill)
        yield svg.element("text", look.label, transform=place, font_size=round(px), fill=ink)


def _rests(
    sides: Sides, layer: Layer, view: BoxView
) -> tuple[tuple[Place, Place] | None, tuple[Place, Place] | None]:
    """Return the corners of the box behind a layer and of that in front, None if it is empty."""
    face, low, high = layer
    axis = _axis(face)
    lower, upper = (0.0, 0.0, 0.0), _place(sides)
    below = (lower, _moved(upper, axis, low[axis])) if low[axis] > 0 else None
    above = (_moved(lower, axis, high[axis]), upper) if high[axis] < sides[axis] else None
    return (above, below) if view.number else (below, above)


def _moved(place: Place, axis: int, to: float) -> Place:
    values = list(place)
    values[axis] = to
    return _place(values)


def _axis(face: str) -> int:
    return next(axis for axis in range(3) if _OUTWARD[face][axis])


def _place(values: Sequence[float] | Points) -> Place:
    x, y, z = map(float, values)
    return x, y, z


def _cut(view: BoxView, turn: DrawnTurn) -> Patch:
    """Return the face of what lies behind a layer at which the layer turns."""
    away = -_eye(view) * np.abs(_OUTWARD[turn.face])
    plane = next(each for each in _planes(turn) if each.normal @ away > 0.5)
    ends = ((0, 0), (plane.long, 0), (plane.long, plane.high), (0, plane.high))
    corners = (plane.corner + x * plane.one + y * plane.other for x, y in ends)
    return Patch(tuple(view.at(*_place(corner)) for corner in corners), "")


def _one_digit(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _steps(view: BoxView, turn: DrawnTurn, plane: _Plane) -> Iterator[Step]:
    axis = np.array(_OUTWARD[turn.face], float)
    middle = (np.array(turn.low) + np.array(turn.high)) / 2

    def rows(share: float) -> Points:
        eased = share * share * (3 - 2 * share)
        return rotation(axis, -turn.quarters * np.pi / 2 * eased)

    def towards(share: float) -> float:
        return float(_eye(view) @ (rows(share) @ plane.normal))

    def written(share: float) -> str:
        turned = rows(share)
        origin = np.array(view.at(*_place(turned @ (plane.corner - middle) + middle)))
        ways = []
        for way in (plane.one, plane.other):
            end = view.at(*_place(turned @ (plane.corner + way - middle) + middle))
            ways += list((np.array(end) - origin) / view.scale)
        return f"matrix({','.join(_short(way) for way in ways)},{origin[0]:.1f},{origin[1]:.1f})"

    count = max(1, _STEPS * abs(turn.quarters))
    for number in range(count):
        share = (number + 1) / count
        yield number / count, written(share), towards(share) > _ASIDE
    yield 1.0, "", False


def _short(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) >= 5e-4 else "0"
