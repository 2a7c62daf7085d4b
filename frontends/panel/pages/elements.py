"""Elements of pages: the live picture of a camera, and the cube, solid or as a net to tap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from nicegui.element import Element

from cube.net import SCREEN_COLOURS, WESTERN_SCHEME

_STATIC = Path(__file__).parent.parent / "static"


@dataclass(frozen=True, slots=True)
class SeenSticker:
    """A sticker in the picture.

    Attributes:
        facelet: Its name, such as ``F3``.
        polygon: Its corners (x, y), in pixels of the picture.
        colour: A name as in `cube.net.SCREEN_COLOURS`, or #rrggbb.
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


_PARTS = tuple(_STATIC / f"cube-{part}.js" for part in ("parts", "quick", "solid", "flat"))

UNKNOWN = "?" * 54
"""Facelets of a cube that nobody has read."""


@dataclass(frozen=True, slots=True)
class NetWords:
    """What a net says of its stickers, for those who hear it.

    Attributes:
        colours: The word for each of white, yellow, red, orange, green, blue and unknown.
        sure: Of a sticker that was read well; `fair` and `poor` of less.
        doubt: Of a sticker that the decoder doubts.
        clockwise: The button that turns a face's nine stickers; ``{face}`` stands for its letter.
        anticlockwise: The same the other way.
        exchange: The button that exchanges a face with the one tapped next.
    """

    colours: Mapping[str, str]
    sure: str
    fair: str
    poor: str
    doubt: str
    clockwise: str
    anticlockwise: str
    exchange: str

    def as_props(self) -> dict[str, str]:
        """Return the words as the net looks them up."""
        names = ("sure", "fair", "poor", "doubt", "clockwise", "anticlockwise", "exchange")
        return {**self.colours, **{name: getattr(self, name) for name in names}}


class _CubeElement(Element, component=_STATIC / "cube.js", dependencies=list(_PARTS)):
    """What the solid cube and the net have in common."""

    KIND: ClassVar[str]

    def __init__(
        self,
        facelets: str,
        *,
        label: str,
        live: bool,
        letters: bool,
        contrast: bool,
        scheme: Mapping[str, str],
    ) -> None:
        super().__init__()
        with self._props.suspend_updates():
            self._props["kind"] = self.KIND
            self._props["facelets"] = facelets
            self._props["label"] = label
            self._props["live"] = live
            self._props["letters"] = letters
            self._props["contrast"] = contrast
            self._props["scheme"] = dict(scheme)
            self._props["palette"] = dict(SCREEN_COLOURS)

    def show(self, facelets: str) -> None:
        """Show a state at once.

        Args:
            facelets: 54 letters of ``URFDLB``, or ``?`` for what is unknown.
        """
        with self._props.suspend_updates():
            self._props["facelets"] = facelets  # for a page that is not there yet
        self.run_method("set", facelets)

    def letter(self, shown: bool) -> None:
        """Write the letters of the faces on the stickers, or not."""
        self._props["letters"] = shown

    def paint(self, scheme: Mapping[str, str]) -> None:
        """Change the colours of the faces.

        Args:
            scheme: The colour of each face: a name as in `cube.net.SCREEN_COLOURS`, or #rrggbb.
        """
        self._props["scheme"] = dict(scheme)


class SolidCube(_CubeElement):
    """The cube in three dimensions; it is dragged to look round.

    Args:
        facelets: What it shows at first: 54 letters of ``URFDLB``, or ``?`` for what is unknown.
        label: What the picture is, for those who hear it.
        live: Follow the machine: turn by its acknowledged moves, as `thistlebot:view` tells.
        letters: Write the letters of the faces on the stickers.
        contrast: Plain colours and black borders.
        scheme: The colour of each face: a name as in `cube.net.SCREEN_COLOURS`, or #rrggbb.
        arrow: The move that arrows show, such as ``R'``.
        pace_ms: How long a quarter turn takes.
        always_moving: Show turns as motion where there is no graphics card, too; without, a cube
            that follows the machine is a still drawing there, which does not lag behind.
    """

    KIND = "cube"

    def __init__(
        self,
        facelets: str = UNKNOWN,
        *,
        label: str,
        live: bool = False,
        letters: bool = False,
        contrast: bool = False,
        scheme: Mapping[str, str] = WESTERN_SCHEME,
        arrow: str | None = None,
        pace_ms: float = 320,
        always_moving: bool = False,
    ) -> None:
        super().__init__(
            facelets, label=label, live=live, letters=letters, contrast=contrast, scheme=scheme
        )
        with self._props.suspend_updates():
            self._props["pace"] = pace_ms
            self._props["moving"] = always_moving
            self._props.set_optional("arrow", arrow)

    def turn(self, moves: Sequence[str], facelets: str | None = None) -> None:
        """Turn faces one after the other, then show a state exactly.

        Args:
            moves: In Singmaster notation, one move each.
            facelets: The state in the end; as the moves leave it unless given.
        """
        self.run_method("play", list(moves), facelets)

    def point(self, move: str | None) -> None:
        """Show a move by arrows; None takes them away."""
        self._props.set_optional("arrow", move)


class Net(_CubeElement):
    """The flat net; it tells what was tapped and corrects nothing itself.

    It is as wide as its place; with the class ``fit`` it also keeps to the height of that.

    Its events go to `Element.on`, and bubble in the browser as ``thistlebot:<name>``:

    - ``tap``: ``{"facelet": "F3", "letter": "R"}``
    - ``correct``: ``{"facelet": "F3", "letter": "L", "was": "R"}``, a colour was chosen
    - ``turn``: ``{"face": "F", "quarters": 1}`` or -1, a face was read turned
    - ``exchange``: ``{"faces": ["F", "R"]}``, two faces were read as one another

    Args:
        facelets: What it shows at first: 54 letters of ``URFDLB``, or ``?`` for what is unknown.
        label: What the net is, for those who hear it.
        words: What it says of its stickers.
        live: Follow the machine, as `thistlebot:view` tells.
        letters: Write the letters of the faces on the stickers.
        editable: Offer colours for the sticker that is tapped, and to turn and exchange its face.
        scheme: The colour of each face: a name as in `cube.net.SCREEN_COLOURS`, or #rrggbb.
        confidence: How sure each of the 54 stickers is, 0 to 1, None for those not read.
        doubtful: Facelets to mark, such as ``F3``.
    """

    KIND = "net"

    def __init__(
        self,
        facelets: str = UNKNOWN,
        *,
        label: str,
        words: NetWords,
        live: bool = False,
        letters: bool = True,
        editable: bool = False,
        scheme: Mapping[str, str] = WESTERN_SCHEME,
        confidence: Sequence[float | None] | None = None,
        doubtful: Sequence[str] = (),
    ) -> None:
        super().__init__(
            facelets, label=label, live=live, letters=letters, contrast=False, scheme=scheme
        )
        with self._props.suspend_updates():
            self._props["words"] = words.as_props()
            self._props["editable"] = editable
        self.rate(confidence, doubtful)

    def rate(self, confidence: Sequence[float | None] | None, doubtful: Sequence[str]) -> None:
        """Show how sure each sticker is.

        Args:
            confidence: 0 to 1 for each of the 54 stickers, None for those not read.
            doubtful: Facelets to mark, such as ``F3``.
        """
        with self._props.suspend_updates():
            self._props.set_optional("confidence", None if confidence is None else list(confidence))
            self._props["doubtful"] = list(doubtful)
        self.update()
