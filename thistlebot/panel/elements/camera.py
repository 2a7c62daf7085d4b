"""The live picture of a camera, with what was seen drawn over it and points to drag."""

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
        colour: A name as of `cube.net.SCREEN_COLOURS`, or #rrggbb.
        confidence: 0 to 1; None if nobody has judged it.
    """

    facelet: str
    polygon: Sequence[tuple[float, float]]
    colour: str
    confidence: float | None = None

    def as_prop(self) -> dict[str, object]:
        """Return it as the page has it, JSON as it stands."""
        return {
            "facelet": self.facelet,
            "polygon": [list(corner) for corner in self.polygon],
            "colour": self.colour,
            "confidence": self.confidence,
        }


class CameraElement(Element, component=_STATIC / "camera.js"):
    """One camera's newest frame, drawn as it comes.

    The page opens ``path`` as a WebSocket: frames come as binary messages, a JPEG each, and
    ``{"ack": n}`` goes back when the n-th of this socket is drawn. In a hidden tab or off the
    screen the socket is closed.

    When points were moved, ``points`` goes to `Element.on`: ``{"camera", "points": [{"name", "x",
    "y"}, …], "moved": index, "done": true}``. In the browser it bubbles as ``thistlebot:points``,
    also while a point is dragged, then with ``"done": false``.

    Args:
        camera: Its number.
        label: What is seen, for those who hear it.
        waiting: What is shown until the first frame.
        path: The socket's path; ``/ws/camera/<camera>`` unless given.
        live: Draw what the machine has seen, as `thistlebot:view` tells.
        hint: How a point is moved, for those who hear it.
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
        """Draw stickers over the picture, instead of those drawn before."""
        self._props["overlays"] = [each.as_prop() for each in seen]

    def place(self, points: Mapping[str, tuple[float, float]]) -> None:
        """Show points that can be dragged, or moved with the arrow keys.

        Args:
            points: Where each is (x, y), by its name, in pixels of the picture.
        """
        self._props["points"] = [
            {"name": name, "x": float(x), "y": float(y)} for name, (x, y) in points.items()
        ]
