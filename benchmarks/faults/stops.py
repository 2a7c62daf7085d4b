"""Forty ways to stop a machine: did it stop, and did the program that says so see it?

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
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.faults.ground import FirmwareGround
from benchmarks.report import Figure, Given, Report, Row, Rows, parser_of, run
from cube.errors import ThistlebotError
from thistlebot.client import Client

MOVES = "R U2 F' " * 250
PORT = "PORT"
_MOMENTS = (400, 16_000, 48_000)
"""Steps made before the stop; a quarter turn of the default rig has 400."""
_BEGUN = 8_000
"""Steps after which a program has begun for sure."""
_WATCHED_S, _GOES_ON_S = 1.0, 0.5
"""How long a stopped machine is watched in real time, and one that nobody stops."""
_LONGEST_S = 60.0
_LIBRARY = """
import sys, thistlebot
with thistlebot.Rig(port=sys.argv[1]) as rig:
    try:
        rig.turn(sys.argv[2])
    except thistlebot.StoppedError:
        sys.exit(6)
"""


@dataclass(frozen=True, slots=True)
class Situation:
    """Programs that turn machines, and the command that stops the first of them, or all.

    Attributes:
        name: What is special.
        ignored: The signals that the programs ignore.
        moment: Steps of each before the stop.
        options: Those of `thistlebot stop`, with `PORT` for the port of the first machine; without
            it, all machines are stopped.
        machines: How many turn.
        struck: A signal for the first program, just before the stop.
        code: A Python program in place of `thistlebot run`.
    """

    name: str
    ignored: str = "INT"
    moment: int = _BEGUN
    options: tuple[str, ...] = ("--port", PORT)
    machines: int = 1
    struck: signal.Signals | None = None
    code: str = ""


_ENDINGS = {"foreground": "", "background": "INT", "nohup": "HUP", "deaf": "INT TERM HUP"}
"""The ways to start a program, by the signals that it ignores then."""
SITUATIONS = (
    *(
        Situation(
            f"{way}, {' '.join(('stop', *options))}, after {moment}", ignored, moment, options
        )
        for (way, ignored), moment, options in itertools.product(
            _ENDINGS.items(), _MOMENTS, ((), ("--port", PORT))
        )
    ),
    *(
        Situation(f"{way}, stop --release", ignored, options=("--port", PORT, "--release"))
        for way, ignored in _ENDINGS.items()
    ),
    Situation("two machines, one stopped", machines=2),
    Situation("two machines, both stopped", machines=2, options=()),
    Situation("a program that was killed", struck=signal.SIGKILL),
    Situation("a program that was suspended", struck=signal.SIGSTOP),
    Situation("thistlebot.Rig in a Python program", code=_LIBRARY, options=()),
)


class StopRow(Row):
    """One situation.

    Attributes:
        situation: How the machine was started, what stopped it, and when.
        made: Steps when the stop was claimed.
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
def _scene(folder: Path, machines: int = 1) -> Iterator[tuple[StopScene, list[FirmwareGround]]]:
    """Provide boards and the programs around them."""
    scene = StopScene(folder)
    grounds = [
        FirmwareGround(Path(tempfile.mkdtemp(dir=scene.folder)), "uno") for _ in range(machines)
    ]
    try:
        yield scene, grounds
    finally:
        scene.end()
        for ground in grounds:
            ground.close()


def _played(one: Situation, folder: Path) -> StopRow:
    """Stop the machines of a situation; one that is not named goes on."""
    with _scene(folder, one.machines) as (scene, grounds):
        programs = []
        for ground in grounds:
            words: list[object] = ["-m", "thistlebot", "run", MOVES, "--port", ground.device]
            if one.code:
                words = ["-c", one.code, ground.device, MOVES]
            programs.append(scene.start(*words, ignoring=one.ignored))
        _until(lambda: min(ground.steps() for ground in grounds) >= one.moment)
        if one.struck is not None:
            programs[0].send_signal(one.struck)
        options = [grounds[0].device if each == PORT else each for each in one.options]
        stopped = grounds[:1] if PORT in one.options else grounds
        row = _judge(
            one.name,
            lambda: scene.run("stop", *options) == 0,
            lambda: sum(ground.steps() for ground in stopped),
            must=one.struck is not signal.SIGSTOP,
        )
        for other in grounds[len(stopped) :]:
            before = other.steps()
            time.sleep(_GOES_ON_S)
            row.met &= other.steps() > before
        return row


def _panel_stopped(folder: Path) -> Iterator[StopRow]:
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

    with _scene(folder) as (scene, (ground,)):
        words = ("-m", "thistlebot", "serve", "--port", ground.device, "--http-port", number)
        scene.start(*words, ignoring="INT HUP")
        ways: dict[str, Callable[[], bool]] = {
            "thistlebot stop": lambda: scene.run("stop") == 0,
            "its STOP": lambda: stopped_by(lambda: httpx.post(f"{root}/stop")),
            "/api/v1/stop": lambda: stopped_by(panel.stop),
        }
        for (way, stop), moment in itertools.product(ways.items(), _MOMENTS):
            _until(begins)
            goal = ground.steps() + moment
            _until(lambda goal=goal: ground.steps() >= goal)  # type: ignore[misc]
            yield _judge(f"panel, {way}, after {moment}", stop, ground.steps)


def measure(given: Given, _report: Report) -> Rows:
    """Stop machines in every situation."""
    rows: list[StopRow] = []
    with tempfile.TemporaryDirectory() as folder:
        played = (_played(one, Path(folder)) for one in SITUATIONS if given.only in one.name)
        panels = _panel_stopped(Path(folder)) if given.only in "panel" else iter(())
        for row in itertools.chain(played, panels):
            rows.append(row)
            yield row
    wrong = sum(not row.met for row in rows)
    yield Figure("situations", len(rows))
    yield Figure("stopped, and said so", sum(row.claimed for row in rows))
    yield Figure.at_most("wrong claims", wrong, 0)


if __name__ == "__main__":
    run(parser_of(__doc__ or "", only=""), measure)
