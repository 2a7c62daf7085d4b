"""The solver's tables, as they are prepared before the first test."""

from pathlib import Path

import pytest

from solver.stages.stage_tables import StageTables, load_stage_tables
from solver.tables import TableStore


@pytest.fixture(scope="session")
def store(cache_folder: Path) -> TableStore:
    """The tables of the test run."""
    return TableStore(cache_folder / "tables")


@pytest.fixture(scope="session")
def stage_tables(store: TableStore) -> StageTables:
    return load_stage_tables(store)
