"""Searches that end at a level instead of a time, so that their answers are the same anywhere."""

from dataclasses import replace

import numpy as np

from solver.search.objectives import SearchTables


def up_to_level(tables: SearchTables, level: int) -> SearchTables:
    """Tables whose searches have nothing left to look at from this level of phase one on."""
    engine = tables.engine
    assert engine is not None
    counts = engine.arrays["premove_counts"]
    before = tuple(entry for entry in engine.search.schedule if entry[0] < level)
    schedule = (*before, (level, len(counts), 0.0))
    cut = replace(
        engine,
        arrays={**engine.arrays, "premove_counts": np.append(counts, 0)},
        search=replace(engine.search, schedule=schedule),
    )
    return SearchTables(tables.stages, cut)
