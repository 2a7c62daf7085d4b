"""A schematic picture of a machine as SVG text: the cube, and each part on its side of it."""

from collections.abc import Container, Iterator, Sequence

from cube.svg import document, element, points, text
from robot.rigs.parts import Drive, Part

Point = tuple[float, float, float]
"""To the right, up, and towards the front; a cube extends from -1 to 1."""

_SIDES: dict[str, Point] = {
    "U": (0, 1, 0),
    "R": (1, 0, 0),
    "F": (0, 0, 1),
    "D": (0, -1, 0),
    "L": (-1, 0, 0),
    "B": (0, 0, -1),
}
_ACROSS = {"U": "RL", "D": "RL", "R": "UD", "L": "UD", "F": "UD", "B": "UD"}
"""The sides of the cube that a claw's fingers reach over."""
_ROOT = 2.0
"""Distance from the middle at which a claw's fingers meet."""
_BEHIND = "LBD"
"""Sides that the cube partly hides: parts on them are drawn first."""
_COLOURS: dict[Drive, str] = {"motor": "#7d8ca3", "servo": "#e0a458", "output": "#7fb285"}
_SHADES = {"top": 1.12, "right": 0.85, "front": 1.0}
_SCALE = 42
_WIDTH, _CENTRE = 400, (200.0, 168.0)
_ROW = 20


def draw_machine(name: str, parts: Sequence[Part], marked: Container[str] = ()) -> str:
    """Draw a machine as an SVG document, with a list of its parts below.

    Equal machines give equal documents.

    Args:
        name: Its name.
        parts: Its parts.
        marked: Names of the parts to point out.
    """
    numbers = {
        part: f"{'▸' if part.name in marked else ''}{number}"
        for number, part in enumerate(parts, start=1)
    }
    shafts = [part for part in parts if part.role == "shaft"]
    claws = {part.side for part in parts if part.role == "claw"}
    behind = [part for part in reversed(parts) if part.side in _BEHIND]
    before = [part for part in parts if part.side not in _BEHIND]
    drawn: list[str] = []
    for part in behind:
        drawn += _part(part, numbers[part], claws)
    if [part.side for part in shafts] == ["D"]:  # the cube lies on it
        drawn += _block((0, -1.15, 0), (1.35, 0.12, 1.35), _COLOURS[shafts[0].drive])
    drawn += _cube()
    for part in parts:
        drawn += _over_the_cube(part)
    for part in before:
        drawn += _part(part, numbers[part], claws)
    top = _CENTRE[1] * 2 + 14
    for row, part in enumerate(parts):
        drawn += _legend(part, numbers[part], top + _ROW * row)
    height = top + _ROW * len(parts)
    style = "text{font:13px sans-serif;dominant-baseline:central}"
    ground = {"fill": "#fff"}
    return document((_WIDTH, height), drawn, style=style, ground=ground, about=(name, ""))


def _part(part: Part, number: str, claws: Container[str]) -> Iterator[str]:
    """Draw a part's actuator on its side, and the link from it to the cube or to the claw there."""
    colour = _COLOURS[part.drive]
    if part.role == "shaft":
        end = _ROOT if part.side in claws else 1.0
        yield _line([_along(part.side, end), _along(part.side, 2.9)], 7, "#555")
        yield from _actuator(_along(part.side, 2.9), 0.42, colour, number)
    elif part.role == "claw":
        width, reach = 1.25, 0.45
        for finger in _ACROSS[part.side]:
            tip = _sum(_along(part.side, reach), _along(finger, width))
            corner = _sum(_along(part.side, _ROOT), _along(finger, width))
            yield _line([tip, corner, _along(part.side, _ROOT)], 7, colour)
        yield from _actuator(_along(part.side, 3.9), 0.34, colour, number)
    elif part.role == "lever":
        foot = _sum(_along(part.side, 2.6), _beside(part.side))
        tip = _sum(_along(part.side, 0.8), (0, -1.3, 0))
        yield _line(
            [tip, _sum(_beside(part.side), (0, -1.3, 0)), _sum(foot, (0, -1.0, 0))], 8, colour
        )
        yield from _actuator(_sum(foot, (0, -0.6, 0)), 0.42, colour, number)
    elif part.role == "arm":
        foot = _along(part.side, 2.6)
        yield _line([_sum(foot, (0, -0.4, 0)), _sum(foot, (0, 2.0, 0))], 8, colour)
        yield from _actuator(_sum(foot, (0, -0.6, 0)), 0.42, colour, number)
    else:
        yield from _actuator(_along(part.side, 4.0), 0.42, colour, number)


