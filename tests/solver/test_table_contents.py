"""What each set of tables holds is known by a checksum of its content."""

from pathlib import Path

import pytest

from solver.centres.centre_tables import CENTRE_TABLE_SET
from solver.pocket import POCKET_TABLE_SET
from solver.search.metrics import METRICS
from solver.search.tables.single import LEAN_TABLE_SET
from solver.search.tables.turns import TURN_TABLE_SET
from solver.stages.stage_tables import STAGE_TABLE_SET
from solver.table_contents import CONTENTS
from solver.table_files import content_digest
from solver.tables import TableSet, TableStore
from solver.ways.phi_one.tables import PHI_ONE_TABLE_SET

QUICK = (STAGE_TABLE_SET, TURN_TABLE_SET, POCKET_TABLE_SET)
SLOW = (
    CENTRE_TABLE_SET,
    PHI_ONE_TABLE_SET,
    LEAN_TABLE_SET,
    *(search.tables for metric in METRICS.values() for search in (metric.six, metric.five)),
)


def contents(tables: TableSet, folder: Path) -> str:
    path = TableStore(folder).save(tables, tables.build(lambda _share: None))
    data = path.read_bytes()
    return content_digest(data[16 : 16 + int.from_bytes(data[8:12], "little")])


@pytest.mark.parametrize("tables", QUICK, ids=lambda tables: tables.name)
def test_tables_come_out_as_known(tables: TableSet, tmp_path: Path) -> None:
    assert contents(tables, tmp_path) == CONTENTS[f"{tables.name}-v{tables.version}"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("tables", SLOW, ids=lambda tables: tables.name)
def test_large_tables_come_out_as_known(tables: TableSet, tmp_path: Path) -> None:
    assert contents(tables, tmp_path) == CONTENTS[f"{tables.name}-v{tables.version}"]


def test_every_table_set_is_known() -> None:
    assert {f"{tables.name}-v{tables.version}" for tables in (*QUICK, *SLOW)} == set(CONTENTS)


def test_a_sound_file_of_other_content_is_built_anew(tmp_path: Path) -> None:
    """As somebody else's program may have left it: the checksums are right, the moves are not."""
    store = TableStore(tmp_path)
    arrays = dict(STAGE_TABLE_SET.build(lambda _share: None))
    name = next(iter(arrays))
    arrays[name] = arrays[name] + arrays[name].dtype.type(1)
    store.save(STAGE_TABLE_SET, arrays)
    again = store.obtain(STAGE_TABLE_SET)
    assert again.origin == "rebuilt"
    assert again.note
