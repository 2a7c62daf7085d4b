"""Checks the table of statements in `docs/sources.md`.

    python -m benchmarks.site.sources          check that every row is complete and its test exists
    python -m benchmarks.site.sources --run    run every command, and look for its figure

A row names the source, the item in it, a command that shows it, the figure that the command prints
(several figures are separated by semicolons), and the test that checks it.
"""

import argparse
import ast
import os
import re
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from typing import NamedTuple

from benchmarks import ROOT

PAGE = "docs/sources.md"
HEADING = "| source | item | command | figure | test, in `tests` |"
_SOURCE = re.compile(r"S[1-5](\.\d+)?")
_LONGEST_S = 300


class Statement(NamedTuple):
    """A row: source, item, command, figure and test."""

    source: str
    item: str
    command: str
    figure: str
    test: str


def statements() -> list[Statement]:
    """Return every statement of the table.

    Exits with the first row that is incomplete.
    """
    _, _, rows = (ROOT / PAGE).read_text(encoding="utf-8").partition(HEADING)
    found = []
    for line in rows.strip().splitlines()[1:]:
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 5 or not all(cells) or not _SOURCE.fullmatch(cells[0]):
            sys.exit(f"{PAGE}: a source, an item, a command, a figure or a test is missing: {line}")
        source, item, command, figure, test = cells
        found.append(
            Statement(
                source,
                item,
                command.strip("`").removeprefix("thistlebot "),
                figure,
                test.strip("`"),
            )
        )
    return found


@cache
def _tests_of(file: str) -> frozenset[str]:
    """Return the names of the tests in a file below `tests`."""
    path = ROOT / "tests" / file
    body = ast.parse(path.read_text(encoding="utf-8")).body if path.is_file() else []
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef))


def _exists(test: str) -> bool:
    file, _, name = test.partition("::")
    return name in _tests_of(file)


def missing(row: Statement) -> list[str]:
    """Return the figures that a command does not print; it runs in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "thistlebot", *shlex.split(row.command)],
            capture_output=True,
            text=True,
            check=False,
            timeout=_LONGEST_S,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    said = " ".join((done.stdout + done.stderr).split())
    return [part for part in row.figure.split("; ") if " ".join(part.split()) not in said]


def main() -> None:
    """Check the table, or run its commands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", action="store_true")
    rows = statements()
    if parser.parse_args().run:
        bad = 0
        for row in rows:
            if lacking := missing(row):
                bad += 1
                print(f"{row.source} {row.command}: {lacking}")
        print(f"{len(rows)} statements, {bad} without their figure")
        sys.exit(bool(bad))
    gone = [row.test for row in rows if not _exists(row.test)]
    if gone or not rows:
        sys.exit(f"{PAGE} names tests that do not exist: {gone}")


if __name__ == "__main__":
    main()
