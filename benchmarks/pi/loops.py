"""The whole loop of `cubotino-pi`, without a Pi: `python -m benchmarks.pi.loops`.

`thistlebot solve` runs as a user runs it, in real time. Its ribbon camera is a stand-in for
`rpicam-vid` that shows a virtual cube, its pins are files, and a machine turns the cube as the
servos get their pulses (`benchmarks.pi.machine`). Half of it is solves without faults; in the
others something fails while the servos move. What the program says is held against the cube.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from benchmarks.pi.machine import MachineView, make_pins
from benchmarks.report import Figure, Given, Report, Row, Rows, Tenths, parser_of, run
from robot.local.hardware_pwm import SYSFS
from thistlebot.exit_codes import ExitCode
from thistlebot.library import Cube

RIG = "cubotino-pi"
SAFE_S = 8.0
"""The servos have no pulses so soon after the program has ended, or hangs."""
_NEAR, _TOGETHER = 5, 4
_LONGEST_S = 400.0
_BEGUN_S = 60.0


class PiLoop:
    """One Pi, its machine, and a program that solves on it."""

    def __init__(self, folder: Path, cube: Cube) -> None:
        self.folder = folder
        make_pins(folder)
        program = folder / "bin" / "rpicam-vid"
        program.parent.mkdir()
        stand_in = f'exec "{sys.executable}" -m benchmarks.pi.rpicam_vid "$@"'
        program.write_text(f'#!/bin/sh\necho $$ >"{folder}/camera.pid"\n{stand_in}\n')
        program.chmod(0o755)
        self._environment = os.environ | {
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
            "SCENE": str(folder),
            SYSFS: str(folder / "pwm"),
            **{
                f"THISTLEBOT_{name}_DIR": str(folder / name) for name in ("STATE", "DATA", "CONFIG")
            },
        }
        command = [sys.executable, "-m", "benchmarks.pi.machine", str(folder), RIG, cube.facelets]
        self.machine = subprocess.Popen(command, env=self._environment)
        self.wait((folder / "seen.json").exists)
        command = [sys.executable, "-m", "thistlebot", "solve", "--rig", RIG, "--json"]
        self.program = subprocess.Popen(
            [*command, "--budget-ms", "50"],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def seen(self) -> MachineView:
        """What there is to see."""
        return msgspec.json.decode((self.folder / "seen.json").read_bytes(), type=MachineView)

    @property
    def camera(self) -> int:
        """The process of the camera."""
        return int((self.folder / "camera.pid").read_text())

    def wait(self, true: Callable[[], object], most_s: float = _BEGUN_S) -> bool:
        """Wait until something is so; say whether it is."""
        deadline_s = time.monotonic() + most_s
        while not true():
            if time.monotonic() > deadline_s:
                return False
            time.sleep(0.02)  # other processes change files; nobody can tell this one
        return True

    def ended(self) -> tuple[int, bool]:
        """Wait for the program, and return its exit code, and whether it said verified."""
        said, _ = self.program.communicate(timeout=_LONGEST_S)
        records = [json.loads(line) for line in said.splitlines()]
        return self.program.returncode, any(each.get("verified") for each in records)


def _signal(which: signal.Signals) -> Callable[[PiLoop], None]:
    return lambda loop: loop.program.send_signal(which)


def _signal_camera(which: signal.Signals) -> Callable[[PiLoop], None]:
    return lambda loop: os.kill(loop.camera, which)


def _break_pin(loop: PiLoop) -> None:
    for pin in (loop.folder / "pwm" / "pwmchip3").glob("pwm*"):
        (pin / "duty_cycle").unlink()
        (pin / "duty_cycle").mkdir()


def _take_pin(loop: PiLoop) -> None:
    for pin in (loop.folder / "pwm" / "pwmchip3").glob("pwm*"):
        (pin / "period").write_text("1000\n")


FAULTS: dict[str, Callable[[PiLoop], None]] = {
    "camera killed": _signal_camera(signal.SIGKILL),
    "camera hangs": _signal_camera(signal.SIGSTOP),
    "pins fail": _break_pin,
    "pins taken": _take_pin,
    "program killed": _signal(signal.SIGKILL),
    "program hangs": _signal(signal.SIGSTOP),
    "Ctrl-C": _signal(signal.SIGINT),
    "SIGTERM": _signal(signal.SIGTERM),
}


class LoopRow(Row):
    """One solve."""

    seed: int
    fault: str
    code: int
    verified: bool
    seconds: Tenths
    wrong: str


@contextmanager
def pi_loop(seed: int, *, near: bool) -> Iterator[PiLoop]:
    """Start a program on a machine, and end everything that is left of them.

    Args:
        seed: Determines the cube.
        near: The cube is a few turns from the solved one: a fault strikes in the middle of any.
    """
    rng = random.Random(seed)
    turns = " ".join(rng.choice("URFDLB") + rng.choice(("", "'", "2")) for _ in range(_NEAR))
    cube = Cube.scrambled(turns) if near else Cube.random(seed)
    with tempfile.TemporaryDirectory(prefix="pi-loop-") as folder:
        loop = PiLoop(Path(folder), cube)
        try:
            yield loop
        finally:
            for process in (loop.program, loop.machine):
                process.kill()
                process.communicate()
            with suppress(OSError, ValueError):
                os.kill(loop.camera, signal.SIGKILL)


def solve(seed: int, fault: str) -> LoopRow:
    """Solve a cube, with a fault or without, and judge what the program said."""
    wrong, struck = [], False
    with pi_loop(seed, near=bool(fault)) as loop:
        began_s = time.monotonic()
        if fault:
            moving = loop.wait(lambda: loop.seen.turned or loop.program.poll() is not None, 150.0)
            time.sleep(random.Random(seed).uniform(0.0, 3.0))  # faults strike at any moment
            struck = moving and loop.program.poll() is None
            if struck:
                FAULTS[fault](loop)
        if fault == "program hangs":
            if not loop.wait(lambda: not any(loop.seen.pulses_us), SAFE_S):
                wrong.append("a program that hangs keeps its pulses")
            loop.program.send_signal(signal.SIGCONT)
        try:
            code, verified = loop.ended()
        except subprocess.TimeoutExpired:
            code, verified = -1, False
            wrong.append("the program does not end")
        done = code == ExitCode.DONE
        if (done or verified) and not loop.seen.solved:
            wrong.append("says solved, and it is not")
        if struck and fault in {"Ctrl-C", "SIGTERM"} and code != ExitCode.STOPPED:
            wrong.append("was not stopped")
        if not fault and not (done and verified):
            wrong.append(f"exit code {code} without a fault")
        if not fault and loop.seen.lost:
            wrong.append(loop.seen.lost)
        safe = loop.wait(lambda: fault == "pins fail" or not any(loop.seen.pulses_us), SAFE_S)
        wrong += [] if safe else ["pulses are left"]
        if fault != "camera hangs" and not loop.wait(lambda: not _lives(loop.camera), SAFE_S):
            wrong.append("the camera's program is left")
        seconds = time.monotonic() - began_s
    return LoopRow(seed, fault, code, verified, seconds, "; ".join(wrong))


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def measure(given: Given, report: Report) -> Rows:
    """Solve with and without faults, several at a time."""
    kinds = [*FAULTS]
    cases = [(given.seed + number, "") for number in range(given.solves)]
    cases += [
        (given.seed + 1000 + number, kinds[number % len(kinds)]) for number in range(given.faults)
    ]
    rows: list[LoopRow] = []
    with ThreadPoolExecutor(_TOGETHER) as pool:
        for row in report.track(pool.map(lambda case: solve(*case), cases), total=len(cases)):
            rows.append(row)
            yield row
    plain = [row for row in rows if not row.fault]
    yield Figure("solves verified", sum(row.verified for row in plain), f"/{len(plain)}")
    yield Figure.at_most("wrong", sum(bool(row.wrong) for row in rows), 0)


if __name__ == "__main__":
    run(parser_of(__doc__, solves=50, faults=100, seed=1), measure)
