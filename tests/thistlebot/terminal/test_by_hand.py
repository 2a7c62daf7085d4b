"""What a person is told who turns a cube by hand, and holds up its faces."""

import os
import re
import select
import sys
from io import StringIO
from pathlib import Path

import pytest
from cubes import cube, cube_after, sequences
from hand_video import DESK, OTHER, held_up, record
from hypothesis import given, settings
from rich.console import Console
from rich.text import Text

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.net import WESTERN_SCHEME, text_net
from cube.pocket import PocketState, rotations
from cube.state import SOLVED
from cube.written.face_orders import S4_ORDER
from run_thistlebot import thistlebot
from thistlebot.terminal.by_hand import POCKET_SCHEME, tell_by_hand, tell_pocket_by_hand
from thistlebot.terminal.hand_scan import ScanView, net_text, scan_by_hand
from thistlebot.terminal.screen import Screen
from vision.errors import EndOfVideoError
from vision.frame import Frame
from vision.live.capture import CAPTURE_ORDER
from vision.live.face_watch import FaceWatch


class Shown:
    """A screen, and what it shows."""

    def __init__(self, width: int = 100, *, terminal: bool = False) -> None:
        self.screen = Screen()
        self._file = StringIO()
        self.screen.out = Console(
            file=self._file,
            width=width,
            force_terminal=terminal,
            color_system="truecolor" if terminal else None,
            highlight=False,
            soft_wrap=True,
        )

    @property
    def text(self) -> str:
        return self._file.getvalue()

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.text.splitlines()]


def beside(lines: list[str], wide: int) -> tuple[list[str], list[str]]:
    """Part two nets that stand side by side."""
    return [line[:wide].rstrip() for line in lines], [line[wide:].rstrip() for line in lines]


@settings(max_examples=12)
@given(scramble=sequences(25), moves=sequences(25, least=1))
def test_a_pocket_cube_is_held_by_a_corner_that_it_has(
    scramble: MoveSequence, moves: MoveSequence
) -> None:
    state = rotations()[0].apply(scramble)
    shown = Shown()
    tell_pocket_by_hand(shown.screen, state, moves)
    up, front, right = (state.text[4 * S4_ORDER.index(face) + cell] for face, cell in CORNER)
    names = [POCKET_SCHEME[letter] for letter in (up, front, right)]
    named = re.findall("|".join(POCKET_SCHEME.values()), shown.lines[0])
    assert named == [*names, *names[:2]]  # the corner, then what is up and in front
    before, after = beside(shown.lines[1:], 19)
    assert before == ["before", *pocket_net(state)]
    assert after == ["after", *pocket_net(state.apply(moves))]


# In the net of a face the sticker of the corner up, front and right.
CORNER = (("U", 3), ("F", 1), ("R", 0))


def pocket_net(state: PocketState) -> list[str]:
    """The net as the letters of S4 have it, which come face by face in the order U L F R B D."""
    rows = [state.text[at : at + 2] for at in range(0, 24, 2)]
    up, left, front, right, back, down = (rows[2 * i : 2 * i + 2] for i in range(6))
    around = [a + b + c + d for a, b, c, d in zip(left, front, right, back, strict=True)]
    drawn = [*(f"  {row}" for row in up), *around, *(f"  {row}" for row in down)]
    return [" ".join(row) for row in drawn]


def test_a_narrow_terminal_has_one_net_below_the_other_and_truncates_no_word() -> None:
    shown = Shown(width=40)
    tell_by_hand(shown.screen, SOLVED_FACELETS, MoveSequence.parse("R"), WESTERN_SCHEME)
    after = cube_after("R").to_facelets().text
    nets = [text_net(SOLVED_FACELETS.text), text_net(after)]
    assert "\n".join(shown.lines[1:]) == f"before\n{nets[0]}\nafter\n{nets[1]}"
    screen, said = Screen(), StringIO()
    screen.live = Console(file=said, force_terminal=True, width=40, soft_wrap=True)
    guidance = "hold the face with the white centre before the camera, green above"
    with ScanView(screen) as view:
        view.show({}, guidance)
    text = " ".join(Text.from_ansi(said.getvalue()).plain.split())
    assert guidance in text
    assert "U R F D L B" in text


def test_how_to_hold_it_goes_by_the_colours_that_are_known_and_matters_with_moves_only() -> None:
    told, guessed, nothing = Shown(), Shown(), Shown()
    tell_by_hand(told.screen, SOLVED_FACELETS, MoveSequence.parse("R"), OTHER)
    tell_by_hand(guessed.screen, SOLVED_FACELETS, MoveSequence.parse("R"))
    assert re.findall("yellow|blue|white|green", told.lines[0]) == ["yellow", "blue"]
    assert re.findall("yellow|blue|white|green", guessed.lines[0]) == ["white", "green"]
    assert len(guessed.lines[0]) > len(told.lines[0])  # it says that they are guessed
    tell_by_hand(nothing.screen, SOLVED_FACELETS, MoveSequence(), WESTERN_SCHEME)
    assert "\n".join(nothing.lines) == text_net(SOLVED_FACELETS.text)


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = MoveSequence.parse("R U2")
    coloured = Shown(terminal=True)
    tell_by_hand(coloured.screen, SOLVED_FACELETS, moves, WESTERN_SCHEME)
    assert "\x1b[97;48;2;0;155;72mF" in coloured.text
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Shown(terminal=True)
    tell_by_hand(plain.screen, SOLVED_FACELETS, moves, WESTERN_SCHEME)
    assert "48;2;" not in plain.text


def test_calibrate_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "solved.avi"
    record(file, SOLVED, CAPTURE_ORDER)
    args = ["calibrate", "colours", "--profile", "desk", "--camera", str(file), "--json"]
    result = thistlebot(*args)
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "config" / "profiles" / "desk.toml").is_file()


def test_the_space_bar_takes_a_face_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each face is seen for one picture only; when more are asked for, `HandGuide` decides."""
    monkeypatch.setattr(FaceWatch.__init__, "__defaults__", (60.0,))  # no second picture to find it
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    master, slave = pty.openpty()
    state = cube(21)

    class Pressed:
        """First the desk, then the faces one by one; the space bar is pressed at each picture."""

        name = "hand"

        def __init__(self) -> None:
            self.pictures = iter([DESK, *(held_up(state, face) for face in CAPTURE_ORDER)])

        def read(self) -> Frame:
            os.write(master, b" ")
            select.select([slave], [], [], 10)  # the kernel hands a key over in its own time
            for picture in self.pictures:
                return picture
            raise EndOfVideoError("that was all")

    with os.fdopen(slave) as keyboard, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", keyboard)
        reading, frames = scan_by_hand(Pressed(), None, Screen())
    os.close(master)
    assert reading.facelets == state.to_facelets()
    assert len(frames) == 6


def test_colours_are_told_apart_without_colour() -> None:
    drawn = net_text({"F": ["white", "red", "green", "blue"]}, side=2).plain.splitlines()
    assert [line.split() for line in drawn[2:4]] == [
        ["·", "·", "w", "r", "·", "·", "·", "·"],
        ["·", "·", "g", "b", "·", "·", "·", "·"],
    ]
