"""Ctrl-C at any moment: exit code 6, one line, no traceback, every face at a detent."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cube.moves import MoveSequence
from robot.rigs.catalogue import default_rig
from run_thistlebot import start
from stepped_cube import SteppedCube

SEQUENCE = "R U2 F' L D B2 U' R2 F D' " * 4


def start_alone(*args: object) -> subprocess.Popen[str]:
    """Start the program with nobody at the keyboard; what it prints comes at once."""
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    return start(*args, stdin=subprocess.DEVNULL, env=environment)


def wait_for_main(process: subprocess.Popen[str]) -> None:
    """Until the program has taken over from the interpreter, which ends by signals itself."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        time.sleep(1.0)
        return
    while process.poll() is None:
        caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status.read_text(), re.MULTILINE)
        if caught and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.005)


@pytest.mark.parametrize("delay_s", [0.0, 0.3, 0.8, 1.6, 2.4, 3.2])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_at_any_moment(delay_s: float, number: signal.Signals) -> None:
    """Loading, scanning, decoding, solving, turning: whatever the moment falls into."""
    process = start_alone("solve", "--virtual", "--scramble", SEQUENCE)
    wait_for_main(process)
    time.sleep(delay_s)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    if process.returncode == 0:  # this machine was quicker
        assert "verified" in out
        return
    assert process.returncode == 6, err
    assert "Traceback" not in err
    assert "stopped" in err


def test_nohup_is_respected() -> None:
    """Who lets a program ignore the end of the terminal wants it to go on."""
    script = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from thistlebot.__main__ import main; sys.argv = ['thistlebot', '--version']\n"
        "try: main()\n"
        "except SystemExit: print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.endswith("True\n"), done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_while_the_interpreter_ends(number: signal.Signals) -> None:
    """All is done and told: a signal does not make a failure of it."""
    script = (
        "import os, sys\n"
        "from thistlebot import __main__ as program\n"
        "class Last:\n"
        f"    def __del__(self, kill=os.kill, pid=os.getpid()): kill(pid, {int(number)})\n"
        "sys.last = Last()\n"
        "sys.argv = ['thistlebot', '--version']\n"
        "program.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.avr
def test_the_real_firmware_stops_at_a_detent(simulated_board) -> None:
    process = start_alone("run", SEQUENCE, "--port", simulated_board.port)
    edges = []
    while len(edges) < 3000:
        edges += simulated_board.step_edges()
        assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 6, err
    assert "detent" in err
    cube = SteppedCube(default_rig())
    cube.follow(edges + simulated_board.step_edges())
    assert not cube.misaligned
    made = MoveSequence.of(cube.moves).simplified()
    whole = MoveSequence.parse(SEQUENCE).simplified()
    assert 0 < len(made) < len(whole)
    again = start("solve", "--resume", "--port", simulated_board.port)
    _, said = again.communicate(timeout=20)
    assert again.returncode == 2
    (told,) = re.findall(r"stopped after (\d+ of \d+) steps", err)
    assert f"stopped after {told} steps, every face at a detent: scan again" in said


def test_the_terminal_is_left_as_it_was(tmp_path: Path) -> None:
    """After Ctrl-C while waiting for the space bar, the terminal echoes again."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    termios = pytest.importorskip("termios", reason="termios exists on POSIX only")
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    process = start("solve", "--wait", "--virtual", stdin=slave, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    for line in process.stdout:
        if "press the button" in line:
            break
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 6
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)


def test_an_interrupt_that_python_drops_comes_again() -> None:
    """One that falls into the callback of a weak reference, as of an import's lock."""
    script = (
        "import sys, time, weakref\n"
        "from thistlebot import __main__ as program\n"
        "from thistlebot.cli import program as verbs\n"
        "class Thing: pass\n"
        "def callback(_): raise KeyboardInterrupt\n"
        "def run_program():\n"
        "    thing = Thing()\n"
        "    reference = weakref.ref(thing, callback)\n"
        "    del thing\n"
        "    time.sleep(30)\n"
        "verbs.run_program = run_program\n"
        "program.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 6, done.stderr
    assert done.stderr == "thistlebot: stopped\n"


@pytest.mark.parametrize(
    "turned",
    [
        "type('Thing', (), {'name': Named()})",  # a RuntimeError up to Python 3.11
        "raise ImportError('core failed to import') from KeyboardInterrupt()",
        "try: raise KeyboardInterrupt\n    except KeyboardInterrupt: {}['what a library lost']",
    ],
)
@pytest.mark.parametrize("loading", [True, False])
def test_an_interrupt_that_became_another_error(turned: str, loading: bool) -> None:
    """Of Python itself or of a library, while a verb is loaded and while it runs."""
    script = (
        "import sys\n"
        "from thistlebot import __main__ as program\n"
        "from thistlebot.cli import program as verbs\n"
        "class Named:\n"
        "    def __set_name__(self, owner, name): raise KeyboardInterrupt\n"
        "def work(*_):\n"
        f"    {turned}\n"
        f"{'verbs.build' if loading else 'verbs.TyperGroup.invoke'} = work\n"
        "sys.argv = ['thistlebot', 'ports']\n"
        "program.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 6, done.stderr
    assert done.stderr == "thistlebot: stopped\n"


@pytest.mark.parametrize("inside", [True, False])
def test_an_interrupt_does_not_take_the_reason_away(inside: bool) -> None:
    """One that comes while an error makes its way to the person who has to read it."""
    verb = (
        "import sys\n"
        "from robot.errors import RigError\n"
        "from thistlebot import __main__ as program\n"
        "from thistlebot.cli import program as verbs\n"
        "def interrupted(*_):\n"
        "    raise KeyboardInterrupt\n"
        "def work(self, ctx):\n"
        "    try:\n"
        "        raise RigError('align the faces')\n"
        "    finally:\n"
        f"        {'interrupted()' if inside else 'pass'}\n"
        "verbs.TyperGroup.invoke = work\n"
    )
    script = verb if inside else f"{verb}verbs._report = interrupted\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{script}sys.argv = ['thistlebot', 'ports']\nprogram.main()\n"],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 6, done.stderr
    assert "stopped; align the faces" in done.stderr


def test_a_second_ctrl_c_does_not_cut_off_the_stop_of_the_motors() -> None:
    """It comes when the first one was noticed, and before the board was told."""
    script = (
        "import os, signal, sys\n"
        "from robot.link.connection import Connection\n"
        "from robot.running.program_run import ProgramRun\n"
        "from thistlebot import __main__ as program\n"
        "def ctrl_c(): os.kill(os.getpid(), signal.SIGINT)\n"
        "note, stop = ProgramRun.note, Connection.stop\n"
        "def noting(run, executed, now_s):\n"
        "    note(run, executed, now_s)\n"
        "    if run.executed == 3: ctrl_c()\n"
        "def stopping(connection):\n"
        "    print('the board is told', flush=True)\n"
        "    return stop(connection)\n"
        "ProgramRun.note, Connection.stop = noting, stopping\n"
        "ProgramRun.mute = lambda run: ctrl_c()\n"
        f"sys.argv = ['thistlebot', 'run', {SEQUENCE!r}, '--virtual']\n"
        "program.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 6, done.stderr
    assert "the board is told" in done.stdout
    assert re.search(r"stopped after \d+ of 40 steps; every face stands", done.stderr)
