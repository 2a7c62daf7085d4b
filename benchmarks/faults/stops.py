"""Fifty ways to stop a machine: did it stop, and did the program that says so see it?

    python -m benchmarks.faults.stops
    python -m benchmarks.faults.stops --only panel

Real programs turn motors of the firmware in its simulator (`benchmarks.faults.ground`): started in
a terminal, in the background, with all requests to end ignored, or by the panel. They are stopped
by `thistlebot stop` or by the panel, at several moments. A claim is wrong if anything turns after
it; a stop that was not seen must not be claimed.
"""

import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import httpx

from benchmarks.faults.ground import FirmwareGround
from benchmarks.report import Figure, Given, Report, Row, Rows, parser_of, run
from cube.errors import ThistlebotError
from thistlebot.client import Client

MOVES = "R U2 F' " * 250
_MOMENTS = (400, 16_000, 48_000)
"""Steps made before the stop; a quarter turn of the default rig has 400."""
_BEGUN = 8_000
"""Steps after which a program has begun for sure."""
_FORMS = (("--port",), (), ("--port", "--release"))
"""The options of `thistlebot stop`; the port is that of the board."""
_WATCHED_S, _GOES_ON_S = 1.0, 0.5
"""How long a stopped machine is watched in real time, and one that nobody stops."""
_LONGEST_S = 60.0
_ENDINGS = {"foreground": "", "background": "INT", "nohup": "HUP", "deaf": "INT TERM HUP"}
"""The ways to start a program, by the signals that it ignores then."""
_LIBRARY = """
import sys, thistlebot
with thistlebot.Rig(port=sys.argv[1]) as rig:
    try:
        rig.turn(sys.argv[2])
    except thistlebot.StoppedError:
        sys.exit(6)
"""


class StopRow(Row):
    """One situation.

    Attributes:
        situation: How the machine was started, what stopped it, and when.
        made: Steps when the stop was claimed, or pulses of servos.
        later: The same in the second after it.
        claimed: Whether the stop was claimed.
        took_s: Time from the request to the answer, seconds.
        met: Whether the claim is true.
    """

    situation: str
    made: int
    later: int
    claimed: bool
    took_s: float
    met: bool


class StopScene:
    """Programs with a folder of their own."""

    def __init__(self, parent: Path) -> None:
        folder = Path(tempfile.mkdtemp(dir=parent))
        self._stack: list[subprocess.Popen[str]] = []
        names = ("CONFIG", "STATE", "DATA")  # each program has a journal of its own
        own = {f"THISTLEBOT_{name}_DIR": str(folder / name.lower()) for name in names}
        self.environment = os.environ | own
        self.folder = folder

    def start(self, *words: object, ignoring: str = "") -> subprocess.Popen[str]:
        """Start a Python program that ignores some signals."""
        trap = f'trap "" {ignoring}; ' if ignoring else ""
        program = subprocess.Popen(
            ["/bin/sh", "-c", f'{trap}exec "$@"', "sh", sys.executable, *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "errors").open("w"),
            text=True,
            env=self.environment | {"THISTLEBOT_DATA_DIR": tempfile.mkdtemp(dir=self.folder)},
        )
        self._stack.append(program)
        return program

    def run(self, *words: object) -> int:
        """Run `thistlebot`, and return its exit code."""
        done = subprocess.run(
            [sys.executable, "-m", "thistlebot", *map(str, words)],
            capture_output=True,
            env=self.environment,
            check=False,
            timeout=_LONGEST_S,
        )
        if b"Traceback" in done.stderr:
            raise AssertionError(done.stderr.decode())
        return done.returncode

    def end(self) -> None:
        """End every program."""
        for program in self._stack:
            with suppress(ProcessLookupError):
                program.kill()
            program.communicate()
        self._stack.clear()


def _until(true: Callable[[], bool]) -> None:
    give_up_s = time.monotonic() + _LONGEST_S
    while not true():
        if time.monotonic() > give_up_s:
            raise TimeoutError("the machine does not begin to turn")
        time.sleep(0.005)


def _judge(
    name: str, stop: Callable[[], bool], made: Callable[[], int], *, must: bool = True
) -> StopRow:
    """Stop a machine, and watch whether it turns after that.

    Args:
        name: The situation.
        stop: Stops it, and returns whether the stop was claimed.
        made: Returns the steps until now.
        must: Whether the stop must be claimed.
    """
    began_s = time.monotonic()
    claimed = stop()
    took_s, then = time.monotonic() - began_s, made()
    time.sleep(_WATCHED_S)
    later = made() - then
    met = (claimed or not must) and not (claimed and later)
    return StopRow(name, then, later, claimed, round(took_s, 2), met)


@contextmanager
def _scene(folder: Path) -> Iterator[tuple[FirmwareGround, StopScene]]:
    """Provide a board and the programs around it."""
    scene = StopScene(folder)
    ground = FirmwareGround(scene.folder, "uno")
    try:
        yield ground, scene
    finally:
        scene.end()
        ground.close()


