"""Searches that end at a level instead of a time, so that their answers are the same anywhere."""

from dataclasses import replace

import numpy as np

from solver.search.engine import Engine
from solver.search.objectives import SearchTables


def up_to_level(tables: SearchTables, level: int) -> SearchTables:
    """Tables whose searches have nothing left to look at from this level of phase one on."""

    def cut(engine: Engine) -> Engine:
        counts = engine.arrays["premove_counts"]
        before = tuple(entry for entry in engine.tuning.schedule if entry[0] < level)
        return replace(
            engine,
            arrays={**engine.arrays, "premove_counts": np.append(counts, 0)},
            tuning=replace(engine.tuning, schedule=(*before, (level, len(counts), 0.0))),
        )

    engines = {name: cut(engine) for name, engine in tables.engines.items()}
    return SearchTables(tables.stages, engines)
