"""Functions that only compiled functions call become machine code in the function at the top."""

import pytest
from numba import njit

from solver.kernels.compiled import entry, inlined, inner, ints
from solver.kernels.linking import LinkedLibrary, linked
from solver.kernels.machine_code import MachineFunction, _Code


@inlined
def reduced(n):
    return n - 1


@inner(ints(1))
def factorial(n):
    return 1 if n < 2 else n * factorial(reduced(n))


@inner(ints(2))
def binomial(n, k):
    return factorial(n) // (factorial(k) * factorial(n - k))


def test_an_entry_holds_all_that_it_calls() -> None:
    @entry(ints(2))
    def start(n, k):
        return binomial(n, k) + factorial(reduced(k))

    function = MachineFunction(_Code(*start.machine_code()))
    assert function(10, 4) == 210 + 6


def test_after_an_error_numba_compiles_as_ever() -> None:
    with pytest.raises(ZeroDivisionError), linked():
        raise ZeroDivisionError
    (overload,) = njit(ints(1))(reduced).overloads.values()
    assert not isinstance(overload.library, LinkedLibrary)
    assert overload.entry_point(5) == 4
