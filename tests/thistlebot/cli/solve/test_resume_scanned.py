"""A scanned solve that is killed and finished: cameras, program and firmware as they are used."""

import http.server
import random
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2
import msgspec
import pytest
from journals import unfinished_program
from world import cube

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig
from robot.running.journal import JournalRecord
from run_thistlebot import start
from stepped_cube import SteppedCube
from thistlebot.exit_codes import ExitCode
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

pytestmark = [pytest.mark.avr, pytest.mark.parametrize("simulated_board", [1.0], indirect=True)]
PICTURES_S = 5
MOST_STEPS = 19_000
"""What a four-stage solution makes with the default rig: 13 000 to 19 000 step pulses."""


class WatchedCube:
    """The cube that a simulated board turns, seen by two network cameras.

    What the cameras show is what the recorded step pulses made of it, nothing else.
    """

    def __init__(self, simulated_board) -> None:
        self._board = simulated_board
        self._lock = threading.Lock()
        self._cameras = {
            name: VirtualCamera(lambda: self.cube.state, corner_viewpoint(name))
            for name in CORNER_CAMERAS
        }
        self._pictures: dict[str, tuple[CubeState, bytes]] = {}
        self.steps = 0
        self.cube = SteppedCube(default_rig())

    def put(self, state: CubeState) -> None:
        """Place another cube."""
        self.look()
        with self._lock:
            self.steps = 0
            self.cube = SteppedCube(default_rig(), state)

    def look(self) -> CubeState:
        """The cube after the step pulses made until now."""
        with self._lock:
            edges = self._board.step_edges()
            self.steps += len(edges)
            return self.cube.follow(edges)

    def picture(self, camera: str) -> bytes:
        """What a camera sees now, as JPEG."""
        state = self.look()
        if camera not in self._pictures or self._pictures[camera][0] != state:
            image = self._cameras[camera].read().image
            data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
            self._pictures[camera] = (state, data)
        return self._pictures[camera][1]


@contextmanager
def network_cameras(watched: WatchedCube) -> Iterator[list[str]]:
    """Serve both cameras as motion JPEG; yields their addresses."""
    ended = threading.Event()

    class Sender(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            while not ended.wait(1 / PICTURES_S):
                data = watched.picture(self.path.strip("/"))
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                try:
                    self.wfile.write(head.encode() + data + b"\r\n")
                except OSError:
                    return

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sender) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield [f"http://127.0.0.1:{server.server_port}/{name}" for name in CORNER_CAMERAS]
        finally:
            ended.set()
            server.shutdown()
            thread.join()


def start_solve(board, cameras: list[str], *words: str) -> subprocess.Popen[str]:
    """Start `thistlebot solve` with the rig and the cameras."""
    sources = [word for camera in cameras for word in ("--camera", camera)]
    return start("solve", "--json", "--port", board.port, *sources, *words)


def kill_after(watched: WatchedCube, program: subprocess.Popen[str], steps: int) -> None:
    """Kill a program when the motors have made so many steps, if it does not end before."""
    while watched.steps < steps and program.poll() is None:
        watched.look()
        time.sleep(0.01)
    program.kill()
    _, err = program.communicate()
    assert watched.steps >= steps or program.returncode == 0, err


def finish(simulated_board, cameras: list[str], data_folder: Path) -> JournalRecord | None:
    """Finish what was cut off, and have the cameras look; None if there was nothing to finish."""
    record = unfinished_program(data_folder)
    again = start_solve(simulated_board, cameras, "--resume")
    out, err = again.communicate(timeout=120)
    if record is None:
        assert again.returncode == ExitCode.USAGE
        return None
    assert again.returncode == 0, err
    said = msgspec.json.decode(out)
    assert said["resumed"]
    assert said["verified"]
    assert said["moves"] == " ".join(record.steps)
    assert unfinished_program(data_folder) is None
    return record


def kill_scanned_solves(board, data_folder: Path, cuts: Iterable[int]) -> int:
    """Kill solves after so many step pulses each; returns how many had to be finished."""
    watched = WatchedCube(board)
    finished = 0
    with network_cameras(watched) as cameras:
        for number, steps in enumerate(cuts):
            scrambled = cube(number)
            watched.put(scrambled)
            program = start_solve(board, cameras, "--method", "thistlethwaite")
            kill_after(watched, program, steps)
            record = finish(board, cameras, data_folder)
            state = watched.look()
            assert watched.cube.misaligned == {}
            if record is None:  # killed before it turned anything, or after it had turned all
                assert state == (SOLVED if watched.steps else scrambled)
                continue
            finished += 1
            planned = MoveSequence.of(move for moves in record.moves for move in moves)
            assert MoveSequence.of(watched.cube.moves).simplified() == planned.simplified()
            assert scrambled.apply(planned) == SOLVED
            assert state == SOLVED
    return finished


CUTS = [random.Random(6).randrange(MOST_STEPS) for _ in range(40)]


@pytest.mark.parametrize(
    "cuts",
    [(5_000,), pytest.param(CUTS, marks=[pytest.mark.exhaustive, pytest.mark.timeout(3600)])],
)
def test_scanned_solves_that_are_killed_are_finished_and_seen(
    simulated_board, tmp_path: Path, cuts: Sequence[int]
) -> None:
    """After so many step pulses; the last ones may come when all was turned."""
    finished = kill_scanned_solves(simulated_board, tmp_path / "data", cuts)
    assert finished >= len(cuts) * 3 // 4
