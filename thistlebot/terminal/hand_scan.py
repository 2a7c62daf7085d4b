"""Guides a person who holds the six faces of a cube before one webcam."""

import functools
import textwrap
from collections.abc import Mapping

from rich.console import Group
from rich.live import Live
from rich.text import Text

from cube.moves import FACES
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME, net_cells
from thistlebot.errors import StoppedError
from thistlebot.session.refusal import misread_text
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from vision.cameras.camera import Camera
from vision.colours.profile import ColourProfile
from vision.decoding.second_look import confirm
from vision.faces.live_capture import CAPTURE_ORDER, LiveScan
from vision.frame import Frame
from vision.read_photos import SeenFace, read_cube_faces
from vision.reading import CubeReading, FaceReading, ReadingState
from vision.timed import timed

_KEYS = "space: take it now   U R F D L B: redo that face   q: quit"


def scan_by_hand(
    camera: Camera, profile: ColourProfile | None, screen: Screen, *, until_sure: bool = True
) -> tuple[CubeReading, tuple[Frame, ...]]:
    """Capture six faces, each by itself once it is sharp and still, and read the cube.

    A face can be redone at any time by pressing its letter, and taken at once with the space bar.
    When the whole cube is in doubt, the doubtful faces are asked for again, unless `until_sure` is
    false: a calibration wants the colours whatever they are.

    Returns:
        The reading and the six frames in the order U R F D L B.

    Raises:
        StoppedError: The user pressed ``q``.
        CameraError: The camera vanished, or its recording ended before six faces were captured.
    """
    suspected: CubeReading | None = None
    live_scan = LiveScan(scheme=profile.scheme if profile else WESTERN_SCHEME)
    with Keyboard() as keyboard, _View(screen) as view:
        view.show({}, live_scan.instruction(CAPTURE_ORDER[0]))
        while True:
            frame = camera.read()
            step = live_scan.feed(frame)
            view.show(live_scan.faces, step.guidance)
            key = (keyboard.key() or "").upper()
            if key == "Q":
                raise StoppedError("stopped; nothing was turned")
            if key and key in FACES:
                live_scan.redo(key)
            elif key == " " and step.face is not None:
                live_scan.capture_now(step.face, frame)
            if live_scan.wanted is not None:
                continue
            frames = live_scan.frames
            reading = timed(read_cube_faces)(
                [SeenFace(face, live_scan.faces[face], i) for i, face in enumerate(FACES)], profile
            )
            if suspected is not None:
                reading = confirm(suspected, reading)
            if reading.state is ReadingState.MISASSEMBLED:
                return reading, tuple(frames[face] for face in FACES)
            suspected = reading if reading.suspicion else None
            if reading.accepted or not reading.reread or not until_sure:
                return reading, tuple(frames[face] for face in FACES)
            view.say(misread_text(reading))
            for face in reversed(_to_show(reading)):  # the most doubtful one is asked for first
                live_scan.redo(face)


def _to_show(reading: CubeReading) -> tuple[str, ...]:
    """Faces to show again: a cube that seems mis-assembled is looked at all over."""
    return tuple(CAPTURE_ORDER) if reading.suspicion else reading.reread


class _View:
    """The net that fills with colour, and what to do next."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._live = Live(
            console=screen.live, refresh_per_second=12, transient=True, auto_refresh=False
        )
        self._said = ""

    def __enter__(self) -> "_View":
        if self._screen.live.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._live.stop()

    def show(self, faces: Mapping[str, FaceReading], guidance: str) -> None:
        """Draw the faces captured so far; where there is no terminal, say what changed."""
        if self._screen.live.is_terminal:
            # Where output is not wrapped, a live display cuts its lines off.
            wrap = functools.partial(textwrap.fill, width=self._screen.live.width)
            keys = Text(wrap(_KEYS), style="dim")
            self._live.update(Group(net_text(faces), Text(wrap(guidance)), keys), refresh=True)
        elif guidance != self._said:
            self._said = guidance
            self._screen.note(guidance)

    def say(self, text: str) -> None:
        """Say something that stays."""
        self._screen.note(text)


def net_text(faces: Mapping[str, FaceReading]) -> Text:
    """Draw the net with the faces that were captured, the others empty."""
    grid = [[("  ", "")] * 12 for _ in range(9)]
    for row, column, index in net_cells():
        face, cell = FACES[index // 9], index % 9
        if face in faces:
            colour = SCREEN_COLOURS[faces[face].colours[cell]]
            grid[row][column] = ("  ", f"on {colour}")
        else:
            grid[row][column] = (f"{face if cell == 4 else '·'} ", "dim")
    text = Text()
    for cells in grid:
        for content, style in cells:
            text.append(content, style)
        text.append("\n")
    return text
