"""What all tests share: compiled searches, tables, firmware, in `build/tests` until sources change.

``CACHE_OF_TESTS`` names another folder for searches and tables.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware"
_TOOLS = ("avr-gcc", "avr-gcc-ar", "avr-objcopy", "avr-size", "make", "cc", "g++")
_HEADERS = ("/usr/include/simavr/sim_avr.h", "/usr/share/arduino/hardware/arduino/avr")
_BUILD = ("make", "-j2", "-C", str(FIRMWARE), "boards", "simulator", "host-test-build")
_COMPILE = """
import gc, importlib, pkgutil, sys
gc.disable()  # numba leaves little garbage, and looking for it takes a tenth of the time
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    for each in pkgutil.iter_modules(getattr(module, "__path__", ())):
        importlib.import_module(f"{name}.{each.name}")
"""
_IMPORTED = (
    ("puzzles.paths.kernels",),
    tuple(f"solver.kernels.{name}" for name in ("building", "centres", "fitting", "strict")),
)
"""What is compiled when it is imported, as it is to collect tests, in two processes."""
_BUILD_TABLES = """
import gc, sys
gc.disable()
from solver.centre_search import load_centres
from solver.goal import Goal
from solver.search.objectives import load_tables
from solver.search.objectives import Objective
from solver.tables import TableStore
from solver.kernels.machine_code import machine_function
from solver.search.tables.cosets import COSET_TABLE_SET
from solver.search.tables.pruning import Growth, PruningTable
SMALL = PruningTable(0, 6)
store = TableStore(sys.argv[1])
for name in sys.argv[2:]:
    if name == "centres":
        load_centres(store)
    elif name == "optimal":
        cosets = store.obtain(COSET_TABLE_SET).arrays
        if store.load(SMALL.tables) is None:
            Growth(store, SMALL, cosets).run(1)
        machine_function("optimal.proof", "prove")
    elif name == "five faces":
        load_tables(store, forbidden="U")
    else:
        objective = Objective(lean=True) if name == "lean" else Objective(Goal(name))
        load_tables(store, objective=objective)
"""
_HALVES = (("htm", "axial", "axial-qtm"), ("centres", "five faces", "lean", "optimal"))
"""The tables, with the searches compiled for them, that two processes build in about as long."""


def cache_of_tests() -> Path:
    given = os.environ.get("CACHE_OF_TESTS")
    return Path(given) if given else ROOT / "build" / "tests" / "cache"


def missing_tools() -> list[str]:
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    return missing + [path for path in _HEADERS if not Path(path).exists()]


@dataclass(frozen=True)
class _Step:
    """Processes that build something, and the file that tells from which sources it was built."""

    stamp: Path
    digest: str
    commands: list[list[str]]
    running: list[tuple[subprocess.Popen[bytes], Path]] = field(default_factory=list)

    @property
    def needed(self) -> bool:
        return not self.stamp.is_file() or self.stamp.read_text(encoding="ascii") != self.digest

    def start(self, environment: dict[str, str]) -> None:
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        for number, command in enumerate(self.commands):
            log = self.stamp.with_name(f"{self.stamp.name}-{number}.log")
            with log.open("wb") as output:
                started = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
            self.running.append((started, log))

    def finish(self) -> None:
        """Wait for the processes.

        Raises:
            RuntimeError: One of them failed.
        """
        while self.running:
            process, log = self.running.pop()
            if process.wait():
                said = log.read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"{process.args} ended with {process.returncode}:\n{said}")
        self.stamp.write_text(self.digest, encoding="ascii")


class Preparation:
    """Builds what is missing or older than its sources.

    When it has been made, tests can be collected; those that need tables or firmware cannot run
    yet.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        cache = cache_of_tests()
        (cache / "tables").mkdir(parents=True, exist_ok=True)
        python = [sys.executable, "-c"]
        solver = ("solver/**/*.py", "puzzles/paths/kernels/*.py")
        imported = _Step(
            cache / "imported", _digest(solver), [[*python, _COMPILE, *half] for half in _IMPORTED]
        )
        building = [*python, _BUILD_TABLES, str(cache / "tables")]
        tables = _Step(
            cache / "prepared", _digest(solver), [[*building, *half] for half in _HALVES]
        )
        built = _Step(FIRMWARE / "build" / "prepared", _digest(("firmware/**/*.*",)), [[*_BUILD]])
        steps = [imported, tables] if missing_tools() else [imported, tables, built]
        steps = [step for step in steps if step.needed]
        if steps:
            say("Preparing searches, tables and firmware for the tests, once (about a minute) …")
        environment = os.environ | {"THISTLEBOT_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
        self._steps = [step for step in steps if step is not imported]
        if imported in steps:
            imported.start(environment)
            imported.finish()
        for step in self._steps:
            step.start(environment)

    def over(self) -> bool:
        """Whether all processes have ended."""
        return all(each.poll() is not None for step in self._steps for each, _ in step.running)

    def finish(self) -> None:
        """Wait for the rest.

        Raises:
            RuntimeError: A process failed.
        """
        while self._steps:
            self._steps.pop().finish()


def _digest(sources: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for pattern in sources for path in ROOT.glob(pattern)):
        if "build" not in path.parts and path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()
