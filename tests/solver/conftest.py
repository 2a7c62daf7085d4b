import time
from pathlib import Path

import pytest

from solver.search.loading import load_tables
from solver.stages.stage_tables import StageTables, load_stage_tables
from solver.tables import TableStore


@pytest.fixture(scope="session")
def store(cache_folder: Path) -> TableStore:
    """The tables of the test run, with the half-turn metric's full tier in it."""
    folder = cache_folder / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    store, lock, ready = TableStore(folder), cache_folder / "lock", cache_folder / "ready"
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:  # another worker builds them
        while not ready.exists():
            time.sleep(0.05)
    else:
        try:
            load_tables(store)
        finally:
            ready.touch()
    return store


@pytest.fixture(scope="session")
def stage_tables(store: TableStore) -> StageTables:
    return load_stage_tables(store)
