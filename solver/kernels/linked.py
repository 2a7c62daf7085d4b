"""Compiled code that is kept for linking: only the function at the top becomes machine code.

By default numba optimises every function together with everything that it calls, and makes it
executable. In a search with ten levels of calls, the lowest functions would be compiled ten times;
only the function that Python enters is ever run.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

# numba's insides have no types:
# mypy: disable-error-code="no-untyped-call,misc,no-any-return"


class LinkedLibrary(JITCodeLibrary):
    """The compiled form of a function, as written by numba, with everything that it calls."""

    def _optimize_final_module(self) -> None:
        pass  # done in the callers

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0: it cannot be called from here."""
        return 0

    def object_file(self) -> bytes:
        """Optimise it, and translate it for this processor."""
        self._ensure_finalized()
        super()._optimize_final_module()
        return self._codegen._tm.emit_object(self._final_module)


class _LinkedCodegen(JITCPUCodegen):
    """Makes linked libraries."""

    _library_class = LinkedLibrary

    def set_env(self, _name: str, _env: Any) -> None:
        """Do nothing: a function that does not run needs no globals of Python."""


@cache
def _linked_codegen() -> _LinkedCodegen:
    return _LinkedCodegen("solver.kernels")


@contextmanager
def linked() -> Iterator[None]:
    """While active, numba compiles into a `LinkedLibrary`."""
    context = cpu_target.target_context
    with global_compiler_lock:
        before, context._internal_codegen = context.codegen(), _linked_codegen()
        try:
            yield
        finally:
            context._internal_codegen = before
