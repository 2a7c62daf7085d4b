"""The decorators for compiled functions, and numba's cache of them in our folder.

numba compiles again when the file of the function changes, but does not check the files of other
functions that were inlined: `code_folder` does. Without a usable folder, everything is compiled in
each process.
"""

import contextlib
import gc
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isfunction
from pathlib import Path
from typing import Any, TypeVar

from numba import njit
from numba.core import config, typeinfer
from numba.core.caching import FunctionCache
from numba.extending import register_jitable

from solver.kernels import packed
from solver.kernels.code_folder import code_folder
from solver.kernels.linked import linked

# numba's insides have no types:
# mypy: disable-error-code="no-untyped-call,attr-defined,assignment,call-overload,no-any-return"


Function = TypeVar("Function", bound=Callable[..., Any])


def ints(count: int, result: str = "int64") -> str:
    """Return the signature of a function of some integers."""
    return f"{result}({', '.join(['int64'] * count)})"


def compiled(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for one signature, without the GIL, or load it from the cache."""

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = njit(nogil=True, no_cfunc_wrapper=True)(function)
        if (folder := code_folder(Path(function.__code__.co_filename).parent)) is not None:
            config.CACHE_DIR = str(folder)
            dispatcher._cache = _Cache(function)
        _compile(dispatcher, signature)
        return dispatcher

    return decorate


def inner(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for one signature that only compiled functions call."""

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = _uncallable(function)
        with linked():
            _compile(dispatcher, signature)
        return dispatcher

    return decorate


def _uncallable(function: Callable[..., Any]) -> Any:
    """Return what numba compiles of the function, without Python's wrappers around it."""
    return njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


@contextmanager
def _not_collecting() -> Iterator[None]:
    """Do not look for garbage: numba leaves little, and looking takes a sixth of its time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _compile(dispatcher: Any, signature: Any) -> None:
    # registered, so that it can call itself
    with _not_collecting(), typeinfer.register_dispatcher(dispatcher):
        dispatcher.compile(signature)
        dispatcher.disable_compile()


def inlined(function: Function) -> Function:
    """Let compiled code call a function, which is compiled into its callers only."""
    register_jitable(forceinline=True, no_cfunc_wrapper=True)(function)
    return function


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """The entry of a search from Python, compiled when `solver.kernels.machine_code` needs it.

    Attributes:
        function: Takes and returns int64, or nothing.
        signature: Its signature for numba.
    """

    function: Callable[..., Any]
    signature: str

    def machine_code(self) -> tuple[str, bytes]:
        """Compile the function; return its symbol, and an object file with all its callees."""
        dispatcher = _uncallable(self.function)
        with _not_collecting(), linked():
            dispatcher.compile(self.signature)
            (overload,) = dispatcher.overloads.values()
            return overload.fndesc.llvm_func_name, overload.library.object_file()


def entry(signature: str) -> Callable[[Callable[..., Any]], EntryPoint]:
    """Mark the entry of a search from Python; other compiled functions cannot call it."""
    return lambda function: EntryPoint(function, signature)


class _Cache(FunctionCache):
    """numba's cache; what cannot be read or written is compiled again in each process."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except (OSError, EOFError, pickle.UnpicklingError):  # left by a computer without power
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


for _function in filter(isfunction, vars(packed).values()):
    inlined(_function)
