"""A plugin of pytest: the longest files first, the time left, and how to repeat a failure.

`--write-seconds` writes how long each file takes, by tiers, into `tests/seconds.json`.
"""

import gc
import json
import os
import random
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

MEASURED = Path(__file__).resolve().parents[1] / "seconds.json"
_NEW_S = 1.0
"""Expected of a file that was never measured."""
_BROWSER = (
    "tests/frontends/panel/",
    "tests/teaching/films/test_player.py",
)
_LINE_S = 15.0
"""A line of progress this often where the output is not a terminal."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options."""
    group = parser.getgroup("thistlebot")
    group.addoption("--shuffle", type=int, metavar="SEED", help="run files and tests in this order")
    group.addoption("--by-folder", action="store_true", help="print tests and seconds by folder")
    group.addoption("--write-seconds", action="store_true", help="write tests/seconds.json")


def pytest_xdist_auto_num_workers() -> int:
    """Three workers, as one waits for pages; one on one processor, or real boards would starve."""
    return 1 if sys.platform == "linux" and len(os.sched_getaffinity(0)) == 1 else 3


def pytest_configure(config: pytest.Config) -> None:
    """Watch the pace where the results come together: not in a worker."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Pace(config), "thistlebot-pace")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without collecting garbage, most of which is modules that stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the files, and the tests in each of them, if that is wanted."""
    seed = config.getoption("--shuffle")
    if seed is None:
        return
    files: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        files[_file(item.nodeid)].append(item)
    rng = random.Random(seed)
    order = list(files.values())
    rng.shuffle(order)
    for tests in order:
        rng.shuffle(tests)
    items[:] = [item for tests in order for item in tests]


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class Pace:
    """Knows how long each file takes, and how far the run is."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tier = "exhaustive" if config.option.markexpr == "exhaustive" else "test"
        self._written = json.loads(MEASURED.read_text(encoding="utf-8"))
        self._seconds: dict[str, float] = self._written[self._tier]
        self._tests: dict[str, int] = {}
        self._measured: dict[str, float] = defaultdict(float)
        self._done: dict[str, int] = defaultdict(int)
        self._failed: list[str] = []
        self._running: dict[str, float] = {}
        self._over = threading.Event()
        self._began_s = self._told_s = time.monotonic()

    def expected_s(self, file: str) -> float:
        """How long a file of tests takes, in seconds."""
        return self._seconds.get(file, _NEW_S)

    def planned(self, nodeids: Iterable[str]) -> None:
        """Hear which tests will run."""
        for nodeid in nodeids:
            self._tests[_file(nodeid)] = self._tests.get(_file(nodeid), 0) + 1
        self._began_s = self._told_s = time.monotonic()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take the tests of a run in one process."""
        if session.items:
            self.planned(item.nodeid for item in session.items)

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Hand out the longest files first; in shuffled order where that is wanted.

        One worker takes what needs a browser while there is more: one browser and two panels start.
        On a busy computer, two browsers would leave too little processor time for their pages.
        """
        pace = self

        class LongestFirst(LoadFileScheduling):
            browser_at = None

            def schedule(self) -> None:
                if self.collection is None:
                    pace.planned(next(iter(self.registered_collections.values())))
                super().schedule()

            def _assign_work_unit(self, node: Any) -> None:
                others = [file for file in self.workqueue if not file.startswith(_BROWSER)]
                elsewhere = others and self.browser_at not in {None, node}
                files = others if elsewhere else list(self.workqueue)
                shuffled = config.getoption("--shuffle") is not None
                chosen = files[0] if shuffled else max(files, key=pace.expected_s)
                if chosen.startswith(_BROWSER):
                    self.browser_at = node
                self.workqueue.move_to_end(chosen, last=False)
                super()._assign_work_unit(node)

        return LongestFirst(config, log)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str] | None:
        """Print no letter for each test; `pytest_runtest_logreport` says how far the run is."""
        if self._quiet and report.when == "call" and report.passed:
            return "passed", "", ""
        return None

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a finished test, and say how far the run is."""
        file = _file(report.nodeid)
        self._measured[file] += report.duration
        if report.failed:
            self._failed.append(report.nodeid)
            self._write(f"FAILED {report.nodeid}")
        if report.when == "teardown":
            self._done[file] += 1
            self._running.pop(report.nodeid, None)
            if self._quiet:
                self._tell()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which tests run now."""
        self._running[nodeid] = time.monotonic()

    def pytest_sessionstart(self) -> None:
        """Say at intervals what runs, also while a long test runs."""
        self._terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        distributed = self._config.pluginmanager.has_plugin("dsession")
        self._quiet = distributed and self._config.get_verbosity() == 0

        def watch() -> None:
            while not self._over.wait(_LINE_S):
                now_s = time.monotonic()
                for nodeid, began_s in list(self._running.items()):
                    if now_s - began_s > 2 * _LINE_S:
                        expected_s = self.expected_s(_file(nodeid))
                        self._write(
                            f"      {nodeid} has run for {now_s - began_s:.0f} s "
                            f"(its file: about {expected_s:.0f} s)"
                        )

        threading.Thread(target=watch, daemon=True, name="pace").start()

    def _write(self, line: str) -> None:
        if self._terminal.isatty:
            self._terminal.rewrite(line, erase=True)
        else:
            self._terminal.write_line(line)

    def _tell(self) -> None:
        now_s = time.monotonic()
        total_s = sum(map(self.expected_s, self._tests)) or 1.0
        done_s = sum(
            self.expected_s(file) * min(1.0, count / self._tests.get(file, count))
            for file, count in self._done.items()
        )
        share = min(1.0, done_s / total_s)
        if now_s - self._told_s < (0.5 if self._terminal.isatty else _LINE_S):
            return
        self._told_s = now_s
        left_s = (now_s - self._began_s) * (1 / max(share, 0.01) - 1)
        done = f"{sum(self._done.values())} of {sum(self._tests.values())} tests"
        left = f"{int(left_s) // 60} min {int(left_s) % 60:02} s left"
        failed = f", {len(self._failed)} failed" if self._failed else ""
        self._write(f"{share:4.0%}  {done}, about {left}{failed}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the command that repeats each failure, and a table of folders where wanted."""
        if self._config.getoption("--by-folder"):
            terminalreporter.section("by folder")
            rows: dict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
            for file, seconds in self._measured.items():
                folder = "/".join(file.split("/")[1:-1][:2]) or "."
                tests, before_s = rows[folder]
                rows[folder] = tests + self._done[file], before_s + seconds
            for folder, (tests, seconds) in sorted(rows.items(), key=lambda row: -row[1][1]):
                terminalreporter.write_line(f"{folder:<28} {tests:>6} tests {seconds:>8.1f} s")
        if not self._failed:
            return
        seed = self._config.getoption("--shuffle")
        order = [] if seed is None else [f"--shuffle={seed}"]
        terminalreporter.section("repeat")
        for nodeid in dict.fromkeys(self._failed):
            quoted = f"'{nodeid}'" if "[" in nodeid or " " in nodeid else nodeid
            terminalreporter.write_line(" ".join([".venv/bin/pytest -n0", *order, quoted]))

    def pytest_sessionfinish(self) -> None:
        """Write down what was measured of files that ran whole, where that is wanted."""
        self._over.set()
        if self._config.getoption("--write-seconds"):
            whole = {
                file: round(seconds, 2)
                for file, seconds in sorted(self._measured.items())
                if self._done[file] == self._tests.get(file)
            }
            self._written[self._tier] = whole
            MEASURED.write_text(json.dumps(self._written, indent=1) + "\n", encoding="utf-8")
