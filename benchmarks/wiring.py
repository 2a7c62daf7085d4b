"""Draws how servos are wired to a Raspberry Pi: `python -m benchmarks.wiring docs/pictures/wiring`.

One picture for each rig whose board is the computer itself. Names and numbers of the servos come
from the rig, and so do the GPIO numbers.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cube.svg import document, element, points, text
from robot.rigs.board_file import BoardFile
from robot.rigs.catalogue import named_rig

Place = tuple[float, float]

_PWM = {32: "GPIO 12", 34: "ground", 33: "GPIO 13"}
"""Pins of the header that pulse servos, and their ground."""
_PINS = {12: 32, 13: 33}
"""Pin of the header, by GPIO number."""
_I2C = {1: "3.3 V", 3: "SDA", 5: "SCL", 6: "ground"}
_COLOURS = {
    "3.3 V": "#b8860b",
    "5 V": "#c0392b",
    "ground": "#222222",
    "SDA": "#2471a3",
    "SCL": "#1e8449",
    "signal": "#d35400",
}
_ROW = 17
_LEFT, _RIGHT, _TOP = 96.0, 120.0, 76.0
"""Where the two columns of pins are, and the row of pin 1."""
_BOX = 330.0
_PLUS, _MINUS = 306.0, 290.0
"""The rails of the servos' supply."""
_SIZE = (640, 468)


def main(folder: Path) -> None:
    """Draw every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawn in (("cubotino-pi", _pulsed), ("four-claws-pi", _driven)):
        about = f"Wiring of {name}", "Pins of the Raspberry Pi's header, servos and their supply"
        style = "text{font:13px sans-serif;dominant-baseline:central}.pin{font-size:8px}"
        picture = document(
            _SIZE, list(drawn(name)), style=style, ground={"fill": "#fff"}, about=about
        )
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


def _pulsed(rig: str) -> Iterator[str]:
    """Two servos at pins with hardware PWM, and the camera at the ribbon."""
    yield from _header(_PWM)
    yield from _box(_BOX, 26, 34, "camera: ribbon cable to CAM / CAM0")
    yield _wire([(170, 43), (_BOX, 43)], "#888888")
    for number, (name, pin) in enumerate(zip(_servos(rig), _pins(rig), strict=True)):
        top = 96.0 + 110 * number
        yield from _box(_BOX, top, 88, f"servo {number}: {name}")
        rows = {"signal": top + 36, "5 V": top + 55, "ground": top + 74}
        for label, y in rows.items():
            yield text(label, _BOX + 10, y)
        yield from _from_pin(pin, 200.0 + 24 * number, rows["signal"], "signal")
        yield from _to_supply(rows)
    yield from _supply(34)


def _driven(rig: str) -> Iterator[str]:
    """Eight servos at a PCA9685 on the I2C bus."""
    yield from _header(_I2C)
    yield from _box(_BOX, 60, 290, "PCA9685", width=114)
    rows = {"3.3 V": 108.0, "SDA": 138.0, "SCL": 168.0, "ground": 198.0}
    power = {"5 V": 300.0, "ground": 326.0}
    for label, y in zip(("VCC", "SDA", "SCL", "GND"), rows.values(), strict=True):
        yield text(label, _BOX + 10, y)
    for label, y in zip(("V+", "GND"), power.values(), strict=True):
        yield text(label, _BOX + 10, y)
    for lane, (pin, signal) in enumerate(_I2C.items()):
        yield from _from_pin(pin, 250.0 - 20 * lane, rows[signal], signal)
    for number, name in enumerate(_servos(rig)):
        y = 92.0 + 32 * number
        yield text(str(number), _BOX + 106, y, text_anchor="end")
        yield _wire([(_BOX + 114, y), (_BOX + 150, y)], _COLOURS["signal"], 5)
        yield from _box(_BOX + 150, y - 13, 26, f"servo {number}: {name}", width=140)
    yield text("each servo: signal, V+, ground", _BOX + 4, 362)
    yield from _to_supply(power)
    yield from _supply(None)


def _servos(rig: str) -> Sequence[str]:
    """Return the names of a rig's servos, by number."""
    servos = [part for part in named_rig(rig).parts if part.drive == "servo"]
    return [part.name for part in sorted(servos, key=lambda part: part.channel)]


