from pathlib import Path

import pytest

from solver.stage_tables import StageTables, load_stage_tables
from solver.tables import TableStore


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> TableStore:
    return TableStore(Path(tmp_path_factory.mktemp("tables")))


@pytest.fixture(scope="session")
def stage_tables(store: TableStore) -> StageTables:
    return load_stage_tables(store)
