"""A plugin of pytest: the longest files first, and how to repeat a failure.

`--write-seconds` writes how long each file takes, by tiers, into `tests/seconds.json`.
"""

import json
import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterable
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
    "tests/teaching/pieces/test_exercise.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("thistlebot")
    group.addoption("--shuffle", type=int, metavar="SEED", help="run files and tests in this order")
    group.addoption("--by-folder", action="store_true", help="print tests and seconds by folder")
    group.addoption("--write-seconds", action="store_true", help="write tests/seconds.json")


def pytest_xdist_auto_num_workers() -> int:
    """Two workers, or one where there is one processor: two would have real boards starve."""
    return min(2, len(os.sched_getaffinity(0)) if sys.platform == "linux" else 2)


def pytest_configure(config: pytest.Config) -> None:
    """Watch the pace where the results come together: not in a worker."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Pace(config), "thistlebot-pace")


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
    """Knows how long each file takes."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tier = "exhaustive" if config.option.markexpr == "exhaustive" else "test"
        self._written = json.loads(MEASURED.read_text(encoding="utf-8"))
        self._seconds: dict[str, float] = self._written[self._tier]
        self._tests: dict[str, int] = defaultdict(int)
        self._measured: dict[str, float] = defaultdict(float)
        self._done: dict[str, int] = defaultdict(int)
        self._failed: list[str] = []

    def _expected_s(self, file: str) -> float:
        return self._seconds.get(file, _NEW_S)

    def _planned(self, nodeids: Iterable[str]) -> None:
        for nodeid in nodeids:
            self._tests[_file(nodeid)] += 1

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take the tests of a run in one process."""
        self._planned(item.nodeid for item in session.items)

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Hand out the longest files first; in shuffled order where that is wanted.

        One worker takes what needs a browser while there is more: one browser and two panels start.
        """
        pace = self

        class LongestFirst(LoadFileScheduling):
            browser_at = None

            def schedule(self) -> None:
                if self.collection is None:
                    pace._planned(next(iter(self.registered_collections.values())))
                super().schedule()

            def _assign_work_unit(self, node: Any) -> None:
                if config.getoption("--shuffle") is None:
                    others = [file for file in self.workqueue if not file.startswith(_BROWSER)]
                    elsewhere = others and self.browser_at not in {None, node}
                    longest = max(others if elsewhere else self.workqueue, key=pace._expected_s)
                    if longest.startswith(_BROWSER):
                        self.browser_at = node
                    self.workqueue.move_to_end(longest, last=False)
                super()._assign_work_unit(node)

        return LongestFirst(config, log)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a finished test."""
        file = _file(report.nodeid)
        self._measured[file] += report.duration
        self._done[file] += report.when == "teardown"
        if report.failed:
            self._failed.append(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
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
        if self._config.getoption("--write-seconds"):
            whole = {
                file: round(seconds, 2)
                for file, seconds in sorted(self._measured.items())
                if self._done[file] == self._tests.get(file)
            }
            self._written[self._tier] = whole
            MEASURED.write_text(json.dumps(self._written, indent=1) + "\n", encoding="utf-8")