def _pins(rig: str) -> Sequence[int]:
    """Return the pins of the header that the rig's servos are connected to."""
    board = named_rig(rig).board
    return [_PINS[channel] for channel in board.channels] if isinstance(board, BoardFile) else ()


def _header(used: Mapping[int, str]) -> Iterator[str]:
    """The Pi's 40 pins, seen from above with pin 1 at the corner of the board."""
    yield element("rect", x=14, y=20, width=156, height=_SIZE[1] - 40, rx=10, fill="#e3f1e5")
    yield text("Raspberry Pi", 26, 40)
    for pin in range(1, 41):
        x, y = _pin(pin)
        fill = _COLOURS.get(used.get(pin, ""), _COLOURS["signal"]) if pin in used else "#ffffff"
        yield element("circle", cx=x, cy=y, r=7, fill=fill, stroke="#222")
        ink = "#ffffff" if pin in used else "#222222"
        yield text(str(pin), x, y, text_anchor="middle", class_="pin", fill=ink)
    for pin, label in used.items():
        x, y = _pin(pin)
        if pin % 2:
            yield text(label, x - 12, y, text_anchor="end")
        else:
            yield text(label, x + 14, y + 18 if label == "ground" else y - 9)


def _pin(number: int) -> Place:
    return (_LEFT if number % 2 else _RIGHT), _TOP + _ROW * ((number - 1) // 2)


def _from_pin(number: int, lane: float, row: float, signal: str) -> Iterator[str]:
    """A wire from a pin along a lane to a row of the box; odd pins pass between the even ones."""
    x, y = _pin(number)
    corners = [(x + 7, y)]
    if number % 2:
        corners = [(x + 5, y + 5), (x + 9, y + _ROW / 2)]
        y += _ROW / 2
    yield _wire([*corners, (lane, y), (lane, row), (_BOX, row)], _COLOURS[signal])


def _to_supply(rows: Mapping[str, float]) -> Iterator[str]:
    for signal, rail in (("5 V", _PLUS), ("ground", _MINUS)):
        row = rows[signal]
        yield _wire([(_BOX, row), (rail, row), (rail, 415)], _COLOURS[signal])
        yield element("circle", cx=rail, cy=row, r=3, fill=_COLOURS[signal])


def _supply(ground: int | None) -> Iterator[str]:
    """The servos' supply; its ground joins that of the Pi, at a pin where nothing else does."""
    yield from _box(270, 410, 40, "5 to 6 V for the servos, not from the Pi", width=350, indent=64)
    yield text("−", _MINUS, 422, text_anchor="middle")
    yield text("+", _PLUS, 422, text_anchor="middle")
    if ground is not None:
        x, y = _pin(ground)
        yield _wire([(x + 7, y), (_MINUS, y)], _COLOURS["ground"])
        yield element("circle", cx=_MINUS, cy=y, r=3, fill=_COLOURS["ground"])


def _box(
    x: float, y: float, height: float, label: str, *, width: float = 290, indent: float = 10
) -> Iterator[str]:
    look = {"fill": "#f4f1e8", "stroke": "#222222"}
    yield element("rect", x=x, y=y, width=width, height=height, rx=4, **look)
    yield text(label, x + indent, y + min(height / 2, 17))


def _wire(corners: Sequence[Place], colour: str, width: float = 2.5) -> str:
    look = {"fill": "none", "stroke": colour, "stroke_linejoin": "round"}
    return element("polyline", points=points(corners), stroke_width=width, **look)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
