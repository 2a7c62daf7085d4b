"""`solve --hand`: six faces before a webcam, here a recorded video, and the moves to do."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hand_video import OTHER, record
from serial.tools import list_ports
from typer.testing import Result

from cube.facelets import Facelets
from cube.moves import FACES, MoveSequence
from cube.net import text_net
from cube.pocket import PocketState
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from run_thistlebot import thistlebot
from vision.live.capture import CAPTURE_ORDER

# No tables have to be built for it.
QUICK = ("--method", "thistlethwaite")
REACTION_S = 0.3
"""What a person needs at least. Python's `input` prints a question and then waits for the answer: a
signal that falls in between is not seen before the next key."""


def solve(file: object, *options: object) -> Result:
    return thistlebot("solve", "--hand", "--camera", file, *options)


@pytest.fixture(scope="module")
def state() -> CubeState:
    return random_state(np.random.default_rng(33))


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, state: CubeState) -> Path:
    file = tmp_path_factory.mktemp("recording") / "faces.avi"
    record(file, state, CAPTURE_ORDER)
    return file


def test_six_faces_become_moves_in_one_command(recording: Path, state: CubeState) -> None:
    result = solve(recording)
    assert result.exit_code == 0, result.stderr
    (moves,) = re.findall(r"^moves     (.+)$", result.stdout, re.MULTILINE)
    assert state.apply(MoveSequence.parse(moves)) == SOLVED
    assert "hold      the cube with white up and green in front\n" in result.stdout
    assert "on this rig" not in result.stdout
    before = [line[:27].rstrip() for line in result.stdout.splitlines()[-9:]]
    assert before == text_net(state.to_facelets().text).splitlines()


def test_a_program_gets_one_record_and_a_person_guidance(recording: Path, state: CubeState) -> None:
    result = solve(recording, "--json", "--dry-run")
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["facelets"] == state.to_facelets().text
    assert state.apply(MoveSequence.parse(told["moves"])) == SOLVED
    assert (told["scheme"]["U"], told["scheme"]["F"]) == ("white", "green")
    assert "time_s" not in told
    assert "Show the right face" in result.stderr


def test_the_colours_that_are_told_say_how_to_hold_it(tmp_path: Path, state: CubeState) -> None:
    file = tmp_path / "faces.avi"
    record(file, state, CAPTURE_ORDER, OTHER)
    result = solve(file, "--scheme", ",".join(OTHER.values()), *QUICK)
    assert result.exit_code == 0, result.stderr
    assert "hold      the cube with yellow up and blue in front\n" in result.stdout
    assert state.to_facelets().text in result.stdout


def test_faces_in_any_order_are_held_as_they_were_named(tmp_path: Path, state: CubeState) -> None:
    """Filmed with yellow up and blue in front, told with white up and green in front."""
    file = tmp_path / "faces.avi"
    record(file, state, "BULRFD", OTHER, turns=(0, 1, 2, 3))
    result = solve(file, "--any-order", "--json", *QUICK)
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    scheme = told["scheme"]
    assert (scheme["U"], scheme["F"]) == ("white", "green")
    # What a person sees who turns the filmed cube half around its left and right faces.
    filmed = {face: state.to_facelets().face(face) for face in FACES}
    came_from = {"U": "D", "D": "U", "F": "B", "B": "F", "L": "L", "R": "R"}
    upright = {
        face: filmed[old] if face in "UD" else filmed[old][::-1] for face, old in came_from.items()
    }
    seen = [OTHER[letter] for face in FACES for letter in upright[face]]
    assert [scheme[letter] for letter in told["facelets"]] == seen
    held = CubeState.from_facelets(Facelets(told["facelets"]))
    assert held.apply(MoveSequence.parse(told["moves"])) == SOLVED


def test_a_pocket_cube(tmp_path: Path, state: CubeState) -> None:
    file = tmp_path / "faces.avi"
    record(file, state, CAPTURE_ORDER, pocket=True)
    result = solve(file, "--cube", "2", "--json")
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    shown = state.to_facelets().text
    corners = "".join(shown[9 * i + cell] for i in range(6) for cell in (0, 2, 6, 8))
    letters = dict(zip("URFDLB", "wrgyob", strict=True))
    seen = "".join(letters[corners[4 * FACES.index(f) + k]] for f in "ULFRBD" for k in range(4))
    assert told["facelets"] == seen
    moves = MoveSequence.parse(told["moves"])
    assert PocketState.parse(told["facelets"]).apply(moves).is_solved
    assert "Tip it back" in " ".join(result.stderr.split())


def test_a_pocket_cube_that_is_turned_the_other_way(tmp_path: Path, state: CubeState) -> None:
    told = []
    for number, faces in enumerate((CAPTURE_ORDER, "FLBRUD")):
        file = tmp_path / f"faces{number}.avi"
        record(file, state, faces, pocket=True)
        result = solve(file, "--cube", "2", "--json")
        assert result.exit_code == 0, result.stderr
        told.append(json.loads(result.stdout)["facelets"])
    assert told[0] == told[1]


def test_the_wrong_size_is_said(recording: Path) -> None:
    result = solve(recording, "--cube", "2")
    assert result.exit_code == 2
    assert "leave out --cube 2" in result.stderr


def test_a_rig_that_is_described_does_not_matter(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rig.toml").write_text("this is no rig")
    assert solve(recording, *QUICK).exit_code == 0


def test_pictures_are_kept_on_demand(recording: Path, tmp_path: Path) -> None:
    result = solve(recording, "--save", tmp_path / "seen", *QUICK)
    assert result.exit_code == 0, result.stderr
    assert len(list((tmp_path / "seen").iterdir())) >= 6


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--objective", "time"), "choose htm or qtm"),
        (("--photos", "here"), "leave it away"),
        (("--virtual",), "leave it away"),
        (("--wait",), "leave it away"),
        (("--rig", "cradle"), "leave it away"),
    ],
)
def test_what_a_hand_cannot_do(recording: Path, options: tuple[str, ...], said: str) -> None:
    result = solve(recording, *options)
    assert result.exit_code == 2
    assert said in " ".join(str(result.output).split())


def test_the_same_face_shown_twice_is_noticed(tmp_path: Path, state: CubeState) -> None:
    file = tmp_path / "faces.avi"
    record(file, state, "FFRBBLUD")
    result = solve(file, *QUICK)
    assert result.exit_code == 0, result.stderr
    assert state.to_facelets().text in result.stdout
    assert "The front face is captured already." in " ".join(result.stderr.split())


def test_the_same_face_of_a_pocket_cube_shown_twice(tmp_path: Path, state: CubeState) -> None:
    file = tmp_path / "faces.avi"
    record(file, state, "FRRBLUD", pocket=True)
    result = solve(file, "--cube", "2")
    assert result.exit_code == 0, result.stderr
    assert "This face is captured already. Turn it by a quarter again" in " ".join(
        result.stderr.split()
    )


@pytest.mark.parametrize("pocket", [False, True])
def test_a_recording_that_ends_early(tmp_path: Path, state: CubeState, pocket: bool) -> None:
    file = tmp_path / "faces.avi"
    record(file, state, CAPTURE_ORDER[:4], pocket=pocket)
    result = solve(file, *(("--cube", "2") if pocket else ()))
    assert result.exit_code == 5
    assert "ended after" in " ".join(result.stderr.split())
    assert "moves" not in result.stdout


def test_a_camera_that_is_not_there() -> None:
    result = solve(987)
    assert result.exit_code == 5
    assert "camera 987 does not open" in " ".join(result.stderr.split())


def test_without_a_rig_an_error_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", list)
    result = thistlebot("solve")
    assert result.exit_code == 5
    assert "thistlebot solve --hand" in " ".join(result.stderr.split())
    error = json.loads(thistlebot("solve", "--json").stdout)["error"]
    assert (error["type"], error["exit_code"]) == ("PortMissingError", 5)
    result = thistlebot("solve", "--scramble", "R")
    assert result.exit_code == 5
    assert "--hand" not in result.stderr


def test_where_a_rig_is_described_nobody_is_sent_away_from_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(list_ports, "comports", list)
    result = thistlebot("solve", "--rig", "six")
    assert result.exit_code == 5
    assert "--hand" not in result.stderr


class Sitting:
    """The program at a terminal, and a person who types."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master = master
        self.process = process
        self.seen = ""

    def wait_for(self, text: str, timeout_s: float = 60.0) -> None:
        """Read what the terminal shows until it has shown this since the last time."""
        shown, until = "", time.monotonic() + timeout_s
        while text not in " ".join(shown.split()):
            assert time.monotonic() < until, self.seen
            shown += self._read()

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def leave(self) -> int:
        """Wait for the end, and return the exit code."""
        while self.process.poll() is None:
            self._read()
        self._read()
        return self.process.returncode

    def _read(self) -> str:
        if not select.select([self._master], [], [], 0.1)[0]:
            return ""
        read = os.read(self._master, 65536).decode(errors="replace")
        self.seen += read
        return read


