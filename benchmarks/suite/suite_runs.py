"""Checks the suite for flaky tests: runs all tests repeatedly under different conditions.

Each run uses a fresh clone of the last commit. Data prepared for the tests (searches, tables,
firmware) are built by the first run and copied for the others.

    python -m benchmarks.suite.suite_runs                        the 30 runs; hours
    python -m benchmarks.suite.suite_runs --only busy,core       some conditions
    python -m benchmarks.suite.suite_runs --results build/suite-runs.jsonl      goes on where it was
    taskset -c 1 python -m benchmarks.suite.suite_runs --only core       on that core

The table at the end counts runs without a failure; the exit code is 1 if one failed.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchmarks.report import Figure, Given, Report, Row, Rows, Whole, parser_of, run
from thistlebot.records import to_line

ROOT = Path(__file__).resolve().parents[2]
RUNS = {"quiet": 12, "busy": 6, "core": 6, "user": 3, "home": 3}
"""Number of runs: shuffled on a quiet machine; beside two busy loops; on one core; as an ordinary
user; with a HOME whose path has spaces and an accent. All are shuffled.
"""
NOBODY = 65534
_BUSY = "while True: pass"


class SuiteRun(Row):
    """One run of the suite."""

    condition: str
    seed: int
    commit: str
    passed: int
    skipped: int
    failed: tuple[str, ...]
    wall_s: float
    cpu_s: float


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Keep processors busy with other work."""
    loops = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def clone(folder: Path, prepared: Path) -> Path:
    """Clone the last commit, and add the data prepared by earlier runs."""
    tree = folder / "checkout"
    cloning = ["git", "clone", "--quiet", str(ROOT), str(tree)]
    subprocess.run(cloning, check=True)
    for name in ("build/tests", "firmware/build"):
        if (prepared / name).is_dir():
            shutil.copytree(prepared / name, tree / name)
    return tree


def run_suite(condition: str, seed: int, prepared: Path, tests: list[str], log: Path) -> SuiteRun:
    """Run the tests once under a condition."""
    with tempfile.TemporaryDirectory(prefix="suite-") as folder:
        tree = clone(Path(folder), prepared)
        naming = ["git", "-C", str(tree), "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(naming, capture_output=True, text=True, check=True).stdout.strip()
        home = Path(folder) / ("un été à la mer" if condition == "home" else "home")
        home.mkdir()
        temporary = Path(folder) / "tmp"
        temporary.mkdir()
        command = [sys.executable, "-m", "pytest", "-m", "not exhaustive", f"--shuffle={seed}"]
        if condition == "core":
            command = ["taskset", "-c", str(min(os.sched_getaffinity(0))), *command]
        if condition == "user":
            for path in (Path(folder), *Path(folder).rglob("*")):
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
            identity = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
            command = ["setpriv", *identity, *command]
        environment = os.environ | {"HOME": str(home), "PYTHONPATH": str(tree), "CI": "true"}
        environment["TMPDIR"] = str(temporary)
        before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        with busy_loops(2 if condition == "busy" else 0), log.open("w", encoding="utf-8") as file:
            subprocess.run(
                [*command, *tests],
                cwd=tree,
                env=environment,
                stdout=file,
                stderr=subprocess.STDOUT,
                check=False,
            )
        wall_s, after = time.monotonic() - began_s, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if condition != "user" and not (prepared / "build").exists():
            for name in ("build/tests", "firmware/build"):
                if (tree / name).is_dir():
                    shutil.copytree(tree / name, prepared / name)
    said = log.read_text(encoding="utf-8", errors="replace")
    counts = {word: int(count) for count, word in re.findall(r"(\d+) (passed|skipped)", said)}
    failed = tuple(re.findall(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE))
    if not counts.get("passed") and not failed:
        failed = ("the run ended without a result",)
    passed, skipped = counts.get("passed", 0), counts.get("skipped", 0)
    wall_s, cpu_s = round(wall_s, 1), round(cpu_s, 1)
    return SuiteRun(condition, seed, commit, passed, skipped, failed, wall_s, cpu_s)


class SuiteRow(Row):
    """The runs under one condition, those without a failure, and the extreme times."""

    condition: str
    runs: int
    clean: int
    passed: list[int]
    wall_s: list[Whole]
    cpu_s: list[Whole]


def measure(given: Given, __: Report) -> Rows:
    """Run, and summarise by condition."""
    rows: list[SuiteRun] = []
    if given.results and given.results.is_file():
        lines = given.results.read_text(encoding="utf-8").splitlines()
        rows = [msgspec.json.decode(line, type=SuiteRun) for line in lines]
    conditions = given.only.split(",")
    seeds = iter(range(given.seed + len(rows), 10**6))
    with tempfile.TemporaryDirectory(prefix="prepared-") as prepared:
        for condition in conditions:
            done = sum(row.condition == condition for row in rows)
            for _ in range(done, given.runs or RUNS[condition]):
                seed = next(seeds)
                log = ROOT / "build" / "suite-runs" / f"{condition}-{seed}.log"
                log.parent.mkdir(parents=True, exist_ok=True)
                row = run_suite(condition, seed, Path(prepared), given.tests, log)
                rows.append(row)
                if given.results:
                    with given.results.open("a", encoding="utf-8") as file:
                        file.write(to_line(row) + "\n")
                yield row
    for condition in conditions:
        some = [row for row in rows if row.condition == condition]
        clean = sum(not row.failed for row in some)
        passed = sorted({row.passed for row in some})
        wall_s, cpu_s = sorted(row.wall_s for row in some), sorted(row.cpu_s for row in some)
        ends = [wall_s[0], wall_s[-1]], [cpu_s[0], cpu_s[-1]]
        yield SuiteRow(condition, len(some), clean, passed, *ends)
    yield Figure.at_most("runs with a failure", sum(bool(row.failed) for row in rows), 0)


if __name__ == "__main__":
    parser = parser_of(__doc__, only=",".join(RUNS), runs=0, seed=1)
    parser.add_argument("--results", type=Path, help="go on from this file, and write it")
    parser.add_argument("tests", nargs="*", help="in place of all tests")
    run(parser, measure)
