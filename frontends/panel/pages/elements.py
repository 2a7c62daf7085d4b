"""Elements of pages: a camera's live picture, the clock of a solve, and its progress."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import asdict
from nicegui.element import Element

from cube.net import SCREEN_COLOURS
from cube.player.scripts import SCRIPTS
from frontends.control.view_model.by_hand import Outline

_STATIC = Path(__file__).parent.parent / "static"


class CameraElement(Element, component=_STATIC / "camera.js", dependencies=list(SCRIPTS)):
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
        live: Draw the machine's readings, from `thistlebot:view`.
        hint: How to move a point, for screen readers.
        legend: What is drawn over the picture; a tooltip.
    """

    def __init__(
        self, camera: int, *, label: str, live: bool = False, hint: str = "", legend: str = ""
    ) -> None:
        super().__init__()
        with self._props.suspend_updates():
            self._props.update(
                camera=camera,
                path=f"ws/camera/{camera}",
                label=label,
                title=legend,
                live=live,
                hint=hint,
                palette=dict(SCREEN_COLOURS),
                overlays=[],
                points=[],
            )

    def draw(self, seen: Sequence[Outline]) -> None:
        """Draw stickers over the picture, replacing earlier ones."""
        self._props["overlays"] = [asdict(each) for each in seen]

    def place(self, points: Mapping[str, tuple[float, float]]) -> None:
        """Show points that can be dragged, or moved with the arrow keys.

        Args:
            points: Position of each (x, y), by its name, in pixels of the picture.
        """
        self._props["points"] = [
            {"name": name, "x": float(x), "y": float(y)} for name, (x, y) in points.items()
        ]


class ClockElement(Element, component=_STATIC / "clock.js"):
    """Counts from the press of a timed job until the cube is seen, from `thistlebot:view`.

    Args:
        point: The decimal separator.
        sound_on: The button's text while sound is on.
        sound_off: The button's text while sound is off.
    """

    def __init__(self, *, point: str, sound_on: str, sound_off: str) -> None:
        super().__init__()
        self._props |= {
            "jobs": TIMED,
            "point": point,
            "sound-on": sound_on,
            "sound-off": sound_off,
        }


class ProgressElement(Element, component=_STATIC / "progress.js"):
    """Shows how far a run is, from `thistlebot:view`.

    Args:
        kind: ``bar``, for the steps, or ``chips``, one for each move.
        label: Description for screen readers.
        words: Text beside the bar, with ``{done}`` and ``{total}``; for chips, what the numbers
            below them mean.
    """

    def __init__(self, kind: str, *, label: str, words: str) -> None:
        super().__init__()
        self._props |= {"kind": kind, "label": label, "words": words}


TIMED = ("solve", "copy", "proceed")
"""Timed jobs."""
