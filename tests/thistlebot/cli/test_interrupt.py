"""Ctrl-C at any moment: exit code 6, one line, no traceback, every face at a detent."""

import re
import signal

import pytest

from run_thistlebot import scripted
from thistlebot.exit_codes import ExitCode

SEQUENCE = "R U2 F' L D B2 U' R2 F D' " * 4
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


# The moment of a signal is chosen by a script that runs the program in its own way.

MAIN = """
import os, signal, sys, time, weakref
from thistlebot import __main__ as program
from thistlebot.cli import program as verbs
sys.argv = ['thistlebot', 'devices']
signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # ignored by what a shell runs in the background
def work_as(work):
    verbs.TyperGroup.invoke = work
"""


def ended(script: str) -> tuple[int, str]:
    """Run the program as a script has it: its exit code, and its messages."""
    done = scripted(f"{MAIN}\n{script}\nprogram.main()\n")
    return done.returncode, done.stderr


def test_nohup_is_respected() -> None:
    """Who lets a program ignore the end of the terminal wants it to go on."""
    ignoring = "signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    asked = "assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN"
    code, err = ended(f"{ignoring}\ndef work(*_): {asked}\nwork_as(work)")
    assert code == 0, err


def test_while_the_interpreter_ends() -> None:
    """All is done and told: no signal makes a failure of it."""
    kills = "\n".join(f"        kill(pid, {int(number)})" for number in SIGNALS)
    last = "class Last:\n    def __del__(self, kill=os.kill, pid=os.getpid()):"
    assert ended(f"{last}\n{kills}\nsys.last = Last()\nsys.argv[1] = '--version'") == (0, "")


ANOTHER_ERROR = (
    "type('Thing', (), {'name': Named()})",  # a RuntimeError up to Python 3.11
    "raise ImportError('core failed to import') from KeyboardInterrupt()",
    "try: raise KeyboardInterrupt\n    except KeyboardInterrupt: {}['what a library lost']",
)


def test_an_interrupt_that_became_another_error_or_none_stops_all_the_same() -> None:
    """Python drops one that falls into the callback of a weak reference; it comes again."""
    named = "class Named:\n    def __set_name__(self, owner, name): raise KeyboardInterrupt\n"
    works = "".join(
        f"def work{number}(*_):\n    {turned}\n" for number, turned in enumerate(ANOTHER_ERROR)
    )
    tries = (
        "build, invoke, codes = verbs.build, verbs.TyperGroup.invoke, []\n"
        "def run():\n"
        "    child = os.fork()\n"
        "    if not child: program.main()\n"
        "    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        "for work in (work0, work1, work2):\n"
        "    verbs.build = work\n"
        "    run()\n"
        "    verbs.build, verbs.TyperGroup.invoke = build, work\n"
        "    run()\n"
        "    verbs.TyperGroup.invoke = invoke\n"
        "assert codes == [6] * 6, codes\n"
    )
    dropped = (
        "class Thing: pass\n"
        "def callback(_): raise KeyboardInterrupt\n"
        "def run_program():\n"
        "    thing = Thing()\n"
        "    reference = weakref.ref(thing, callback)\n"
        "    del thing\n"
        "    time.sleep(30)\n"
        "verbs.run_program = run_program\n"
    )
    code, err = ended(named + works + tries + dropped)
    assert code == ExitCode.STOPPED, err
    lines = err.splitlines()
    assert len(lines) == 7
    assert len(set(lines)) == 1


@pytest.mark.parametrize("inside", [True, False])
def test_an_interrupt_does_not_take_the_reason_away(inside: bool) -> None:
    """One that comes while an error makes its way to the person who has to read it."""
    code, err = ended(
        "from robot.errors import RigError\n"
        "def interrupted(*_):\n"
        "    raise KeyboardInterrupt\n"
        "def work(*_):\n"
        "    try:\n"
        "        raise RigError('what to do')\n"
        "    finally:\n"
        f"        {'interrupted()' if inside else 'pass'}\n"
        f"work_as(work)\n{'' if inside else 'verbs._report = interrupted'}\n"
    )
    assert code == ExitCode.STOPPED, err
    assert "what to do" in err


@pytest.mark.parametrize("number", SIGNALS)
def test_a_second_ctrl_c_does_not_interrupt_the_stop_of_the_motors(number: signal.Signals) -> None:
    """It comes when the first one was noticed, and before the board was told."""
    code, err = ended(
        f"number = {int(number)}\n"
        "from robot.link.connection import Connection\n"
        "from robot.running.program_run import ProgramRun\n"
        "def ctrl_c(): os.kill(os.getpid(), number)\n"
        "note, stop, pressed = ProgramRun.note, Connection.stop, []\n"
        "def noting(run, executed, now_s):\n"
        "    note(run, executed, now_s)\n"
        "    if run.executed >= 3 and not pressed:\n"
        "        pressed.append(number)\n"
        "        ctrl_c()\n"
        "def stopping(connection):\n"
        "    print('the board hears of it', file=sys.stderr)\n"
        "    return stop(connection)\n"
        "ProgramRun.note, Connection.stop = noting, stopping\n"
        "ProgramRun.mute = lambda run: ctrl_c()\n"
        f"sys.argv = ['thistlebot', 'run', {SEQUENCE!r}, '--virtual']\n"
    )
    assert code == ExitCode.STOPPED, err
    assert "the board hears of it" in err
    assert "Traceback" not in err
    assert err.rstrip().rpartition("\n")[2].startswith("thistlebot: ")
    assert re.search(r"\d+ of 40 ", err)
