"""What all tests share: their own files, tables, boards, a browser, hypothesis in measured doses.

Tests run in an order that `--randomly-seed` shuffles: the same in every run unless it is given.
"""

import asyncio
import gc
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest
from faulty_rig import Faults, FaultyRig
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser

from benchmarks.faults.pin_edges import PinEdge, StepEdge, StepReader, read_edges
from chromium import Visit, chromium, started
from prepared import FIRMWARE, cache_of_tests, missing_tools, prepare
from robot.ports.port import MonotonicClock, SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.rigs.mechanism import Mechanism
from robot.virtual.virtual_rig import VirtualRig
from solver import table_files
from solver.stages.stage_tables import StageTables, load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.solving.solver import Solve

_MEMORY = Path("/dev/shm")
_MEMORY_BYTES = 2 << 30

# The same examples in every run: a failure is never a matter of chance. `HYPOTHESIS_PROFILE=search`
# draws new ones.
_SETTINGS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("project", derandomize=True, **_SETTINGS)
settings.register_profile("search", **_SETTINGS)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "project"))


@pytest.fixture(scope="session", autouse=True)
def _requests_to_end() -> None:
    """Programs that tests start notice them, also when the tests run in a shell's background.

    What a shell starts with ``&`` ignores Ctrl-C, and what `nohup` starts the end of the terminal;
    what those programs start does so, too, unless somebody listened to it.
    """
    heard: dict[int, Callable[[int, object], object]] = {signal.SIGINT: signal.default_int_handler}
    if os.name == "posix":
        heard[signal.SIGHUP] = lambda *_: None
    for number, listener in heard.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, listener)


def pytest_configure() -> None:
    """Set what every process of the tests needs, before the workers start.

    What modules compile while tests are collected stays out of the user's cache. Bytecode is kept
    even where the shell forbids it: hundreds of programs start here, each from 300 modules. Files
    are in memory where there is enough: journals wait for the disk after each turn, and to remove
    a folder takes milliseconds on some disks.
    """
    spare = shutil.disk_usage(_MEMORY).free if os.access(_MEMORY, os.W_OK) else 0
    if "TMPDIR" not in os.environ and spare > _MEMORY_BYTES:
        os.environ["TMPDIR"], tempfile.tempdir = str(_MEMORY), None
    os.environ["THISTLEBOT_CACHE_DIR"] = str(cache_of_tests())
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def pytest_sessionstart(session: pytest.Session) -> None:
    """Prepare what the tests share before the first of them, and before any worker starts."""
    if not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        terminal = session.config.pluginmanager.get_plugin("terminalreporter")
        prepare(terminal.write_line)


