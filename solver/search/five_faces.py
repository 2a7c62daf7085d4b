"""A cube one of whose faces does not turn.

The tables are made for one dead face; for any other one the cube is looked at from elsewhere.
"""

from dataclasses import replace

import numpy as np

from cube.moves import FACES
from solver.cubies import conjugate_moves, symmetries
from solver.kernels import slots
from solver.search.engine import Engine
from solver.search.tables.axial_turns import turns_themselves
from solver.search.tables.symmetry_coordinates import DEAD_FACE


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
    if "itself" in arrays:
        arrays["itself"] = turns_themselves(axis_turns)
        context[slots.ITSELF] = arrays["itself"].ctypes.data
    return replace(
        engine, arrays=arrays, context=context, symmetry=symmetry, directions=(0, 1, 3, 4)
    )
