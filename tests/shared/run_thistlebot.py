"""Runs the program for tests: in this process, or in one of its own."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

import typer
from typer.testing import CliRunner, Result

from thistlebot.cli.program import build
from thistlebot.cli.verbs import current_words
from thistlebot.exit_codes import ExitCode

_built = cache(build)


def thistlebot(*args: object, typed: str = "") -> Result:
    """Run the program in this process; as outside of tests, only its verb is loaded."""
    words, _ = current_words([str(arg) for arg in args])
    program: typer.Typer = _built(tuple(word for word in words if not word.startswith("-"))[:2])
    return CliRunner().invoke(program, words, input=typed)


class Told(NamedTuple):
    """An error as a program reads it, with ``--json``."""

    type: str
    text: str
    exit_code: int


def told(result: Result) -> Told:
    """Return the error that a verb ended with; it was run with ``--json``."""
    error = json.loads(result.stdout.splitlines()[-1])["error"]
    assert error["exit_code"] == result.exit_code
    return Told(error["type"], error["text"], error["exit_code"])


def records(*args: object) -> list[dict[str, Any]]:
    """Return what a verb prints for programs; it has to succeed."""
    result = thistlebot(*args, "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def record(*args: object) -> dict[str, Any]:
    """Return the last record that a verb prints for programs; it has to succeed."""
    return records(*args)[-1]


class Refusal(NamedTuple):
    """A command line that is refused, the exit code, and what the message has to name."""

    line: str | tuple[object, ...]
    code: int = 2
    data: tuple[str, ...] = ()


def not_refused(rows: Iterable[Refusal]) -> list[tuple[Refusal, int, str]]:
    """Run command lines, and return those that are not refused as they should be."""
    wrong = []
    for row in rows:
        words = row.line.split() if isinstance(row.line, str) else row.line
        result = thistlebot(*words)
        said = " ".join(result.output.split())
        named = all(part in said or part in result.output.replace("\n", "") for part in row.data)
        if result.exit_code != row.code or not named or "Traceback" in said:
            wrong.append((row, result.exit_code, said))
    return wrong


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "thistlebot", *map(str, args)]


def start(*args: object, **options: Any) -> subprocess.Popen[str]:
    """Start the program in a process of its own; `options` are those of `subprocess.Popen`."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command(*args), text=True, **(pipes | options))


def finished(*args: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own to its end, in five minutes at most."""
    return _to_its_end(command(*args), options)


def scripted(script: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a script of Python in a process of its own to its end, in five minutes at most."""
    return _to_its_end([sys.executable, "-c", script], options)


def _to_its_end(words: list[str], options: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(words, check=False, **(pipes | {"text": True, "timeout": 300} | options))


def loaded(*commands: tuple[tuple[object, ...], Iterable[str]]) -> list[tuple[str, str]]:
    """Run commands one after another in a process of its own; return which load what they must not.

    Each comes with names of modules that may not be loaded at its end, so the lightest comes first.
    """
    lines = [(["thistlebot", *map(str, words)], [*names]) for words, names in commands]
    done = scripted(
        "import sys; from thistlebot.__main__ import main\n"
        "heavy = []\n"
        f"for sys.argv, names in {lines!r}:\n"
        "    try: main()\n"
        "    except SystemExit as end: assert end.code in (None, 0, 3), end.code\n"
        "    heavy += [(sys.argv[1], name) for name in names if name in sys.modules]\n"
        "print('\\n' + repr(heavy))"
    )
    assert done.returncode in (ExitCode.DONE, ExitCode.MISREAD), done.stderr
    found: list[tuple[str, str]] = ast.literal_eval(done.stdout.splitlines()[-1])
    return found
