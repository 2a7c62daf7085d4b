"""The context of the compiled searches: the slots of the tables' addresses and of the variables.

All tables are reached through their addresses, which are in one int64 array, the context, together
with the search's variables (the slots are the constants below). A recursive call then has only
scalar arguments, which makes it as fast as compiled C: array arguments take twice as long.

Terms: a *frame* is the cube seen through one of the sixteen symmetries that keep the U-D axis; a
node contains the class of its flips and slice, the symmetry s from the raw cube to the class's
frame, and the twist in that frame. Turns in the path are raw turns.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
PATH_BYTES, ROW_BYTES = 64, 40

# tables
(
    CLASS_MOVES,  # u32 [class, 45]: class << 4 | symmetry
    TWIST_MOVES,  # u16 [2187, 45]
    TWIST_CONJUGATES,  # u16 [2187, 16]
    PHASE_ONE,  # 2 bits [class, 2188]: 0 up to distance `GRADES`, 1 to 3: one each farther
    NEAR_FILTER,  # bits [radii, 2**25]: filters of the states beyond the hash, below `GRADES`
    NEAREST_FILTER,  # bits: a smaller filter of the states in the hash
    NEAR_KEYS,  # u32: hash of the states within `NEAR_RADIUS`, key + 1
    NEAR_VALUES,  # u32: see `packed.pack_near`
    NEAR_TURNS,  # u64: turns in the frame, as bits, after which a state near G2 is within its
    # distance and one less their cost
    ENDINGS,  # u64: see `packed.pack_ending`
    ENDING_HEADS,  # u32: see `packed.pack_ending_head`
    SYMMETRY_PRODUCTS,  # u8 [16, 16]
    FRAME_TURNS,  # u8 [16, 45]: a raw turn in the frame
    RAW_TURNS,  # u8 [16, 45]: a turn in the frame on the raw cube
    CORNER_MOVES,  # u16 [40320, 18]
    CORNER_RANKS,  # u16 [2, 4096]: what four packed places contribute to a permutation's number
    TURNED_CORNERS,  # u32 [18]: packed permutations of the single turns
    AXIAL_TURNED_CORNERS,  # u32 [45]: the same of the axial turns
    SEEN_CORNERS,  # u32 [16, 2]: the same of the sixteen symmetries, each with its inverse
    CORNER_DISTANCES,  # u8 [40320]: phase two, corners alone
    CORNER_BOUNDS,  # u8 [3, 3, 40320]
    CORNER_SLICE_DISTANCES,  # u8 [40320, 24]
    CORNER_CLASSES,  # u32 [40320]: class << 4 | symmetry
    EDGE_CONJUGATES,  # u16 [40320, 16]
    EDGE_MOVES,  # u16 [40320, 18]; turns of phase two only
    SLICE_MOVES,  # u16 [11880, 18]: the four slice edges, place and order
    SLICE_NAMES,  # u8 [4, 24]: slice edges renamed by R2, F2, L2, B2
    FLIP_SLICES,  # u32 [495 * 2048]: class << 4 | symmetry
    SLICE_NUMBERS,  # u16 [4096]
    MOVE_ROWS,  # u8 [18, 40]
    PREMOVE_ROWS,  # u8 [premoves, 40]
    PREMOVE_PIECES,  # u64 [premoves]: see `packed.pack_premove_pieces`
    PREMOVES,  # u32 [premoves]: see `packed.pack_premove`
    PAIR_KEYS,  # u32: hash of the phase-two states within the radius, state + 1
    PAIR_VALUES,  # u8: their distances
    COSTS,  # u8 [45]
    TURNS_COSTING,  # i64 [costs, 3]: the turns of each axis, as bits, by their cost
    LONGER_TURNS,  # i64 [15]: the turns of an axis, as bits, that begin with each of them
    # costs of solutions: see `solver.search.time_model`
    WAY_STARTS,  # i64 [46]: the index of the first way to make each turn of the original cube
    WAY_FIRSTS,  # i64 [ways]: the first step of each way
    WAY_LASTS,  # i64 [ways]: the last step
    WAY_COSTS,  # i64 [ways]
    PAUSES,  # i64 [steps, steps]: the pause between two steps
    ITSELF,  # u8 [6, 45]: a turn in a direction, on the original cube
    # numbers
    DIRECTIONS,  # those to search, as bits, of three axes of the cube and three of its inverse
    PAIR_RADIUS,
    NEAR_RADIUS,  # of the hash of states near G2
    GRADES,  # distance up to which phase one has grade 0
    RETURN,  # minimum cost of a path that leaves G2 and returns to another state of G2
    DEAREST,  # maximum cost of a turn
    FAR_TURNS,  # bits of the turns of an axis that may help when `SPY` does not
    STEPS,
    START,  # the pause before the first step
    EVERY,  # whether phases two of equal cost may differ in the measure, so that all are tried
    # variables of one thread
    ROWS,  # u8 [6, 40]: the cube in the six directions
    ROOT,  # u8 [40]: the root being searched
    PATH,  # u8 [64]: raw turns of phase one, then of phase two
    AXIAL_PATH,  # u8 [64]: the path in axial turns
    STACK,  # i64 [togo, 8]: where the items of each cost begin
    AXES,  # i64 [3 * items together]: see `packed.pack_axis`
    ITEMS,  # i64 [items, 2]: positions still to be searched, see `solver.kernels.axial.search`
    CHILDREN,  # i64 [children, 2]: the children of a few of them
    CANDIDATES,  # i64 [candidates, 10]: paths that wait for phase two
    WAITING,  # their number
    ENDS,  # i64 [2, 16]: the cheapest ways to each end of a turn, and of the next one
    DIRECTION_TABLES,  # i64 [6, 84], then [128]: see `DIRECTION_SIZE` and `WEIGHTS`
    PREMOVE,
    DIRECTION,
    ROOT_NUMBER,  # 6 * premove + direction of the root being searched, or -1
    LENGTH,  # of phase one
    LAST_AXIS,  # of the path that is proposed
    VARIANT,  # of the candidate in phase two
    LEVEL,  # total cost of premoves and phase one
    BEFORE,  # roots of the levels below
    SPENT,  # cost of phase one and premoves together
    MOST,  # maximum cost of phase two
    NODES,
    NEXT_CHECK,
    PASS,  # the task counter in use
    UNIT,  # minimum value of a unit of cost in the measure of the best solution
    CLOCK,  # i64 [2]: for clock_gettime
    CLOCK_KIND,
    DEADLINE_NS,
    SHARED,  # i64: see below
    ROOT_CACHE,  # u64 [6 * premoves]
    LEVELS,  # i64 [64]: number of premoves in use at each level
    CONTEXT_SIZE,
) = range(87)

TABLES = {name.lower(): slot for name, slot in list(globals().items()) if name.isupper()}
"""The tables' names, equal to those of their slots; other slots are not tables."""

