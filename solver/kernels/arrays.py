"""Arrays that compiled functions take: their types for the type checker and the compiler."""
# numba's types have no type annotations:
# mypy: disable-error-code="no-untyped-call"

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint16]
Longs = NDArray[np.uint32]
Quads = NDArray[np.uint64]
Shorts = NDArray[np.int16]
Ints = NDArray[np.int64]


def read(kind: Any, dimensions: int = 1) -> Any:
    """Return the type of a read-only array; tables may be mapped from read-only files."""
    return types.Array(kind, dimensions, "C", readonly=True)


def written(kind: Any, dimensions: int = 1) -> Any:
    """Return the type of an array for results."""
    return types.Array(kind, dimensions, "C")


def record(kind: Any, *fields: Any) -> Any:
    """Return the type of a named tuple; without fields one of integers."""
    if not fields:
        return types.NamedUniTuple(types.int64, len(kind._fields), kind)
    return types.NamedTuple(fields, kind)


def make_read_only(*arrays: NDArray[Any]) -> None:
    """Forbid writing to arrays, as the type `read` of compiled functions' arguments requires."""
    for array in arrays:
        array.flags.writeable = False
