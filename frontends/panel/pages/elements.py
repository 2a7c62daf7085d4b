"""Elements of pages: a camera's live picture, and the clock of a solve."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nicegui.element import Element

from cube.net import SCREEN_COLOURS

_STATIC = Path(__file__).parent.parent / "static"


@dataclass(frozen=True, slots=True)
class SeenSticker:
    """A sticker in the picture.

    Attributes:
        facelet: Its name, such as ``F3``.
        polygon: Its corners (x, y), in pixels of the picture.
        colour: A name as in `cube.net.SCREEN_COLOURS`, or #rrggbb.
        confidence: 0 to 1; None if it was not judged.
    """

    facelet: str
    polygon: Sequence[tuple[float, float]]
    colour: str
    confidence: float | None = None

    def as_prop(self) -> dict[str, object]:
        """Return it in JSON form for the page."""
        return {
            "facelet": self.facelet,
            "polygon": [list(corner) for corner in self.polygon],
            "colour": self.colour,
            "confidence": self.confidence,
        }


class CameraElement(Element, component=_STATIC / "camera.js"):
    """One camera's newest frame, drawn as it arrives.

    The page opens ``path`` as a WebSocket: frames arrive as binary messages, a JPEG each, and
    ``{"ack": n}`` is sent back when the n-th of this socket is drawn. In a hidden tab or off the
    screen the socket is closed.

    If points are moved, ``points`` is sent to `Element.on`: ``{"camera", "points": [{"name", "x",
    "y"}, …], "moved": index, "done": true}``. In the browser it bubbles as ``thistlebot:points``,
    also while a point is dragged, then with ``"done": false``.

    Args:
        camera: Its number.
        label: Description of the picture for screen readers.
        waiting: Text until the first frame.
        path: The socket's path; by default ``/ws/camera/<camera>``.
        live: Draw the machine's readings, from `thistlebot:view`.
        hint: How to move a point, for screen readers.
    """

    def __init__(
        self,
        camera: int = 0,
        *,
        label: str,
        waiting: str = "…",
        path: str | None = None,
        live: bool = False,
        hint: str = "",
        palette: Mapping[str, str] = SCREEN_COLOURS,
    ) -> None:
        super().__init__()
        with self._props.suspend_updates():
            self._props["camera"] = camera
            self._props["path"] = path or f"/ws/camera/{camera}"
            self._props["label"] = label
            self._props["waiting"] = waiting
            self._props["live"] = live
            self._props["hint"] = hint
            self._props["palette"] = dict(palette)
            self._props["overlays"] = []
            self._props["points"] = []

    def draw(self, seen: Sequence[SeenSticker]) -> None:
        """Draw stickers over the picture, replacing earlier ones."""
        self._props["overlays"] = [each.as_prop() for each in seen]

    def place(self, points: Mapping[str, tuple[float, float]]) -> None:
        """Show points that can be dragged, or moved with the arrow keys.

        Args:
            points: Position of each (x, y), by its name, in pixels of the picture.
        """
        self._props["points"] = [
            {"name": name, "x": float(x), "y": float(y)} for name, (x, y) in points.items()
        ]


class ClockElement(Element, component=_STATIC / "clock.js"):
    """Counts from the press until the cube is seen, from `thistlebot:view`.

    Args:
        jobs: The names of the timed jobs; for others it stays at zero.
        point: The decimal separator.
        sound_on: The button's text while sound is on.
        sound_off: The button's text while sound is off.
    """

    def __init__(self, jobs: Sequence[str], *, point: str, sound_on: str, sound_off: str) -> None:
        super().__init__()
        with self._props.suspend_updates():
            self._props["jobs"] = list(jobs)
            self._props["point"] = point
            self._props["sound-on"] = sound_on
            self._props["sound-off"] = sound_off


TIMED = ("solve", "copy", "resume", "proceed")
"""Timed jobs."""
