"""What several folders of tests share: tables, solvers, a browser."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from chromium import Visit, chromium, started
from solver.stages.stage_tables import StageTables, load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.solving.solver import Solve

PACKAGES = Path(__file__).resolve().parents[1] / "debian-packages.txt"


@pytest.fixture(scope="session")
def store(cache_folder: Path) -> TableStore:
    return TableStore(cache_folder / "tables")


@pytest.fixture(scope="session")
def stage_tables(store: TableStore) -> StageTables:
    return load_stage_tables(store)


@pytest.fixture(scope="session")
def solve(stage_tables: StageTables) -> Solve:
    """Thistlethwaite's four stages: quick, and the same on every computer."""
    return ThistlethwaiteSolver(stage_tables).solve


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium for all tests of this process; skips where it is missing, and fails in CI."""
    if chromium() is None:
        packages = " ".join(PACKAGES.read_text(encoding="utf-8").split())
        text = f"missing: chromium; apt-get install {packages}"
        if os.environ.get("CI") == "true":
            pytest.fail(text)
        pytest.skip(text)
    with started() as browser:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="session")
def visits(browser: Browser) -> Visit:
    """Tabs that tests have left are for later ones."""
    return Visit(browser)


@pytest.fixture
def visit(visits: Visit) -> Iterator[Visit]:
    """Open pages; in the end none may have reported an error or asked for anything elsewhere.

    Between tests with a browser others may run an event loop in this thread. Playwright's own takes
    turns with what calls it, and counts as running until it is laid aside.
    """
    asyncio._set_running_loop(visits.browser._loop)
    try:
        yield visits
    finally:
        wrong = visits.leave()
        asyncio._set_running_loop(None)
    assert not wrong
