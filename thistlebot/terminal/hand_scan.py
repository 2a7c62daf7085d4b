"""Guides a user who holds the six faces of a cube before one webcam."""

import functools
import textwrap
from collections.abc import Mapping, Sequence

from rich.console import Group
from rich.live import Live
from rich.text import Text

from cube.moves import FACES
from cube.net import SCREEN_COLOURS, net_cells
from thistlebot.errors import StoppedError
from thistlebot.reading.hand_guide import HandGuide
from thistlebot.reading.reader import Reader
from thistlebot.session.machine import Machine
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from vision.cameras.camera import Camera
from vision.colours.profile import ColourProfile
from vision.errors import CameraError
from vision.frame import Frame
from vision.reading import CubeReading

_KEYS = "space: capture now   U R F D L B: repeat that face   q: quit"


class HandReader(Reader):
    """A user who holds the six faces of a cube before the first of a machine's cameras."""

    def __init__(self, machine: Machine, screen: Screen, *, any_order: bool = False) -> None:
        self._machine = machine
        self._screen = screen
        self._any_order = any_order
        self._reading: CubeReading | None = None

    def look(self) -> tuple[Frame, ...]:
        """Guide the user; see `scan_by_hand`."""
        machine = self._machine
        with machine.open_camera((*machine.camera_sources(), 0)[0]) as webcam:
            self._reading, frames = scan_by_hand(
                webcam,
                machine.profile,
                self._screen,
                machine.choices.scheme,
                any_order=self._any_order,
            )
        return frames

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Return the final reading of the last look."""
        assert self._reading is not None, f"nobody looked at these {len(frames)} pictures"
        return self._reading


def scan_by_hand(
    camera: Camera,
    profile: ColourProfile | None,
    screen: Screen,
    scheme: Mapping[str, str] | None = None,
    *,
    any_order: bool = False,
    until_sure: bool = True,
) -> tuple[CubeReading, tuple[Frame, ...]]:
    """Capture six faces, each as soon as it is sharp and still, and read the cube.

    A face can be repeated at any time by pressing its letter, and captured at once with the space
    bar; `HandGuide` describes what happens if the cube is in doubt.

    Args:
        camera: Shows one face after the other.
        profile: Measured colours, if any.
        screen: The screen.
        scheme: The cube's colours, if its owner gave them; otherwise the instructions use those of
            the profile, or the usual ones until a face shows other colours.
        any_order: Faces may come in any order and rotated.
        until_sure: Continue while the cube is in doubt.

    Returns:
        The reading and its frames: those of the first looks in the order U R F D L B, then the
        others.

    Raises:
        StoppedError: The user pressed ``q``.
        MisreadError: The recording ended before six faces were captured.
        CameraError: The camera vanished before that.
    """
    guide = HandGuide(profile, scheme, any_order=any_order, until_sure=until_sure)
    with Keyboard() as keyboard, ScanView(screen) as view:
        view.show({}, guide.start.guidance)
        while True:
            try:
                frame = camera.read()
            except CameraError as error:
                return guide.finish(error), guide.frames
            step = guide.feed(frame)
            view.show(step.faces, step.guidance)
            key = (keyboard.key() or "").upper()
            if key == "Q":
                raise StoppedError(f"stopped; {guide.captured_text}; no motor has moved")
            if key and key in FACES:
                guide.redo(key)
            elif key == " ":
                guide.capture_now()
            reading = guide.conclude()
            if reading is not None and guide.done:
                return reading, guide.frames
            if guide.objection and reading is not None:
                view.say(guide.objection)


class ScanView:
    """Shows a net that is filled with colours, and the next instruction."""

    def __init__(self, screen: Screen, *, side: int = 3, keys: str = _KEYS) -> None:
        self._screen = screen
        self._side = side
        self._keys = keys
        self._live = Live(
            console=screen.live, refresh_per_second=12, transient=True, auto_refresh=False
        )
        self._said = ""

    def __enter__(self) -> "ScanView":
        if self._screen.live.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._live.stop()

    def show(self, faces: Mapping[str, Sequence[str]], guidance: str) -> None:
        """Draw the faces captured so far; without a terminal, print the changes."""
        if self._screen.live.is_terminal:
            # Where output is not wrapped, a live display truncates long lines.
            wrap = functools.partial(textwrap.fill, width=self._screen.live.width)
            keys = Text(wrap(self._keys), style="dim")
            net = net_text(faces, self._side)
            self._live.update(Group(net, Text(wrap(guidance)), keys), refresh=True)
        elif guidance != self._said:
            self._said = guidance
            self._screen.note(guidance)

    def say(self, text: str) -> None:
        """Print a permanent line."""
        self._screen.note(text)


def net_text(faces: Mapping[str, Sequence[str]], side: int = 3) -> Text:
    """Draw the net with the captured faces; the others are empty.

    The first letters of the colours are visible even without colour.
    """
    grid = [[("  ", "")] * (4 * side) for _ in range(3 * side)]
    for row, column, index in net_cells(side):
        face, cell = FACES[index // side**2], index % side**2
        if face in faces:
            colour = faces[face][cell]
            grid[row][column] = (f"{colour[0]} ", f"black on {SCREEN_COLOURS[colour]}")
        else:
            grid[row][column] = (f"{face if 2 * cell + 1 == side**2 else '·'} ", "dim")
    text = Text()
    for cells in grid:
        for content, style in cells:
            text.append(content, style)
        text.append("\n")
    return text
