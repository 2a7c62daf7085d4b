"""Checks every caption of `learn` against the cube: run `python -m benchmarks.captions`.

Every method explains random cubes, as in `thistlebot learn`, and each sentence is checked on 54
stickers that are independent of the program's cube (`check`). Methods that only solve near cubes
get cubes a few turns of faces and slices away. The exit code is 1 if a sentence was false.

This module also contains the cubes for every method, the texts of a lesson about each, and the
false ones.
"""

import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

from benchmarks.captions.check import FalseCaption, check_walk
from benchmarks.captions.tasks import Caption
from benchmarks.report import Figure, Given, Report, Row, Rows, Whole, parser_of, run
from cube.held_moves import read_moves
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig
from solver.tables import TableStore
from teaching.lesson import Lesson, ToldStep
from teaching.methods.catalogue import ENTRIES, load_method
from teaching.methods.method import SolvingMethod
from thistlebot.config import Folders
from thistlebot.words.words import DEFAULT, load_words

NEAR = {"backtracking": 3, "bidirectional": 5}
"""Maximum distance of a method's cubes in turns of faces and slices."""
TOLD = [entry.name for entry in ENTRIES if entry.any_state or entry.name in NEAR]
"""The methods that solve any cube, and those that solve near ones."""


def cubes(name: str, count: int, seed: int) -> Iterator[CubeState]:
    """Return cubes for a method, reproducible by the seed."""
    rng = np.random.default_rng([seed, 19])
    turns = [layer + end for layer in "URFDLBMES" for end in ("", "2", "'")]
    for _ in range(count):
        if name in NEAR:
            number = int(rng.integers(1, NEAR[name] + 1))
            yield SOLVED.apply(read_moves(" ".join(rng.choice(turns, number))))
        else:
            yield random_state(rng)


def said(method: SolvingMethod, state: CubeState) -> list[Caption]:
    """Return the texts of a lesson without a machine."""
    told: list[ToldStep] = []
    english = load_words(DEFAULT)
    Lesson(method, default_rig(), tell=told.append).run(state)
    return [
        Caption(
            each.step.name,
            each.step.caption.text(english),
            each.step.settles.text(english),
            str(each.step.moves),
            each.step.pieces,
            each.moving,
        )
        for each in told
    ]


def false_sentences(method: SolvingMethod, state: CubeState) -> tuple[int, list[FalseCaption]]:
    """Return the number of steps of a lesson, and its false sentences."""
    steps = said(method, state)
    return len(steps), check_walk(state.to_facelets().text, steps)


class MethodRow(Row):
    """The captions of a method, the number of false ones, and the first of them."""

    method: str
    cubes: int
    steps: int
    false: int
    cpu_s: Whole
    first: str


def measure(given: Given, report: Report) -> Rows:
    """Explain, check and count."""
    store, wrong = TableStore(Folders.of_platform().cache / "tables"), 0
    for name in given.method or TOLD:
        method, steps, false = load_method(name, store), 0, Counter[str]()
        started, first = time.process_time(), ""
        told = cubes(name, given.states, given.seed)
        for state in report.track(told, name, given.states):
            count, mistakes = false_sentences(method, state)
            steps += count
            false.update({mistake.sentence for mistake in mistakes})
            if mistakes and not first:
                first = f"{state.to_facelets().text}, step {mistakes[0].step}"
        wrong += false.total()
        spent_s = time.process_time() - started
        common = dict(false.most_common(5))
        yield MethodRow(name, given.states, steps, false.total(), spent_s, first)
        yield from (Figure(f"{name}: {sentence}", times) for sentence, times in common.items())
    yield Figure.at_most("false captions", wrong, 0)


if __name__ == "__main__":
    parser = parser_of(__doc__, states=1000, seed=1)
    parser.add_argument("--method", action="append", choices=TOLD)
    run(parser, measure)
