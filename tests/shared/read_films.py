"""Reads animated pictures back: what an SVG shows at any time, told by its own timelines alone."""

import re
from xml.etree import ElementTree as ET

_RULE = re.compile(r"@keyframes (\w+)\{(.*?)\}\}")
_STEP = re.compile(r"([\d.%,]+)\{([\w-]+):([^}]*)")
_LENGTH = re.compile(r"\[style\]\{animation:([\d.]+)s step-end infinite\}")


class FilmReader:
    """An animated SVG, which runs for `total_s`."""

    def __init__(self, text: str) -> None:
        self.root = ET.fromstring(text)
        style = "".join(self._all("style")[0].itertext())
        found = _LENGTH.search(style)
        assert found
        self.total_s = float(found[1])
        self._timelines: dict[str, tuple[str, list[tuple[float, str]]]] = {}
        for name, body in _RULE.findall(style):
            steps = _STEP.findall(body)
            changes = [
                (float(time[:-1]) / 100, v) for times, _, v in steps for time in times.split(",")
            ]
            (property_name,) = {step[1] for step in steps}
            self._timelines[name] = (property_name, sorted(changes))
        self._parents = {child: parent for parent in self.root.iter() for child in parent}

    def _all(self, tag: str, within: ET.Element | None = None) -> list[ET.Element]:
        root = self.root if within is None else within
        return [each for each in root.iter() if each.tag.rpartition("}")[2] == tag]

    def _changes(self, element: ET.Element, property_name: str) -> list[tuple[float, str]]:
        """The timeline of a property of an element; empty when it has none."""
        names = element.get("style", "").removeprefix("animation-name:").split(",")
        told = [self._timelines[name] for name in names if name]
        return next((changes for name, changes in told if name == property_name), [])

    def value(self, element: ET.Element, property_name: str, share: float) -> str | None:
        """A property of an element when a share of the film (0 to 1) has run."""
        found = element.get(property_name)
        changes = self._changes(element, property_name)
        assert not changes or changes[0][0] == 0
        for time, value in changes:
            if time <= share:
                found = value
        return found

    def lane(self, number: int) -> ET.Element:
        return next(each for each in self.root.iter() if each.get("data-lane") == str(number))

    def cuts(self, number: int = 0, *, letters: bool = False) -> list[float]:
        """When a puzzle, or what is written on it, changes, as shares of the film."""
        name, changing = ("data-letter", "visibility") if letters else ("data-slot", "fill")
        cells = [each for each in self.lane(number).iter() if each.get(name)]
        return sorted({0.0, *(t for cell in cells for t, _ in self._changes(cell, changing))})

    def letters(self, share: float, number: int = 0) -> dict[int, str]:
        """What is written on each slot; all that show one slot must agree."""
        found: dict[int, str] = {}
        for each in self._all("text", self.lane(number)):
            if (slot := each.get("data-letter")) and self._seen(each, share):
                text = "".join(each.itertext())
                assert found.setdefault(int(slot), text) == text
        return found

    def stickers(self, share: float, number: int = 0) -> dict[int, str]:
        """The colour of each slot; all that show one slot must agree."""
        found: dict[int, str] = {}
        for cell in self.lane(number).iter():
            if slot := cell.get("data-slot"):
                fill = self.value(cell, "fill", share)
                assert fill is not None
                assert found.setdefault(int(slot), fill) == fill
        return found

    def end(self, number: int = 0) -> dict[int, str]:
        cells = [each for each in self.lane(number).iter() if each.get("data-slot")]
        return {int(cell.attrib["data-slot"]): cell.attrib["fill"] for cell in cells}

    def texts(self, share: float, number: int = 0) -> list[str]:
        seen = [each for each in self._all("text", self.lane(number)) if self._seen(each, share)]
        return ["".join(each.itertext()) for each in seen]

    def gauges(self, share: float, number: int = 0) -> list[str]:
        """What the gauges say; each must say one thing."""
        said: dict[int, str] = {}
        for each in self._all("text", self.lane(number)):
            if (gauge := each.get("data-gauge")) and self._seen(each, share):
                assert int(gauge) not in said
                said[int(gauge)] = "".join(each.itertext())
        return [said[gauge] for gauge in sorted(said)]

    def _seen(self, element: ET.Element, share: float) -> bool:
        """Whether an element is visible: what it says itself, or what it is in."""
        here: ET.Element | None = element
        while here is not None:
            if (value := self.value(here, "visibility", share)) is not None:
                return value == "visible"
            here = self._parents.get(here)
        return True
