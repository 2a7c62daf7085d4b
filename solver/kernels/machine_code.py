"""Compiled functions by their addresses, without numba if their machine code is stored.

Importing numba and loading a search with it takes longer than most searches. The first time, a
function of numbers is compiled with numba, and its machine code is stored as an array. After that,
llvmlite, numba's own loader, loads it within some milliseconds.
"""

# llvmlite and numba have no types, and the contents of a module are known at run time:
# mypy: disable-error-code="no-untyped-call"

import contextlib
import ctypes
import hashlib
import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite
import numpy as np
from llvmlite import binding as llvm

from solver.errors import TableError
from solver.kernels.code_folder import code_folder
from solver.table_files import read_tables, write_tables

if TYPE_CHECKING:
    from solver.kernels.compiled import EntryPoint


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
