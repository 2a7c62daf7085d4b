"""The search in the metrics of axial turns, measured by moves or by a rig's time."""

import importlib
import statistics
from dataclasses import replace

import numpy as np

from cube.moves import FACES
from solver.cubies import conjugate_moves, symmetries
from solver.kernels import axial_slots, slots
from solver.search.axial_tables import AXIAL_TABLE_SETS, METRICS
from solver.search.axial_turns import class_turns, value_turns
from solver.search.objectives import TimeModel
from solver.search.turn_tables import TURN_TABLE_SET
from solver.search.two_phase import Engine, context_of
from solver.search.two_phase_tables import DEAD_FACE
from solver.tables import Progress, TableStore

# from which level of cost on premoves of so many turns pay, and the budget in ms that this needs
_SCHEDULES = {
    "axial": ((0, 1, 0.0), (6, 2, 3.0), (9, 3, 30.0)),
    "axial-qtm": ((0, 1, 0.0), (8, 2, 3.0), (11, 3, 5.0)),
    "qtm": ((0, 1, 0.0), (9, 2, 3.0), (12, 3, 30.0)),
    "htm": ((0, 1, 0.0), (9, 2, 0.0), (11, 3, 5.0)),
}
FIVE_FACE_SUFFIX = "-five"
_PER_MS = 1000  # times are counted in microseconds
_QUARTERS = 0.6  # share of the cost of a usual quick solution that quarter turns have


def load_axial(
    name: str,
    base: Engine | None,
    store: TableStore | None = None,
    progress: Progress | None = None,
) -> Engine:
    """The search in one metric (axial, axial-qtm, qtm), its tables built when missing.

    Args:
        name: Of the metric.
        base: The half-turn metric's search, whose tables are used, too; with five faces there is
            no need of it.
        store: Where the tables are kept.
        progress: Is told the share, 0 to 1, of the building done.

    Raises:
        TableError: The tables could not be built.
    """
    store, metric = store or TableStore(), METRICS[name]
    turns = store.obtain(TURN_TABLE_SET)
    obtained = store.obtain(AXIAL_TABLE_SETS[name], progress)
    shared = turns.arrays if base is None else base.arrays
    arrays = {name: array for name, array in shared.items() if name != "phase_two"}
    arrays |= obtained.arrays
    price = (metric.quarter, metric.half, metric.quarter)
    arrays |= {
        "axial_class_moves": class_turns(arrays["class_moves"]),
        "axial_twist_moves": value_turns(arrays["twist_moves"]).astype(np.uint16),
        "times": np.array(3 * 6 * price, dtype=np.int64),
    }
    context = context_of(arrays, axial_slots.AXIAL_CONTEXT_SIZE)
    for slot, array in (
        (slots.NEAR_FILTER, "near_filters"),
        (axial_slots.AXIAL_CLASS_MOVES, "axial_class_moves"),
        (axial_slots.AXIAL_TWIST_MOVES, "axial_twist_moves"),
        (axial_slots.AXIAL_FRAME_TURNS, "axial_frame_turns"),
        (axial_slots.AXIAL_RAW_TURNS, "axial_raw_turns"),
        (axial_slots.COSTS, "costs"),
        (axial_slots.CORNER_BOUNDS, "corner_bounds"),
        (axial_slots.TIMES, "times"),
    ):
        context[slot] = arrays[array].ctypes.data
    for slot, number in (
        (axial_slots.NEAR_RADIUS, metric.near),
        (axial_slots.GRADES, metric.grades),
        (axial_slots.QUARTER, metric.quarter),
        (axial_slots.TOGETHER, metric.together),
    ):
        context[slot] = number
    return Engine(
        arrays,
        context,
        importlib.import_module("solver.kernels.axial").search,
        _SCHEDULES[name.removesuffix(FIVE_FACE_SUFFIX)],
        metric.first_bound,
        metric.first_cap,
        lambda _word, _variant: [],  # the compiled search writes the premoves itself
        (turns, obtained),
    )


def without(engine: Engine, face: str) -> Engine:
    """A five-face engine (made for a cube whose face B does not turn) for any dead face.

    The cube is looked at from where the dead face is behind. Of the three axes, phase one keeps
    the two that have both their faces.
    """
    turns, inside = conjugate_moves(), 3 * FACES.index(DEAD_FACE)
    faces = turns[::2, 3 * FACES.index(face)] // 3  # of the rotations; the others mirror
    symmetry = 2 * int(np.flatnonzero(faces == FACES.index(DEAD_FACE))[0])
    keeping = np.flatnonzero(turns[::2, inside] == inside)
    aside = 2 * int(keeping[turns[2 * keeping, 0] // 3 % 3 != 0][0])
    rotation = symmetries()[aside]
    rotations = engine.arrays["rotations"].copy()
    rotations[2:4] = rotation.row(), rotation.inverse().row()
    axis_turns = turns[[0, aside, 0]][:, turns[symmetry]].astype(np.uint8)
    context = engine.context.copy()
    context[slots.ROTATIONS] = rotations.ctypes.data
    arrays = {**engine.arrays, "axis_turns": axis_turns, "rotations": rotations}
    return replace(
        engine, arrays=arrays, context=context, symmetry=symmetry, directions=(0, 1, 3, 4)
    )


def timed_by(engine: Engine, name: str, model: TimeModel) -> Engine:
    """An axial engine that measures its solutions by a rig's time, in microseconds.

    What one unit of the metric's cost takes is guessed first, as in a usual solution: that bounds
    the search better than the least it can take. Should the search come to its end, it is done
    once more with the least, which makes sure that nothing is quicker. Where turns overlap, each is
    taken for one that the next overlaps: of pairs, which are not, that is too little.
    """
    metric = METRICS[name]
    gap = round(model.gap_ms * _PER_MS)
    quarters = [round(time_ms * _PER_MS) for time_ms in model.least_quarter_ms]
    halves = [round(time_ms * _PER_MS) for time_ms in model.least_half_ms]
    pairs = zip(quarters, halves, strict=True)
    single = np.array([time for q, h in pairs for time in (q, h, q)], dtype=np.int64)
    raw_turns = np.argsort(engine.arrays["axis_turns"], axis=1)
    times = np.ascontiguousarray(single[raw_turns])
    least = min((min(quarters) + gap) // metric.quarter, (min(halves) + gap) // metric.half)
    slowest = max((max(quarters) + gap) // metric.quarter, (max(halves) + gap) // metric.half)
    usual = round(
        _QUARTERS * (statistics.median(quarters) + gap) / metric.quarter
        + (1 - _QUARTERS) * (statistics.median(halves) + gap) / metric.half
    )
    context = engine.context.copy()
    context[axial_slots.TIMES] = times.ctypes.data
    context[axial_slots.GAP] = gap
    return replace(
        engine,
        arrays={**engine.arrays, "times": times},
        context=context,
        units=(max(usual, least), least),
        first_bound=engine.first_bound * max(slowest, least * 6 // 5),
    )