def _terminals(folder: Path) -> Iterator[StopRow]:
    """A program that was started in several ways, and `thistlebot stop` in its three forms."""
    for way, moment, form in itertools.product(_ENDINGS, _MOMENTS, _FORMS):
        if "--release" not in form or moment == _MOMENTS[1]:
            yield _in_terminal(folder, way, moment, form)


def _in_terminal(folder: Path, way: str, moment: int, form: tuple[str, ...]) -> StopRow:
    with _scene(folder) as (ground, scene):
        port = {"--port": ("--port", ground.device)}
        scene.start("-m", "thistlebot", "run", MOVES, *port["--port"], ignoring=_ENDINGS[way])
        _until(lambda: ground.steps() >= moment)
        words = [word for each in form for word in port.get(each, (each,))]
        return _judge(
            f"{way}, {' '.join(('stop', *form))}, after {moment}",
            lambda: scene.run("stop", *words) == 0,
            ground.steps,
        )


def _others(folder: Path) -> Iterator[StopRow]:
    """Two machines, a program that was killed or suspended, and a Python program."""
    yield _two_machines(folder, both=False)
    yield _two_machines(folder, both=True)
    yield _disturbed(folder, "killed", signal.SIGKILL)
    yield _disturbed(folder, "suspended", signal.SIGSTOP)
    with _scene(folder) as (ground, scene):
        scene.start("-c", _LIBRARY, ground.device, MOVES, ignoring="INT")
        _until(lambda: ground.steps() >= _BEGUN)
        yield _judge(
            "thistlebot.Rig in a Python program", lambda: scene.run("stop") == 0, ground.steps
        )


def _two_machines(folder: Path, *, both: bool) -> StopRow:
    """Stop one of two machines, or both; one that is not named goes on."""
    with _scene(folder) as (ground, scene), _scene(folder) as (other, _):
        for each in (ground, other):
            scene.start("-m", "thistlebot", "run", MOVES, "--port", each.device, ignoring="INT")
        _until(lambda: min(ground.steps(), other.steps()) >= _BEGUN)
        row = _judge(
            f"two machines, {'both' if both else 'one'}",
            lambda: scene.run("stop", *(() if both else ("--port", ground.device))) == 0,
            lambda: ground.steps() + both * other.steps(),
        )
        before = other.steps()
        time.sleep(_GOES_ON_S)
        row.met &= both or other.steps() > before
        return row


def _disturbed(folder: Path, text: str, number: signal.Signals) -> StopRow:
    with _scene(folder) as (ground, scene):
        program = scene.start("-m", "thistlebot", "run", MOVES, "--port", ground.device)
        _until(lambda: ground.steps() >= _BEGUN)
        program.send_signal(number)
        return _judge(
            f"a program that was {text}",
            lambda: scene.run("stop", "--port", ground.device) == 0,
            ground.steps,
            must=number == signal.SIGKILL,
        )


def _panels(folder: Path) -> Iterator[StopRow]:
    """The panel, stopped by its own ways and from a terminal; it lives on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = free.getsockname()[1]
    root = f"http://127.0.0.1:{number}"
    panel = Client(root)

    def begins() -> bool:
        try:
            panel.turn(MOVES)
        except ThistlebotError:  # it starts, or ends the turns before
            return False
        return True

    def stopped_by(press: Callable[[], object]) -> bool:
        press()
        _until(lambda: not panel.view().job)
        return True

    with _scene(folder) as (ground, scene):
        words = ("-m", "thistlebot", "serve", "--port", ground.device, "--http-port", number)
        scene.start(*words, ignoring="INT HUP")
        ways: dict[str, Callable[[], bool]] = {
            "thistlebot stop": lambda: scene.run("stop") == 0,
            "its STOP": lambda: stopped_by(lambda: httpx.post(f"{root}/stop")),
            "/api/v1/stop": lambda: stopped_by(panel.stop),
        }
        for (way, stop), moment in itertools.product(ways.items(), _MOMENTS):
            _until(begins)
            _until(partial(_has_made, ground, ground.steps() + moment))
            yield _judge(f"panel, {way}, after {moment}", stop, ground.steps)


def _has_made(ground: FirmwareGround, least: int) -> bool:
    return ground.steps() >= least


_GROUPS = {"terminal": _terminals, "other": _others, "panel": _panels}


def measure(given: Given, _report: Report) -> Rows:
    """Stop machines in every situation."""
    rows: list[StopRow] = []
    for name, group in _GROUPS.items():
        if given.only in name:
            with tempfile.TemporaryDirectory() as folder:
                for row in group(Path(folder)):
                    rows.append(row)
                    yield row
    wrong = sum(not row.met for row in rows)
    yield Figure("situations", len(rows))
    yield Figure("stopped, and said so", sum(row.claimed for row in rows))
    yield Figure.at_most("wrong claims", wrong, 0)


if __name__ == "__main__":
    run(parser_of(__doc__ or "", only=""), measure)
