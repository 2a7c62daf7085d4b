"""The starts of the compiled searches: levels, tasks of premoves, and the best solution."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from solver.kernels import slots
from solver.kernels.clock import count_nodes
from solver.kernels.compiled import inlined
from solver.kernels.memory import address, atomic_add, load8, load64, store8, store64

ROW = 40
"""Bytes of a cube: corners, twists, edges, flips."""
DONE, STOPPED = -1, -2


@inlined
def row_product(first: int, second: int, out: int) -> None:
    """Compute the product of two cubes of forty bytes at addresses."""
    for i in range(8):
        place = load8(second, i)
        store8(out, i, load8(first, place))
        store8(out, 8 + i, (load8(first, 8 + place) + load8(second, 8 + i)) % 3)
    for i in range(12):
        place = load8(second, 16 + i)
        store8(out, 16 + i, load8(first, 16 + place))
        store8(out, 28 + i, load8(first, 28 + place) ^ load8(second, 28 + i))


@inlined
def enter_level(ctx: int, spent: int) -> None:
    """Note the cost of premoves and phase one, and the rest."""
    shared, unit = address(ctx, slots.SHARED), load64(ctx, slots.UNIT)
    most, cap = (load64(shared, slots.BEST) - 1) // unit - spent, load64(shared, slots.CAP)
    if most > cap:
        most = cap
        if (cap + 1 + spent) * unit < load64(shared, slots.CAPPED):
            store64(shared, slots.CAPPED, (cap + 1 + spent) * unit)
    store64(ctx, slots.MOST, most)
    store64(ctx, slots.SPENT, spent)


@inlined
def tasks_of(premoves: int) -> int:
    """Return the number of tasks for premove sequences: the first ones alone, others in blocks."""
    if premoves <= slots.ALONE:
        return premoves
    return slots.ALONE + (premoves - slots.ALONE + slots.BLOCK - 1) // slots.BLOCK


@inlined
def next_task(ctx: int) -> int:
    """Return the next task that no thread has taken, at the context's level; or DONE or STOPPED.

    The search is done if no root of a higher level can lead to a better solution.
    """
    shared, unit, levels = (
        address(ctx, slots.SHARED),
        load64(ctx, slots.UNIT),
        address(ctx, slots.LEVELS),
    )
    level, before = load64(ctx, slots.LEVEL), load64(ctx, slots.BEFORE)
    task = atomic_add(shared, slots.TASK + load64(ctx, slots.PASS), 1)
    while task - before >= tasks_of(load64(levels, level)):
        before += tasks_of(load64(levels, level))
        level += 1
        if level * unit >= load64(shared, slots.BEST) or level == slots.MOST_LEVELS - 1:
            return DONE
    store64(ctx, slots.LEVEL, level)
    store64(ctx, slots.BEFORE, before)
    store64(ctx, slots.SPENT, level)
    if load64(shared, slots.STOP) != 0:
        return STOPPED
    if level * unit >= load64(shared, slots.BEST):
        return DONE
    if count_nodes(ctx, 1):
        return STOPPED if load64(shared, slots.STOP) != 0 else DONE
    return task - before


@inlined
def premoves_of(ctx: int, task: int) -> tuple[int, int]:
    """Return the premove sequences, first to last - 1, of a task of the context's level."""
    first, some = task, 1
    if task >= slots.ALONE:
        first, some = slots.ALONE + (task - slots.ALONE) * slots.BLOCK, slots.BLOCK
    count = load64(address(ctx, slots.LEVELS), load64(ctx, slots.LEVEL))
    return first, min(first + some, count)


@inlined
def record(ctx: int, total: int, length: int) -> None:
    """Keep the path's first turns if they are the best solution of all threads."""
    shared = address(ctx, slots.SHARED)
    while atomic_add(shared, slots.LOCK, 1) != 0:
        atomic_add(shared, slots.LOCK, -1)
    if total < load64(shared, slots.BEST):
        store64(shared, slots.BEST, total)
        for i in range(length):
            store64(shared, slots.FOUND_TURNS + i, load8(address(ctx, slots.PATH), i))
        store64(shared, slots.FOUND_LENGTH, length)
        store64(shared, slots.FOUND_DIRECTION, load64(ctx, slots.DIRECTION))
        store64(shared, slots.FOUND, load64(shared, slots.FOUND) + 1)
    atomic_add(shared, slots.LOCK, -1)
    most = (load64(shared, slots.BEST) - 1) // load64(ctx, slots.UNIT) - load64(ctx, slots.SPENT)
    if most < load64(ctx, slots.MOST):
        store64(ctx, slots.MOST, most)