def pytest_xdist_auto_num_workers() -> int:
    """Three workers, as one waits for pages; one on one processor, or real boards would starve."""
    return 1 if sys.platform == "linux" and len(os.sched_getaffinity(0)) == 1 else 3


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without collecting garbage, most of which is modules that stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the tests for the workers, and give long runs an hour, however busy the computer is.

    A worker takes a file whole; one takes all that need a browser, so that only one starts, and one
    all others that need a panel which is served.
    """
    for item in items:
        group = str(item.path)
        if item.get_closest_marker("browser"):
            group = "browser"
        elif {"rig_panel", "open_panel"}.intersection(getattr(item, "fixturenames", ())):
            group = "panel"
        item.add_marker(pytest.mark.xdist_group(group))
        if item.get_closest_marker("exhaustive") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(3600))


@pytest.fixture(scope="session")
def cache_folder() -> Path:
    """The cache folder of all tests and their processes, with searches and tables in it."""
    return cache_of_tests()


@pytest.fixture(scope="session", autouse=True)
def _tables_read_once(cache_folder: Path) -> Iterator[None]:
    """Read each table file of the tests' cache once in a process; the arrays are read-only."""
    once = cache(table_files.read_tables)

    def remembered(path: Path, name: str) -> table_files.Arrays:
        ours = path.parent == cache_folder / "tables"
        return (once if ours else table_files.read_tables)(path, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.tables.read_tables", remembered)
        yield


@pytest.fixture(autouse=True)
def own_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache_folder: Path) -> None:
    """Keep the tests away from the files of the person who runs them."""
    for name in list(os.environ):
        if name.startswith("THISTLEBOT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(cache_folder))
    monkeypatch.setenv("THISTLEBOT_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("THISTLEBOT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("THISTLEBOT_DATA_DIR", str(tmp_path / "data"))


def _lack(what: str, packages: Path) -> NoReturn:
    """Skip a test that needs what is missing; with CI=true, fail."""
    names = " ".join(packages.read_text(encoding="utf-8").split())
    text = f"missing: {what}; apt-get install {names}"
    if os.environ.get("CI") == "true":
        pytest.fail(text)
    pytest.skip(text)


@pytest.fixture(scope="session")
def avr_tools() -> None:
    """Skip a test that needs the AVR tools where they are missing; with CI=true, fail."""
    if missing := missing_tools():
        _lack(", ".join(missing), FIRMWARE / "debian-packages.txt")


@pytest.fixture(scope="session")
def firmware_build(avr_tools: None) -> Path:
    """The folder with the firmware of all boards, the simulator and the host tests."""
    return FIRMWARE / "build"


class SimulatedBoard:
    """The real firmware in the AVR simulator, behind a pseudo-terminal."""

    def __init__(self, build: Path, folder: Path, board: str) -> None:
        self.port = folder / "board"
        self._edges = folder / "edges.txt"
        self._log = folder / "simulator.txt"
        self._read = 0
        self._pulses = StepReader(powered=0)
        arguments = ["--link", self.port, "--edges", self._edges, "--pace", 1.0, "--board", board]
        command = [build / "simulator", "--elf", build / board / "thistlebot.elf", *arguments]
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                list(map(str, command)), stdin=subprocess.PIPE, stderr=log, text=True
            )
        deadline = time.monotonic() + 10
        while not self.port.exists():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, "the simulator made no port"
            time.sleep(0.01)

    def command(self, line: str) -> None:
        """Press a button or the like; see firmware/simulator/README.md."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def step_edges(self) -> list[StepEdge]:
        """Return the step pulses made since this was last asked; without current none counts."""
        return self._pulses.read(self.edges())

    def edges(self) -> tuple[PinEdge, ...]:
        """Return all edges recorded since this was last asked."""
        self.command("flush")
        deadline = time.monotonic() + 10
        while "# flushed\n" not in (rows := self._unread()):
            assert time.monotonic() < deadline, "the simulator does not answer"
            time.sleep(0.005)
        rows = rows[: rows.index("# flushed\n") + len("# flushed\n")]
        self._read += len(rows)
        return read_edges(rows)

    def _unread(self) -> str:
        with self._edges.open(encoding="ascii") as file:
            file.seek(self._read)
            return file.read()

    def close(self) -> str:
        """End the simulator and return what it said at its end; closing twice does no harm."""
        self._process.terminate()
        self._process.wait(10)
        if self._process.stdin is not None:
            self._process.stdin.close()
        return self._log.read_text()


@pytest.fixture
def simulated_board(
    request: pytest.FixtureRequest, firmware_build: Path, tmp_path: Path
) -> Iterator[SimulatedBoard]:
    """A freshly started board, as fast as a real one where the machine keeps up.

    It is an Uno; a test that needs another board gives its name as an indirect parameter.
    """
    board = SimulatedBoard(firmware_build, tmp_path, getattr(request, "param", "uno"))
    yield board
    board.close()


class ServedRig:
    """Carries bytes between a pseudo-terminal and a virtual rig in a thread, until it is closed."""

    def __init__(self, rig: VirtualRig) -> None:
        self.rig = rig
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._over.is_set():
            readable, _, _ = select.select([self._master], [], [], 0.001)
            if readable:
                self.rig.write(os.read(self._master, 4096))
            data = self.rig.read(0.001)
            if data:
                os.write(self._master, data)

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def pty_rig() -> Iterator[Callable[..., tuple[str, VirtualRig]]]:
    """Start virtual rigs, with faults if wanted; returns each one's port and the rig itself."""
    servers = []

    def start(faults: Faults | None = None, rig: Mechanism | None = None) -> tuple[str, VirtualRig]:
        server = ServedRig(FaultyRig(rig or default_rig(), MonotonicClock(), faults=faults))
        servers.append(server)
        return server.path, server.rig

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def simulated_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let time pass at once wherever the program in this process waits for a machine or camera."""
    clock = SimulatedClock()
    monkeypatch.setattr(MonotonicClock, "now_s", lambda _: clock.now_s())
    monkeypatch.setattr(MonotonicClock, "sleep", lambda _, duration_s: clock.sleep(duration_s))


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
        _lack("chromium", Path(__file__).with_name("debian-packages.txt"))
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
