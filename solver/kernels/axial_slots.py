"""What the compiled search in axial turns keeps in its context besides `solver.kernels.slots`."""

from solver.kernels.slots import CONTEXT_SIZE

(
    AXIAL_CLASS_MOVES,  # u32 [class, 45]
    AXIAL_TWIST_MOVES,  # u16 [2187, 45]
    AXIAL_FRAME_TURNS,  # u8 [16, 45]
    AXIAL_RAW_TURNS,  # u8 [16, 45]
    COSTS,  # u8 [45]
    CORNER_BOUNDS,  # u8 [3, 3, 40320]
    TIMES,  # i64 [3, 18]: what each single turn takes in the measure of the best solution,
    # by the axis that stands upright in the direction searched
    NEAR_RADIUS,
    GRADES,  # distance up to which phase one has grade 0
    QUARTER,  # cost of the cheapest turn
    GAP,  # what every axial turn takes besides
    TOGETHER,  # whether opposite faces take the longer of their times, or the sum
    COUNT,  # single turns of a finished path
    AXIAL_CONTEXT_SIZE,
) = range(CONTEXT_SIZE, CONTEXT_SIZE + 14)
AXIAL_TABLES = (
    *("axial_class_moves", "axial_twist_moves", "axial_frame_turns", "axial_raw_turns"),
    *("costs", "corner_bounds", "times"),
)
"""The names of the tables whose addresses stand in the first of these slots, in their order."""

NEAR_HASH_BITS = 19
TURNS, NO_AXIS = 45, 3
AXIAL_LEVELS = 64
