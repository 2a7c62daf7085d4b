"""What all tests share: compiled searches, tables, firmware, in `build/tests` until sources change.

``CACHE_OF_TESTS`` names another folder for searches and tables.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware"
_TOOLS = ("avr-gcc", "avr-gcc-ar", "avr-objcopy", "avr-size", "make", "cc", "g++")
_HEADERS = ("/usr/include/simavr/sim_avr.h", "/usr/share/arduino/hardware/arduino/avr")
_BOARDS = ("uno", "mega", "cnc-shield")
"""Each chip, and drivers on a UART; the exhaustive tests build the others."""
_BUILD = ("make", "-j2", "-C", str(FIRMWARE), *_BOARDS, "simulator", "host-test-build")
_COMPILE = """
import importlib, pkgutil, sys
import puzzles.paths.kernels
from solver.goal import Goal
from solver.search.objectives import load_tables
from solver.search.objectives import Objective
from solver.tables import TableStore
from solver.kernels.machine_code import machine_function
from solver.search.tables.cosets import COSET_TABLE_SET
from solver.search.tables.pruning import PruningTable, grow
SMALL = PruningTable(0, 6)
store = TableStore(sys.argv[1])
for name in sys.argv[2:]:
    if name == "kernels":  # those of the searches are compiled with the first tables
        for module in pkgutil.iter_modules(puzzles.paths.kernels.__path__):
            importlib.import_module(f"puzzles.paths.kernels.{module.name}")
        importlib.import_module("solver.kernels.strict")
    elif name == "optimal":
        cosets = store.obtain(COSET_TABLE_SET).arrays
        if store.load(SMALL.tables) is None:
            store.save(SMALL.tables, grow(SMALL, cosets, 1))
        machine_function("optimal.proof", "prove")
    else:
        load_tables(store, objective=Objective(Goal(name)))
"""
_TABLES = ("solver/search/tables/*.py", "solver/coordinates.py", "solver/cubies.py")
_KERNELS = ("solver/kernels/**/*.py", "puzzles/paths/kernels/*.py")
_SEARCHES = {
    "tables": ((*_TABLES, *_KERNELS), ("htm", "axial", "axial-qtm")),
    "optimal": ((*_TABLES, "solver/kernels/**/*.py"), ("optimal",)),
    "kernels": (_KERNELS, ("kernels",)),
}
"""Of each part, the sources and what one process builds."""


def cache_of_tests() -> Path:
    given = os.environ.get("CACHE_OF_TESTS")
    return Path(given) if given else ROOT / "build" / "tests" / "cache"


def missing_tools() -> list[str]:
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    return missing + [path for path in _HEADERS if not Path(path).exists()]


def build_board(board: str) -> None:
    """Build the firmware of a board, which may be none of those that are prepared."""
    subprocess.run(["make", "-s", "-C", str(FIRMWARE), board], check=True, capture_output=True)


def prepare(say: Callable[[str], None]) -> None:
    """Prepare what is missing or older than its sources, all at once."""
    cache = cache_of_tests()
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "tables").mkdir(exist_ok=True)
    python = [sys.executable, "-c", _COMPILE, str(cache / "tables")]
    wanted = [
        (cache / f"{name}.prepared", sources, [*python, *goals])
        for name, (sources, goals) in _SEARCHES.items()
    ]
    if not missing_tools():
        wanted.append((FIRMWARE / "build" / "prepared", ("firmware/**/*.*",), [*_BUILD]))
    environment = os.environ | {"THISTLEBOT_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    started = []
    for stamp, sources, command in wanted:
        digest = _digest(sources)
        if not stamp.is_file() or stamp.read_text(encoding="ascii") != digest:
            process = subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            started.append((stamp, digest, process))
    if started:
        say("Preparing searches, tables and firmware for the tests, once (about a minute) …")
    for stamp, digest, process in started:
        output, _ = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args, output)
        stamp.write_text(digest, encoding="ascii")


def _digest(sources: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for pattern in sources for path in ROOT.glob(pattern)):
        if "build" not in path.parts and path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()
