"""What symmetry of a cube spares the search in single turns: premoves, and first turns."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from solver.kernels import packed, slots
from solver.kernels.compiled import inlined
from solver.kernels.lookups import allowed_after
from solver.kernels.memory import address, load8, load32, load64, store64


@inlined
def premove_is_first(ctx: int, number: int) -> int:
    """Whether no symmetry of the cube turns these premoves into others that stand before them."""
    own = load64(address(ctx, slots.SELVES), number % 6)
    if own <= 1:
        return own
    word = load32(address(ctx, slots.PREMOVES), number // 6)
    for symmetry in range(1, 16):
        if not own >> symmetry & 1:
            continue
        last, difference = slots.NO_TURN, 0
        for i in range(packed.unpack_premove(word)[0]):
            turn = packed.premove_turn(word, i)
            other = load8(address(ctx, slots.FRAME_TURNS), symmetry * 18 + turn)
            if i == 0:
                other = 3 * (other // 3)
            if not allowed_after(ctx, last) >> other & 1:
                difference = 1
                break
            last = other
            if difference == 0:
                difference = other - turn
        if difference < 0:
            return 0
    return 1


@inlined
def first_turns(ctx: int, number: int) -> int:
    """The turns to start phase one with: of those alike by a symmetry, the first."""
    every = allowed_after(ctx, slots.NO_TURN)
    own = load64(address(ctx, slots.SELVES), number % 6)
    if own == 1 or number >= 6:
        return every
    turns = 0
    for turn in range(18):
        first = True
        for symmetry in range(1, 16):
            if own >> symmetry & 1:
                first &= load8(address(ctx, slots.FRAME_TURNS), symmetry * 18 + turn) >= turn
        turns |= first << turn
    return turns & every


@inlined
def prepare_first_turns(ctx: int) -> None:
    """Write which turns may follow each turn, and which may be the first."""
    turns_after = address(ctx, slots.TURNS_AFTER)
    for turn in range(slots.AT_ROOT):
        store64(turns_after, turn, allowed_after(ctx, turn))
    for direction in range(6):
        store64(turns_after, slots.AT_ROOT + direction, first_turns(ctx, direction))
