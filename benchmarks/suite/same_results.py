"""Checks that the program still gives the same answers as at another commit.

    python -m benchmarks.suite.same_results 127fd9f --data DIR [--states 1000] [--only WORD]

Runs the same commands with the same seeds in both checkouts, each with its own tables, and compares
what they print and write, except for times, names of runs and paths. DIR is a folder with
rgb_scans/ and face_photos/, WORD a word in the commands to compare. Results that depend on the
clock (such as the turns that a search finds within its budget) are tested with methods without a
budget.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import numpy as np

from benchmarks.report import Figure, Given, Report, Row, Rows, Wide, parser_of, run
from cube.random_states import random_state

ROOT = Path(__file__).resolve().parents[2]
METHODS = ("layers", "fridrich", "fridrich-plain", "thistlethwaite", "thistlethwaite-iddfs")
_UNHURRIED = ("--method", "thistlethwaite")
MOVES = "R U2 F' D L B2 U R2 D' F2 L' U"
_TIMES = re.compile(r'"(\w*_ms|\w*_s|started|run|uid|created|elapsed\w*)":[^,}\]]+')
_SECONDS = re.compile(r"\d+(\.\d+)? ?(ms|s|MB)\b")


def commands(
    data: Path | None, states: Path, lessons: list[str], rigs: list[str]
) -> Iterator[list[str]]:
    """Return the commands to compare."""
    for unhurried in (["--strict"], [*_UNHURRIED]):
        yield ["solve", "--states", str(states), *unhurried, "--json", "--dry-run"]
    for method in METHODS:
        for output in (["--json"], []):
            yield ["learn", method, "--dry-run", "--scramble", MOVES, "--seed", "3", *output]
    for lesson in lessons:
        yield ["lesson", lesson, "--json", "--solutions", "--hint"]
    for rig in rigs:
        yield ["run", MOVES, "--rig", rig, "--dry-run", "--json"]
        yield ["solve", "--virtual", "--rig", rig, *_UNHURRIED, "--seed", "3", "--json"]
    yield ["replay", "--all", "--json"]
    for verb in ("pattern", "rigs", "puzzle"):
        yield [verb, "--json"]
    yield ["word", "3x3x3", "R U R' U'", "--json"]
    yield ["puzzle", "megaminx", "--random", "4", "--solve", "auto", "--seed", "3", "--json"]
    yield ["explain", "U" * 54]
    if data is not None:
        for scan in sorted((data / "rgb_scans").glob("*.json")):
            yield ["scan", "--rgb", str(scan), "--cube", scan.name[0], "--json"]
        for photos in sorted((data / "face_photos").glob("photo-*")):
            size = photos.name.removeprefix("photo-")[0]
            yield ["scan", "--photos", str(photos), "--cube", size, "--any-orientation", "--json"]


def answer(checkout: Path, command: list[str], home: Path) -> str:
    """Run a command in a checkout; return its output without the parts that may differ."""
    kinds = ("CACHE", "DATA", "CONFIG")
    folders = {f"THISTLEBOT_{kind}_DIR": str(home / kind.lower()) for kind in kinds}
    plain = {"PYTHONPATH": str(checkout), "NO_COLOR": "1", "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, "-m", "thistlebot", *command],
        env={**os.environ, **folders, **plain},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    text = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    for path in (checkout, home):
        text = text.replace(str(path), "…")
    return _SECONDS.sub("…", _TIMES.sub(r'"\1":…', text))


def names(verb: str, home: Path) -> list[str]:
    """Return the names that a command lists."""
    printed = answer(ROOT, [verb, "--json"], home).splitlines()
    return [json.loads(line)["name"] for line in printed if line.startswith("{")]


class OtherRow(Row):
    """A command with another answer, and the lines that differ."""

    command: Wide
    difference: str


def compared(before: Path, folder: Path, given: Given) -> Rows:
    """Run all commands in both checkouts."""
    states, rng, count, other = folder / "states.txt", np.random.default_rng(3), 0, 0
    drawn = (random_state(rng).to_facelets().text for _ in range(given.states))
    states.write_text("\n".join(drawn) + "\n", encoding="utf-8")
    homes = [folder / "home-before", folder / "home-now"]
    for home in homes:
        home.mkdir()
    data = Path(given.data) if given.data else None
    asked = commands(data, states, *(names(verb, homes[1]) for verb in ("lesson", "rigs")))
    for command in asked:
        if given.only and given.only not in command:
            continue
        was, now = (
            answer(tree, command, home) for tree, home in zip((before, ROOT), homes, strict=True)
        )
        count += 1
        if was != now:
            other += 1
            lines = unified_diff(was.splitlines(), now.splitlines(), n=0, lineterm="")
            yield OtherRow(" ".join(command), "\n".join(lines))
    yield Figure("commands", count)
    yield Figure.at_most("of them answer otherwise", other, 0)


def measure(given: Given, _: Report) -> Rows:
    """Compare with another commit."""
    git = ["git", "-C", str(ROOT), "worktree"]
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        adding = [*git, "add", "--detach", str(before), given.commit]
        subprocess.run(adding, check=True, stdout=subprocess.DEVNULL)
        try:
            yield from compared(before, Path(folder), given)
        finally:
            subprocess.run([*git, "remove", "--force", str(before)], check=False)


if __name__ == "__main__":
    run(parser_of(__doc__, commit=str, data="", states=1000, only=""), measure)
