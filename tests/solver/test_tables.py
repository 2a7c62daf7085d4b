"""Tables: what they hold, built once, kept in files, rebuilt if a file is damaged."""

import logging
import os
import resource
import signal
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from run_thistlebot import scripted
from solver.errors import TableError
from solver.pocket import POCKET_TABLE_SET
from solver.search.metrics import METRICS
from solver.search.tables.cosets import COSET_TABLE_SET
from solver.search.tables.symmetry_coordinates import TURN_TABLE_SET
from solver.stages.stage_tables import STAGE_TABLE_SET
from solver.table_files import CACHE_LINE, CONTENTS, Arrays, content_digest, read_tables
from solver.tables import Progress, TableSet, TableStore


def _build(progress: Progress) -> Arrays:
    progress(1.0)
    return {"squares": np.arange(100) ** 2, "bytes": np.arange(7, dtype=np.uint8).reshape(7, 1)}


def _large(_progress: Progress) -> Arrays:
    rng = np.random.default_rng(5)
    sizes = {"first": 3 << 20, "rare": (11 << 20) + 5, "last": (2 << 20) + 1}
    return {name: rng.integers(0, 256, size, dtype=np.uint8) for name, size in sizes.items()}


SQUARES = TableSet("squares", 1, _build)
LARGE = TableSet("large", 1, _large)
LARGE_ARRAYS = _large(lambda _share: None)


def test_tables_are_built_once_and_then_read_from_the_folder(tmp_path: Path) -> None:
    store = TableStore(tmp_path / "new" / "folder")
    shares: list[float] = []
    first = store.obtain(SQUARES, shares.append)
    second = store.obtain(SQUARES, shares.append)
    assert (first.note, second.note, shares) == ("", "", [0.0, 1.0])
    for key, array in _build(lambda _share: None).items():
        assert np.array_equal(second.arrays[key], array)
        assert second.arrays[key].dtype == array.dtype
        assert not second.arrays[key].flags.writeable
        assert second.arrays[key].ctypes.data % CACHE_LINE == 0


@settings(max_examples=20)
@given(st.data())
def test_any_damaged_byte_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    store = TableStore(tmp_path_factory.getbasetemp())
    path = store.path(LARGE)
    if not path.exists():
        store.obtain(LARGE)
    place = data.draw(st.integers(0, path.stat().st_size - 1))
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)
        file.seek(place)
        file.write(bytes([byte[0] ^ data.draw(st.integers(1, 255))]))
        file.flush()
        got = store.load(LARGE)
        # Some bytes of an archive mean nothing, such as the time of a file.
        assert got is None or all(np.array_equal(got[key], LARGE_ARRAYS[key]) for key in got)
        assert got is None or got.keys() == LARGE_ARRAYS.keys()
        file.seek(place)
        file.write(byte)