# the array shared by the threads of one search
(
    BEST,
    TASK,
    SECOND_TASK,
    STOP,
    CAP,  # maximum number of turns of phase two
    CAPPED,  # the longest solution that certainly does not become longer by that
    LOCK,
    FOUND,  # number of solutions found so far; followed by the latest one
    FOUND_DIRECTION,
    FOUND_LENGTH,
    FOUND_TURNS,
) = range(11)
SHARED_SIZE = FOUND_TURNS + 64

CHECK_EVERY = 256
ALONE, BLOCK = 5, 16  # number of premoves with a task each, and number of others per task
TOGETHER_EXPANDED, ROOTS_TOGETHER = 16, 6 * BLOCK
MOST_CANDIDATES = 48
FILTER_BITS, SMALL_FILTER_BITS = 25, 21
HASH_BITS, PAIR_BITS = 19, 20
AXIAL_TURNS, NO_AXIS = 45, 3
SPY = 7  # the axial turn of an axis, a half turn of its first face, that is tried first
MOVES, TWISTS, PHASE_ONE_ROW, PERMUTATIONS = 18, 2187, 547, 40320
MOST_LEVELS = 64
MOST_CHILDREN = AXIAL_TURNS * TOGETHER_EXPANDED
MOST_ITEMS = ROOTS_TOGETHER + MOST_LEVELS * MOST_CHILDREN
COST_LIMIT = 8
"""A cost higher than that of any turn."""
CORNERS, FLIPS, TWISTED, BACK, PACKED, DIRECTION_SIZE = 48, 80, 81, 82, 83, 84
"""Words of a direction's table: positions of bit sets of edges (flip | slice << 11) and of corners,
four pieces at a time; flips, corners twisted once and twice, packed corners.
"""
WEIGHTS = 6 * DIRECTION_SIZE
"""After the six tables: the twist coordinate of corners that are all twisted once."""


def set_slots(context: Ints, values: Mapping[int, Any]) -> None:
    """Write numbers, and addresses of arrays, which the caller must keep alive."""
    for slot, value in values.items():
        context[slot] = value.ctypes.data if isinstance(value, np.ndarray) else value


def found_turns(shared: Ints) -> list[int]:
    """Return the turns of the best solution found."""
    turns: list[int] = shared[FOUND_TURNS:][: shared[FOUND_LENGTH]].tolist()
    return turns
