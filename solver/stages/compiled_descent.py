"""The descent along Thistlethwaite's four tables, compiled: microseconds, not milliseconds."""

# numba has few types:
# mypy: disable-error-code="no-untyped-call"

from typing import Any

from numba import int16, int64, types, uint8

from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import read, written
from solver.stages import thistlethwaite

for _part in (thistlethwaite.rank, thistlethwaite.coordinates_of, thistlethwaite.turn_row):
    inlined(_part)


def _four(array: Any) -> Any:
    return types.UniTuple(array, 4)


descend = compiled(
    int64(
        *(written(uint8), read(uint8, 2), _four(read(int16, 2)), _four(read(int16, 2))),
        *(_four(read(uint8)), _four(read(int64)), _four(read(int16)), written(int64)),
    )
)(thistlethwaite.descend)
"""`solver.stages.thistlethwaite.descend`, compiled."""