def test_a_truncated_file_and_one_of_another_version_are_not_used(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    path = store.save(SQUARES, _build(lambda _share: None))
    content = path.read_bytes()
    for share in (0.0, 0.01, 0.5, 0.99):
        path.write_bytes(content[: int(len(content) * share)])
        assert store.load(SQUARES) is None
        again = store.obtain(SQUARES)
        assert str(path) in again.note
    newer = TableSet("squares", 2, _build)
    path.rename(store.path(newer))
    assert "rebuilt" in store.obtain(newer).note
    with pytest.raises(TableError, match="squares-v2"):
        read_tables(store.path(newer), "squares-v1")


def test_a_folder_that_cannot_be_written_costs_a_warning_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    with caplog.at_level(logging.WARNING):
        got = TableStore(blocker / "tables").obtain(SQUARES)
    assert got.note
    assert got.note in caplog.text
    assert np.array_equal(got.arrays["squares"], np.arange(100) ** 2)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    for kind, make in (
        ("pipe", os.mkfifo),
        ("device", lambda path: path.symlink_to("/dev/zero")),
        ("loop", lambda path: path.symlink_to(path)),
        ("folder", Path.mkdir),
    ):
        store = TableStore(tmp_path / kind)
        path = store.path(SQUARES)
        path.parent.mkdir()
        make(path)
        obtained = store.obtain(SQUARES)
        assert str(path) in obtained.note, kind
        assert bool(store.obtain(SQUARES).note) == (kind == "folder"), kind
    assert path.is_dir()  # which may hold something of somebody's


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are a POSIX matter")
def test_a_full_disk_leaves_no_file_and_a_usable_table(tmp_path: Path) -> None:
    pid = os.fork()
    if pid == 0:  # the limit holds for the process that sets it, so a child takes it
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
        got = TableStore(tmp_path).obtain(SQUARES)
        os._exit(0 if got.note else 1)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert list(tmp_path.iterdir()) == []
    assert TableStore(tmp_path).obtain(SQUARES).note == ""
    assert TableStore(tmp_path).load(SQUARES) is not None


_LIMITED = """
import resource
from pathlib import Path
import numpy as np
from solver.errors import TableError
from solver.tables import TableSet, TableStore
built = []
def build(_share):
    built.append(1)
    return {"zeros": np.zeros(100 << 20, dtype=np.uint8)}
zeros = TableSet("zeros", 1, build)
store = TableStore(folder)
store.obtain(zeros)
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
for room in (10, 60):
    resource.setrlimit(resource.RLIMIT_AS, (used + (room << 20), hard))
    try:
        store.obtain(zeros)
    except TableError as error:
        print(error)
print(len(built), "built")
"""


def test_tables_without_room_are_a_clear_error_and_are_not_rebuilt(tmp_path: Path) -> None:
    def greedy(_progress: Progress) -> Arrays:
        raise MemoryError

    with pytest.raises(TableError, match="greedy"):
        TableStore(tmp_path).obtain(TableSet("greedy", 1, greedy))
    *errors, built = scripted(f"folder = {str(tmp_path)!r}\n{_LIMITED}").stdout.splitlines()
    assert [" zeros" in error for error in errors] == [True, True]
    assert built == "1 built"


def test_what_a_killed_build_left_is_swept_away(tmp_path: Path) -> None:
    """What is being written is left alone; what nobody has written to for an hour is not."""
    old, new = (tmp_path / f"squares-v1{name}.npz.part" for name in ("a", "b"))
    for part in (old, new):
        part.write_bytes(b"begun")
    os.utime(old, (0, 0))
    store = TableStore(tmp_path)
    store.obtain(SQUARES)
    assert (old.exists(), new.exists()) == (False, True)


def test_listing_names_problems_and_removing_removes(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    store.obtain(SQUARES)
    store.obtain(TableSet("others", 3, _build))
    store.path(SQUARES).write_bytes(b"rubbish")
    files = {file.name: bool(file.problem) for file in store.stored()}
    assert files == {"others": False, "squares": True}
    assert [path.name for path in store.remove("squares")] == ["squares-v1.npz"]
    assert [path.name for path in store.remove()] == ["others-v3.npz"]
    assert store.stored() == ()
    assert TableStore(tmp_path / "nowhere").stored() == ()


QUICK = (STAGE_TABLE_SET, TURN_TABLE_SET, POCKET_TABLE_SET)
SLOW = (
    COSET_TABLE_SET,
    *(search.tables for metric in METRICS.values() for search in (metric.six, metric.five)),
)


@pytest.mark.parametrize(
    "tables",
    [*QUICK, *(pytest.param(tables, marks=pytest.mark.exhaustive) for tables in SLOW)],
    ids=lambda tables: tables.name,
)
def test_tables_come_out_as_known(tables: TableSet, tmp_path: Path) -> None:
    path = TableStore(tmp_path).save(tables, tables.build(lambda _share: None))
    assert digest_of(path) == CONTENTS[tables.full_name]


def digest_of(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return content_digest(archive)


def test_tables_that_all_tests_share_come_out_as_known(cache_folder: Path) -> None:
    paths = {name: cache_folder / "tables" / f"{name}.npz" for name in CONTENTS}
    shared = {name: digest_of(path) for name, path in paths.items() if path.exists()}
    assert shared.keys() > {"cosets-v1", "htm-v11", "axial-v11", "axial-qtm-v11"}
    assert shared.items() <= CONTENTS.items()


def test_every_table_set_is_known() -> None:
    assert {tables.full_name for tables in (*QUICK, *SLOW)} == set(CONTENTS)


def test_a_sound_file_of_other_content_is_rebuilt(tmp_path: Path) -> None:
    """As somebody else's program may have left it: the checksums are right, the moves are not."""
    store = TableStore(tmp_path)
    arrays = dict(STAGE_TABLE_SET.build(lambda _share: None))
    name = next(iter(arrays))
    arrays[name] = arrays[name] + arrays[name].dtype.type(1)
    store.save(STAGE_TABLE_SET, arrays)
    again = store.obtain(STAGE_TABLE_SET)
    assert "rebuilt" in again.note
