"""Cubes on pages: in space, whose layers turn; as a net to tap; and a run turned again."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from nicegui.element import Element

from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.player.scripts import SCRIPTS

_STATIC = Path(__file__).parent.parent / "static"
_PARTS = (*SCRIPTS, *(_STATIC / f"cube-{part}.js" for part in ("parts", "flat")))

UNKNOWN = "?" * 54
"""Facelets of a cube that nobody has read."""


class _CubeElement(Element, component=_STATIC / "cube.js", dependencies=list(_PARTS)):
    """The common parts of the solid cube and the net."""

    KIND: ClassVar[str]

    def __init__(self, **props: object) -> None:
        super().__init__()
        with self._props.suspend_updates():
            self._props.update(
                kind=self.KIND, scheme=dict(WESTERN_SCHEME), palette=dict(SCREEN_COLOURS), **props
            )

    def show(self, facelets: str) -> None:
        """Show a state at once.

        Args:
            facelets: 54 letters of ``URFDLB``, or ``?`` for what is unknown.
        """
        with self._props.suspend_updates():
            self._props["facelets"] = facelets  # for a page that is not there yet
        self.run_method("set", facelets)

    def paint(self, scheme: Mapping[str, str]) -> None:
        """Change the colours of the faces.

        Args:
            scheme: The colour of each face: a name as in `cube.net.SCREEN_COLOURS`, or #rrggbb.
        """
        self._props["scheme"] = dict(scheme)


class SolidCube(_CubeElement):
    """The cube in three dimensions; it can be dragged to look around it.

    Args:
        facelets: Its initial state: 54 letters of ``URFDLB``, or ``?`` for unknown ones.
        label: Description for screen readers.
        live: Follow the machine: turn by its acknowledged moves, from `thistlebot:view`.
        letters: Show the letters of the faces on the stickers.
        pace_ms: Duration of a quarter turn; turns that wait make it shorter.
        praise: Texts over the cube: ``solved`` and ``reached`` (its target) at the end of a run,
            and ``replay`` while the run is shown again, slowly; by default, nothing is shown.
        lettered: Show letters if this browser's user chose them, instead of `letters`.
        drifts: Move slowly around the cube while the machine has nothing to do.
    """

    KIND = "cube"

    def __init__(
        self,
        facelets: str = UNKNOWN,
        *,
        label: str,
        live: bool = False,
        letters: bool = False,
        pace_ms: float = 320,
        praise: Mapping[str, str] | None = None,
        lettered: bool = False,
        drifts: bool = False,
    ) -> None:
        more = {} if praise is None else {"praise": dict(praise)}
        super().__init__(
            facelets=facelets,
            label=label,
            live=live,
            letters=letters,
            pace=pace_ms,
            lettered=lettered,
            drifts=drifts,
            **more,
        )

    def turn(self, moves: Sequence[str], facelets: str | None = None) -> None:
        """Turn faces one after the other, then show a state exactly."""
        if facelets is not None:
            with self._props.suspend_updates():
                self._props["facelets"] = facelets  # for a page that is not there yet
        self.run_method("play", list(moves), facelets)

    def point(self, move: str | None) -> None:
        """Show a move with arrows; None removes them."""
        self._props.set_optional("arrow", move)


class ReplayElement(Element, component=_STATIC / "replay.js", dependencies=list(_PARTS)):
    """A run's cube, turn by turn, with controls; it needs no answer of the server.

    Args:
        steps: The first is the beginning: ``state`` (54 letters), ``turn`` (its move, or None),
            ``stage`` (its number, or nothing if none begins) and ``made`` (whether it was turned).
        scheme: The colour of each face: a name as in `cube.net.SCREEN_COLOURS`, or #rrggbb.
        words: The names of its controls.
    """

    def __init__(
        self,
        steps: Sequence[Mapping[str, object]],
        *,
        scheme: Mapping[str, str],
        words: Mapping[str, str],
    ) -> None:
        super().__init__()
        with self._props.suspend_updates():
            self._props["steps"] = [dict(each) for each in steps]
            self._props["scheme"] = dict(scheme)
            self._props["palette"] = dict(SCREEN_COLOURS)
            self._props["words"] = dict(words)


class Net(_CubeElement):
    """The flat net; it reports taps and corrects nothing itself.

    It is as wide as its container; with the class ``fit`` it is also limited to its height.

    Its events are sent to `Element.on`, and bubble in the browser as ``thistlebot:<name>``:

    - ``tap``: ``{"facelet": "F3", "letter": "R"}``
    - ``correct``: ``{"facelet": "F3", "letter": "L", "was": "R"}``, a colour was chosen
    - ``turn``: ``{"face": "F", "quarters": 1}`` or -1, a face was read turned
    - ``exchange``: ``{"faces": ["F", "R"]}``, two faces were read as one another

    Args:
        facelets: Its initial state: 54 letters of ``URFDLB``, or ``?`` for unknown ones.
        label: Description for screen readers.
        words: Names of the colours (white … blue, and unknown), descriptions of stickers (read
            ``sure``, ``fair`` or ``poor``; ``doubt`` of the decoder) and the buttons ``clockwise``,
            ``anticlockwise`` and ``exchange``, with ``{face}`` for a face's letter.
        live: Follow the machine, from `thistlebot:view`.
        editable: Offer colours for a tapped sticker, and to rotate and exchange its face.
    """

    KIND = "net"

    def __init__(
        self,
        facelets: str = UNKNOWN,
        *,
        label: str,
        words: Mapping[str, str],
        live: bool = False,
        editable: bool = False,
    ) -> None:
        super().__init__(
            facelets=facelets,
            label=label,
            words=dict(words),
            live=live,
            letters=True,
            editable=editable,
            doubtful=[],
        )

    def rate(self, confidence: Sequence[float | None] | None, doubtful: Sequence[str]) -> None:
        """Show the confidence of each sticker.

        Args:
            confidence: 0 to 1 for each of the 54 stickers, None for those not read.
            doubtful: Facelets to mark, such as ``F3``.
        """
        with self._props.suspend_updates():
            self._props.set_optional("confidence", None if confidence is None else list(confidence))
            self._props["doubtful"] = list(doubtful)
        self.update()
