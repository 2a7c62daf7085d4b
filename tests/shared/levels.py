"""Searches that end at a level instead of a time, so that their answers are the same anywhere."""

from dataclasses import replace

import numpy as np

from solver.search.engine import Engine


def up_to_level(engine: Engine, level: int) -> Engine:
    """An engine whose searches have nothing left to look at from this level of phase one on."""
    counts = engine.arrays["premove_counts"]
    before = tuple(entry for entry in engine.search.schedule if entry[0] < level)
    return replace(
        engine,
        arrays={**engine.arrays, "premove_counts": np.append(counts, 0)},
        search=replace(engine.search, schedule=(*before, (level, len(counts), 0.0))),
    )
