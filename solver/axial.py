"""The search in the metrics of axial turns, measured by moves or by a rig's time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cube.moves import FACES
from solver.axial_tables import AXIAL_TABLE_SETS, METRICS
from solver.axial_turns import class_turns, value_turns
from solver.cubies import conjugate_moves
from solver.objectives import TimeModel
from solver.tables import Progress, TableStore
from solver.two_phase import Engine

# from which level of cost on premoves of so many turns pay, and the budget in ms that this needs
_SCHEDULES = {
    "axial": ((0, 1, 0.0), (6, 2, 3.0), (9, 3, 30.0)),
    "axial-qtm": ((0, 1, 0.0), (8, 2, 3.0), (11, 3, 5.0)),
    "timed": ((0, 1, 0.0), (16, 2, 3.0), (20, 3, 30.0)),
    "qtm": ((0, 1, 0.0), (9, 2, 3.0), (12, 3, 30.0)),
    "htm": ((0, 1, 0.0), (9, 2, 0.0), (11, 3, 5.0)),
}
FIVE_FACE_SUFFIX = "-five"
_PER_MS = 1000  # times are counted in microseconds


def load_axial(
    name: str, base: Engine, store: TableStore | None = None, progress: Progress | None = None
) -> Engine:
    """The search in one metric (axial, axial-qtm, timed, qtm), its tables built when missing.

    Args:
        name: Of the metric.
        base: The half-turn metric's search, whose tables are used, too.
        store: Where the tables are kept.
        progress: Is told the share, 0 to 1, of the building done.

    Raises:
        TableError: The tables could not be built.
    """
    from solver.kernels import axial as kernel  # noqa: PLC0415 - numba loads when needed
    from solver.kernels import two_phase as slots  # noqa: PLC0415

    metric = METRICS[name]
    obtained = (store or TableStore()).obtain(AXIAL_TABLE_SETS[name], progress)
    class_moves = obtained.arrays.get("class_moves", base.arrays["class_moves"])
    price = (metric.quarter, metric.half, metric.quarter)
    arrays = {
        **base.arrays,
        **obtained.arrays,
        "axial_class_moves": class_turns(class_moves),
        "axial_twist_moves": value_turns(base.arrays["twist_moves"]).astype(np.uint16),
        "times": np.array(3 * 6 * price, dtype=np.int64),
    }
    context = np.zeros(kernel.AXIAL_CONTEXT_SIZE, dtype=np.int64)
    context[: len(base.context)] = base.context
    for slot, array in (
        (slots.PHASE_ONE, "phase_one"),
        (slots.NEAR_FILTER, "near_filters"),
        (slots.NEAREST_FILTER, "nearest_filter"),
        (slots.NEAR_KEYS, "near_keys"),
        (slots.NEAR_VALUES, "near_values"),
        (slots.ENDINGS, "endings"),
        (slots.CORNER_SLICE_DISTANCES, "corner_slice_distances"),
        (slots.FLIP_SLICES, "flip_slices"),
        (slots.PREMOVE_ROWS, "premove_rows"),
        (slots.PREMOVES, "premoves"),
        (kernel.AXIAL_CLASS_MOVES, "axial_class_moves"),
        (kernel.AXIAL_TWIST_MOVES, "axial_twist_moves"),
        (kernel.AXIAL_FRAME_TURNS, "frame_turns"),
        (kernel.AXIAL_RAW_TURNS, "raw_turns"),
        (kernel.AXIAL_CORNER_CLASSES, "corner_classes"),
        (kernel.COSTS, "costs"),
        (kernel.CORNER_BOUNDS, "corner_bounds"),
        (kernel.PAIRS, "pairs"),
        (kernel.TIMES, "times"),
    ):
        context[slot] = arrays[array].ctypes.data
    if metric.five:
        context[kernel.FAR_PAIRS] = arrays["far_pairs"].ctypes.data
    for slot, number in (
        (kernel.PAIR_RADIUS, metric.pairs),
        (kernel.NEAR_RADIUS, metric.near),
        (kernel.GRADES, metric.grades),
        (kernel.QUARTER, metric.quarter),
        (kernel.TOGETHER, metric.together),
    ):
        context[slot] = number
    return Engine(
        arrays,
        context,
        kernel.search,
        _SCHEDULES[name.removesuffix(FIVE_FACE_SUFFIX)],
        metric.first_bound,
        metric.first_cap,
        lambda _word, _variant: [],  # the compiled search writes the premoves itself
        obtained,
    )


def without(engine: Engine, face: str) -> Engine:
    """A five-face engine (made for a cube whose face D does not turn) for any dead face.

    The cube is looked at from where the dead face is below.
    """
    turns = conjugate_moves()
    places = turns[::2, 3 * FACES.index(face)] // 3 == FACES.index("D")
    symmetry = 2 * int(np.flatnonzero(places)[0])
    axis_turns = np.repeat(turns[symmetry][None], 3, axis=0).astype(np.uint8)
    arrays = {**engine.arrays, "axis_turns": axis_turns}
    return replace(engine, arrays=arrays, symmetry=symmetry, directions=(0, 3))


def timed_by(engine: Engine, name: str, model: TimeModel) -> Engine:
    """An axial engine that measures its solutions by a rig's time, in microseconds.

    No axial turn of a metric's cost takes less than that cost times the engine's unit, so the
    metric's distances bound the time.
    """
    from solver.kernels import axial as kernel  # noqa: PLC0415 - numba loads when needed
    from solver.kernels import two_phase as slots  # noqa: PLC0415

    metric = METRICS[name]
    gap = round(model.gap_ms * _PER_MS)
    quarters = [round(time_ms * _PER_MS) for time_ms in model.quarter_ms]
    halves = [round(time_ms * _PER_MS) for time_ms in model.half_ms]
    pairs = zip(quarters, halves, strict=True)
    single = np.array([time for q, h in pairs for time in (q, h, q)], dtype=np.int64)
    raw_turns = np.argsort(engine.arrays["axis_turns"], axis=1)
    times = np.ascontiguousarray(single[raw_turns])
    unit = min((min(quarters) + gap) // metric.quarter, (min(halves) + gap) // metric.half)
    slowest = max((max(quarters) + gap) // metric.quarter, (max(halves) + gap) // metric.half)
    context = engine.context.copy()
    context[kernel.TIMES] = times.ctypes.data
    context[kernel.GAP] = gap
    context[slots.UNIT] = unit
    return replace(
        engine,
        arrays={**engine.arrays, "times": times},
        context=context,
        first_bound=engine.first_bound * max(slowest, unit * 6 // 5),
    )
