"""Requests to end, from the first moment on, and output that nobody takes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cube.moves import MoveSequence
from run_thistlebot import finished
from thistlebot.__main__ import _Requests


def test_the_first_request_counts_however_young_the_clock_is_and_others_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While it is obeyed, that is; the clock counts from the start of the computer."""
    now_s = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])
    requests = _Requests()
    with pytest.raises(KeyboardInterrupt):
        requests(signal.SIGINT, None)
    now_s[0] = 1.0
    requests(signal.SIGTERM, None)
    now_s[0] = 10.0  # the first one was not enough
    with pytest.raises(KeyboardInterrupt):
        requests(signal.SIGINT, None)


FULL = Path("/dev/full")
MOVES = "R U R' U' F D"

needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


def printing_into(stdout: int, *args: str, stderr: int = subprocess.PIPE) -> tuple[int, str]:
    """Run the program with this standard output; return its exit code and its messages."""
    done = finished(*args, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
    return done.returncode, done.stderr or ""


@pytest.fixture
def broken_pipe() -> int:
    """The writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize("args", [("--help",), ("school", "explain", "UU", "--json")])
def test_a_reader_that_has_gone_ends_what_only_prints(
    args: tuple[str, ...], broken_pipe: int
) -> None:
    code, said = printing_into(broken_pipe, *args)
    assert code == 141
    assert "Traceback" not in said


def test_a_reader_that_has_gone_stops_no_motor(pty_rig, broken_pipe: int) -> None:
    """Nor one of the messages."""
    port, rig = pty_rig()
    code, said = printing_into(broken_pipe, "run", MOVES, "--port", port, stderr=broken_pipe)
    assert (code, said) == (0, "")
    assert rig.moves == MoveSequence.parse(MOVES).moves


@needs_full
def test_a_full_disk_stops_no_motor_and_is_said_at_the_end(pty_rig) -> None:
    port, rig = pty_rig()
    with FULL.open("w") as full:
        code, said = printing_into(full.fileno(), "run", MOVES, "--port", port)
    assert code == 5
    assert "No space left on device" in said
    assert rig.moves == MoveSequence.parse(MOVES).moves


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a folder in use stays")
def test_it_continues_where_the_working_folder_was_deleted(tmp_path: Path) -> None:
    script = f'mkdir d; cd d; rmdir ../d; exec "{sys.executable}" -P -m thistlebot run R --dry-run'
    done = subprocess.run(["/bin/sh", "-c", script], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


BUSY_THREADS = """
import threading, time
import cv2, numpy
import thistlebot.cli.program, thistlebot.__main__

def run():
    picture = numpy.zeros((99, 99, 3), numpy.uint8)
    blur = lambda: [cv2.GaussianBlur(picture, (3, 3), 0) for _ in iter(int, 1)]
    for _ in range(6):
        threading.Thread(target=blur, daemon=True).start()
    time.sleep(0.05)
    raise SystemExit(7)

thistlebot.cli.program.run_program = run
thistlebot.__main__.main()
"""


def test_a_thread_that_is_in_opencv_does_not_abort_the_program_at_its_end() -> None:
    codes = [
        subprocess.run([sys.executable, "-c", BUSY_THREADS], check=False).returncode
        for _ in range(3)
    ]
    assert codes == [7, 7, 7]


@pytest.mark.skipif(os.name != "posix", reason="shells of POSIX")
def test_a_closed_stream_is_no_error_and_no_file_takes_its_number() -> None:
    command = '"$0" -m thistlebot history >&- 2>&- <&-'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable], stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
