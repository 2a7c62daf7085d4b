"""The types of what compiled code takes, for the checker and for the compiler."""

# numba's types have none of their own:
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
    """An array that is only read; tables may be mapped from files that cannot be written."""
    return types.Array(kind, dimensions, "C", readonly=True)


def written(kind: Any, dimensions: int = 1) -> Any:
    """An array that results are written to."""
    return types.Array(kind, dimensions, "C")


def record(kind: Any, *fields: Any) -> Any:
    """A named tuple; without fields one of integers."""
    if not fields:
        return types.NamedUniTuple(types.int64, len(kind._fields), kind)
    return types.NamedTuple(fields, kind)
