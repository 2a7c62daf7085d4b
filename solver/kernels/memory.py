"""Memory at an address, for compiled code: loads, stores and an atomic counter."""

from typing import Any

from llvmlite import ir
from numba import extending, types

_PREFETCH = "llvm.prefetch.p0i8"
intrinsic: Any = extending.intrinsic
"""The decorator of intrinsics, typed without their first argument, which callers do not give."""


def _loader(bits: int, *, constant: bool = False) -> Any:
    """Return an intrinsic that reads element i of an array of unsigned numbers at an address.

    Memory read by a constant one is not written while compiled code runs.
    """

    @intrinsic
    def load(_context: Any, _base: Any, _index: Any) -> Any:
        def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            element = ir.IntType(bits)
            pointer = builder.inttoptr(arguments[0], element.as_pointer())
            value = builder.load(builder.gep(pointer, [arguments[1]]))
            if constant:
                value.set_metadata("invariant.load", builder.module.add_metadata([]))
            return value if bits == 64 else builder.zext(value, ir.IntType(64))

        return types.int64(types.int64, types.int64), generate

    return load


def _storer(bits: int) -> Any:
    """Return an intrinsic that writes element i of an array at an address."""

    @intrinsic
    def store(_context: Any, _base: Any, _index: Any, _value: Any) -> Any:
        def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            element = ir.IntType(bits)
            pointer = builder.inttoptr(arguments[0], element.as_pointer())
            value = arguments[2] if bits == 64 else builder.trunc(arguments[2], element)
            builder.store(value, builder.gep(pointer, [arguments[1]]))
            return arguments[2]

        return types.int64(types.int64, types.int64, types.int64), generate

    return store


load8, load16, load32, load64 = (_loader(bits) for bits in (8, 16, 32, 64))
address = _loader(64, constant=True)
store8, store64 = _storer(8), _storer(64)


@intrinsic
def atomic_add(_context: Any, _base: Any, _index: Any, _value: Any) -> Any:
    """Add to element i of an int64 array at an address; return the value before."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        pointer = builder.gep(pointer, [arguments[1]])
        return builder.atomic_rmw("add", pointer, arguments[2], "seq_cst")

    return types.int64(types.int64, types.int64, types.int64), generate


@intrinsic
def lowest_bit(_context: Any, _value: Any) -> Any:
    """Return the number of the lowest bit set."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def count_bits(_context: Any, _value: Any) -> Any:
    """Return how many bits are set."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def prefetch(_context: Any, _address: Any) -> Any:
    """Fetch the cache line at an address, without waiting for it."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        fetch = builder.module.globals.get(_PREFETCH) or ir.Function(
            builder.module, kind, _PREFETCH
        )
        read, keep, data = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(fetch, [pointer, read, keep, data])
        return ir.Constant(ir.IntType(64), 0)

    return types.int64(types.int64), generate