@contextmanager
def sitting(*args: object) -> Iterator[Sitting]:
    """Start the program at a pseudo-terminal, on a computer without a serial port."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    termios = pytest.importorskip("termios", reason="termios exists on POSIX only")
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    script = (
        "import sys; from serial.tools import list_ports; list_ports.comports = list\n"
        "from thistlebot.__main__ import main; main()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, args)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=os.environ | {"NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "100"},
    )
    try:
        yield Sitting(master, process)
        assert termios.tcgetattr(slave) == before
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


def test_without_a_rig_it_is_offered_and_the_moves_are_stepped_through(
    recording: Path, state: CubeState
) -> None:
    with sitting("solve", "--camera", recording, *QUICK) as person:
        person.wait_for("solve by hand with the webcam? [Y/n]")
        person.type("\n")
        person.wait_for("space: the next move q: quit")
        (moves,) = re.findall(r"^moves     (.+?)\s*$", person.seen, re.MULTILINE)
        first, second = moves.split()[:2]
        for number, move in enumerate((first, second), start=1):
            person.type(" ")
            state = state.apply(MoveSequence.parse(move))
            net = text_net(state.to_facelets().text)
            person.wait_for(" ".join(net.split()))
            assert f"{number} of {len(moves.split())}  {move}: the " in person.seen
        person.type("q")
        assert person.leave() == 0


def test_the_offer_may_be_declined(recording: Path) -> None:
    with sitting("solve", "--camera", recording) as person:
        person.wait_for("[Y/n]")
        person.type("n\n")
        assert person.leave() == 5
    assert "thistlebot solve --hand" in " ".join(person.seen.split())


@pytest.mark.parametrize("moment", ["[Y/n]", "Hold still.", "space: the next move"])
def test_ctrl_c_in_the_middle(tmp_path: Path, state: CubeState, moment: str) -> None:
    """While it asks, while the faces are shown, while the moves are stepped through."""
    file = tmp_path / "faces.avi"
    record(file, state, CAPTURE_ORDER, away=12)
    hand = () if moment == "[Y/n]" else ("--hand",)
    with sitting("solve", *hand, "--camera", file, *QUICK) as person:
        person.wait_for(moment)
        time.sleep(REACTION_S)
        person.process.send_signal(signal.SIGINT)
        assert person.leave() == 6
    assert "stopped" in person.seen
    assert "Traceback" not in person.seen
