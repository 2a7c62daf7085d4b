"""Compiled functions by their addresses, without numba if their machine code is stored.

Importing numba and loading a search with it takes longer than most searches. The first time, a
function of numbers is compiled with numba, and its machine code is stored as an array. After that,
llvmlite, numba's own loader, loads it within some milliseconds.

Compiled code is stale if any file of this package changes, including inlined ones, or a file beside
its own. So its folder is named by a digest of all of them: another digest, another folder.
"""

import contextlib
import ctypes
import hashlib
import importlib
import os
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite
import numpy as np
import platformdirs
from llvmlite import binding as llvm

from solver.errors import TableError
from solver.table_files import read_tables, write_tables

if TYPE_CHECKING:
    from solver.kernels.compiled import EntryPoint


_HERE = Path(__file__).parent
_PREFIX = "kernels-"
_KEPT = 8
"""Number of folders to keep: of several versions, one for the machine and one for teaching."""


def code_folder(room: Path = _HERE) -> Path | None:
    """Return the folder of compiled code; None if there is none and none can be made.

    It is ``kernels-DIGEST`` in numba's cache folder (``NUMBA_CACHE_DIR``) if one is set, else in
    the program's: the user's, or ``THISTLEBOT_CACHE_DIR``. When one is made, those unused for the
    longest time are removed. One that belongs to another user, or that others may write to, is not
    used: its code would run as this user.

    Args:
        room: The folder of the compiled sources, including those that they may inline; for one in
            this package, the folder of the package.
    """
    return _folder(_HERE if room.is_relative_to(_HERE) else room)


@cache
def _folder(room: Path) -> Path | None:
    digest = hashlib.sha256()
    for path in sorted({*_HERE.rglob("*.py"), *room.rglob("*.py")}):
        digest.update(path.read_bytes())
    given = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("THISTLEBOT_CACHE_DIR")
    parent = Path(given or platformdirs.user_cache_dir("thistlebot", appauthor=False))
    folder = parent / f"{_PREFIX}{digest.hexdigest()[:16]}"
    try:
        if folder.exists() and not _safe(folder) and folder.stat().st_uid == os.geteuid():
            shutil.rmtree(folder)
        if not folder.exists():
            parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            others = sorted(parent.glob(f"{_PREFIX}*"), key=lambda path: path.stat().st_mtime)
            for old in others[:-_KEPT]:
                shutil.rmtree(old, ignore_errors=True)
        with contextlib.suppress(OSError):  # a read-only folder is useful, too
            os.utime(folder)
        return folder if _safe(folder) else None
    except OSError:
        return None


def _safe(folder: Path) -> bool:
    """Return whether nobody else can have put code there, which would run as this user."""
    if os.name != "posix":
        return True
    found = folder.stat()
    return found.st_uid in {0, os.geteuid()} and not found.st_mode & 0o022


# llvmlite and numba have no types, and the contents of a module are known at run time:
# mypy: disable-error-code="no-untyped-call"


_FINE = (0, -2)
"""Normal return codes of numba's functions: a value, or None."""


class MachineFunction:
    """A compiled function of integers that returns an integer; the GIL is free while it runs.

    Args:
        symbol: Its name in the code.
        code: Machine code of it and all its callees, as an object file for this processor.
    """

    def __init__(self, symbol: str, code: bytes) -> None:
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()  # the code lives as long as the engine
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
        self._function = kind(self._engine.get_function_address(symbol))

    def __call__(self, *numbers: int) -> int:
        """Call the function by numba's convention: result and exception first, as pointers."""
        result, raised = ctypes.c_int64(0), ctypes.c_void_p()
        pointers = (ctypes.byref(result), ctypes.byref(raised))
        status = self._function(*pointers, *map(ctypes.c_int64, numbers))
        if status not in _FINE:
            raise AssertionError(f"compiled code ended with status {status}")
        return result.value


def is_compiled(module: str, name: str) -> bool:
    """Return whether the machine code of a function is stored."""
    folder = code_folder()
    return folder is not None and _file(folder, module, name).exists()


def _file(folder: Path, module: str, name: str) -> Path:
    return folder / f"{module}.{name}-{_target()}.npz"


@cache
def machine_function(module: str, name: str) -> MachineFunction:
    """Return a function of `solver.kernels`, compiled for integers with `compiled.entry`.

    Args:
        module: The name of the module there.
        name: The name of the function.
    """
    folder = code_folder()
    if folder is None:
        return MachineFunction(*_compiled(module, name))
    file = _file(folder, module, name)
    with contextlib.suppress(TableError):
        stored = read_tables(file, file.stem)
        return MachineFunction(str(stored["symbol"]), stored["code"].tobytes())
    symbol, code = _compiled(module, name)
    with contextlib.suppress(OSError):
        content = {"symbol": np.array(symbol), "code": np.frombuffer(code, np.uint8)}
        write_tables(file, file.stem, content)
    return MachineFunction(symbol, code)


def _compiled(module: str, name: str) -> tuple[str, bytes]:
    function: EntryPoint = getattr(importlib.import_module(f"solver.kernels.{module}"), name)
    return function.machine_code()


def _machine() -> Any:
    """Describe this processor to an engine, which frees the description when it ends."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=3, jit=True
    )


def _features() -> str:
    features: str = llvm.get_host_cpu_features().flatten()
    return features


def _target() -> str:
    """Return a name that is different for each processor and version."""
    processor = (llvm.get_process_triple(), llvm.get_host_cpu_name(), _features())
    return hashlib.sha256(repr((*processor, llvmlite.__version__)).encode()).hexdigest()[:12]