def _over_the_cube(part: Part) -> Iterator[str]:
    """Draw the part of an arm above the cube."""
    if part.role == "arm":
        foot = _sum(_along(part.side, 2.6), (0, 2.0, 0))
        yield _line([foot, (0, 2.0, 0), (0, 1.35, 0)], 8, _COLOURS[part.drive])
        yield from _block((0, 1.3, 0), (0.7, 0.08, 0.7), _COLOURS[part.drive])


def _actuator(centre: Point, size: float, colour: str, number: str) -> Iterator[str]:
    yield from _block(centre, (size, size, size), colour)
    yield from _numbered(_at(centre), "#fff", number)


def _numbered(place: tuple[float, float], fill: str, number: str) -> Iterator[str]:
    x, y = place
    if marked := number.startswith("▸"):
        yield element("circle", cx=x, cy=y, r=13, fill="#ffd54a", stroke="#c0392b", stroke_width=4)
    yield element("circle", cx=x, cy=y, r=9, fill="#fff" if marked else fill, stroke="#222")
    yield text(number.removeprefix("▸"), x, y, text_anchor="middle")


def _cube() -> Iterator[str]:
    for axis, letter in ((1, "U"), (2, "F"), (0, "R")):
        for row in (-1, 0, 1):
            for column in (-1, 0, 1):
                middle = [column * 2 / 3, row * 2 / 3]
                middle.insert(axis, 1.0)
                half = [1 / 3, 1 / 3]
                half.insert(axis, 0.0)
                yield _face((middle[0], middle[1], middle[2]), half, axis, "#f4f1e8")
        x, y = _at(_sum(_along(letter, 1 / 3), (2 / 3, 2 / 3, 2 / 3)))
        yield text(letter, x, y, text_anchor="middle", fill="#777")


def _block(centre: Point, half: Point, colour: str) -> Iterator[str]:
    """Draw the three visible sides of a block."""
    for axis, shade in ((1, "top"), (2, "front"), (0, "right")):
        middle = list(centre)
        middle[axis] += half[axis]
        flat = [0.0 if number == axis else each for number, each in enumerate(half)]
        fill = _shaded(colour, _SHADES[shade])
        yield _face((middle[0], middle[1], middle[2]), flat, axis, fill)


def _face(middle: Point, half: Sequence[float], axis: int, fill: str) -> str:
    one, two = (number for number in range(3) if number != axis)
    corners = []
    for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        corner = list(middle)
        corner[one] += a * half[one]
        corner[two] += b * half[two]
        corners.append(_at((corner[0], corner[1], corner[2])))
    look = {"fill": fill, "stroke": "#222", "stroke_linejoin": "round"}
    return element("polygon", points=points(corners), **look)


def _line(corners: Sequence[Point], width: int, colour: str) -> str:
    look = {"fill": "none", "stroke": colour, "stroke_linejoin": "round"}
    return element("polyline", points=points(map(_at, corners)), stroke_width=width, **look)


def _legend(part: Part, number: str, y: float) -> Iterator[str]:
    places = ": " + ", ".join(part.places) if part.places else ""
    yield from _numbered((22, y), _COLOURS[part.drive], number)
    yield text(f"{part.name}, {part.drive} {part.channel}{places}", 40, y)


def _at(point: Point) -> tuple[float, float]:
    """Return the position of a point in the picture, seen from the corner of U, R and F."""
    x, y, z = point
    right, down = (x - z) * 0.866, (x + z) * 0.5 - y
    return round(_CENTRE[0] + _SCALE * right, 1), round(_CENTRE[1] + _SCALE * down, 1)


def _along(side: str, distance: float) -> Point:
    x, y, z = _SIDES[side]
    return x * distance, y * distance, z * distance


def _beside(side: str) -> Point:
    """Return the distance between a lever and an arm on its side."""
    return _along("R" if side == "B" else "F", 1.5)


def _sum(one: Point, two: Point) -> Point:
    return one[0] + two[0], one[1] + two[1], one[2] + two[2]


def _shaded(colour: str, share: float) -> str:
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{min(255, round(part * share)):02x}" for part in parts)
