"""The clock of a solve, with a chime when it is done."""

from collections.abc import Sequence
from pathlib import Path

from nicegui.element import Element

_STATIC = Path(__file__).parent.parent / "static"


class ClockElement(Element, component=_STATIC / "clock.js"):
    """Counts from the press until the cube was seen, as `thistlebot:view` tells.

    Args:
        jobs: The jobs that are timed, by their names; the others leave it at zero.
        point: What stands between seconds and their parts.
        sound_on: The button's text while it sounds.
        sound_off: The same while it does not.
    """

    def __init__(self, jobs: Sequence[str], *, point: str, sound_on: str, sound_off: str) -> None:
        super().__init__()
        with self._props.suspend_updates():
            self._props["jobs"] = list(jobs)
            self._props["point"] = point
            self._props["sound-on"] = sound_on
            self._props["sound-off"] = sound_off
