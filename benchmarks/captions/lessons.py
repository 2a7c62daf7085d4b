"""Cubes for every method, what a lesson about each says, and what of that is false."""

from collections.abc import Iterator

import numpy as np

from benchmarks.captions.check import FalseCaption, check_walk
from benchmarks.captions.scene import Caption
from cube.held_moves import read_moves
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig
from teaching.lesson import Lesson, ToldStep
from teaching.methods.method import SolvingMethod

NEAR = {"backtracking": 3, "bidirectional": 5}
"""How many turns of faces and slices away the cubes of a method are at most."""


def cubes(name: str, count: int, seed: int) -> Iterator[CubeState]:
    """Cubes for a method, the same for the same seed."""
    rng = np.random.default_rng([seed, 19])
    turns = [layer + end for layer in "URFDLBMES" for end in ("", "2", "'")]
    for _ in range(count):
        if name in NEAR:
            number = int(rng.integers(1, NEAR[name] + 1))
            yield SOLVED.apply(read_moves(" ".join(rng.choice(turns, number))))
        else:
            yield random_state(rng)


def said(method: SolvingMethod, state: CubeState) -> list[Caption]:
    """What a lesson without a machine says."""
    told: list[ToldStep] = []
    Lesson(method, default_rig(), tell=told.append).run(state)
    return [
        Caption(
            each.step.name,
            each.step.caption,
            each.step.settles,
            str(each.step.moves),
            each.step.pieces,
            each.moving,
        )
        for each in told
    ]


def false_sentences(method: SolvingMethod, state: CubeState) -> tuple[int, list[FalseCaption]]:
    """How many steps a lesson about a cube has, and what is false in it."""
    steps = said(method, state)
    return len(steps), check_walk(state.to_facelets().text, steps)
