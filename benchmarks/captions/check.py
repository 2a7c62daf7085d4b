"""Checks captions of lessons against the stickers, sentence by sentence.

Every sentence of `learn` must match a pattern (`tasks`, `settled`) whose function checks it on the
stickers; a sentence without a match counts as false. Settled conditions must hold at the end of
their step and of every later one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from benchmarks.captions.facts import sets
from benchmarks.captions.sticker_cube import SOLVED, after, read
from benchmarks.captions.tasks import CLAUSES, LEFT, SENTENCES, Caption, Scene

SOLVED_ENDING, NOT_YET = ": the cube is solved", "not yet: "
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FalseCaption:
    """A false or unknown sentence: the number of its step, from 1."""

    step: int
    sentence: str


def _match(
    rules: dict[str, Callable[..., T]], text: str
) -> tuple[Callable[..., T], tuple[str, ...]] | None:
    """Return the rule of a sentence, and the groups of its match."""
    for pattern, rule in rules.items():
        if match := re.fullmatch(pattern, text):
            return rule, match.groups()
    return None


def check_caption(scene: Scene) -> list[str]:
    """Return the false sentences of a step's caption, and its pieces if they differ."""
    false, about = [], set[frozenset[str]]()
    for sentence in re.split(r"(?<=\.) ", scene.said.caption):
        found = _match(SENTENCES, sentence)
        true, theirs = found[0](scene, *found[1]) if found else (False, set())
        about |= theirs
        if not true:
            false.append(sentence)
    if about != sets(" ".join(scene.said.about)):
        false.append(f"about {' '.join(scene.said.about)}")
    if scene.moved != sets(" ".join(scene.said.moving)):
        false.append(f"move {' '.join(scene.said.moving)}")
    return false


def check_settled(scenes: list[Scene]) -> list[str]:
    """Return the settled conditions that do not hold at the end of a step, or of a later one."""
    first = scenes[0]
    text = first.said.settles
    if text.startswith(NOT_YET):
        match = re.fullmatch(
            r"still (?:out of place|twisted|flipped) are (.+)", text.removeprefix(NOT_YET)
        )
        true = match is not None and sets(match[1]) == LEFT[first.said.name](first)
        return [] if true else [text]
    false = []
    if (first.cube == SOLVED) != text.endswith(SOLVED_ENDING):
        false.append(text)
    for clause in text.removesuffix(SOLVED_ENDING).split("; "):
        found = _match(CLAUSES, clause)
        if found is None or not all(found[0](scene, *found[1]) for scene in scenes):
            false.append(clause)
    return false


def check_walk(facelets: str, steps: list[Caption]) -> list[FalseCaption]:
    """Return all false sentences of an explained solve."""
    cubes = [read(facelets)]
    for step in steps:
        cubes.append(after(cubes[-1], step.moves))
    mistakes = []
    if cubes[-1] != SOLVED:
        mistakes.append(FalseCaption(len(steps), "the steps do not solve the cube"))
    for number, step in enumerate(steps):
        later = tuple(move for each in steps[number + 1 :] for move in each.moves.split())
        scenes = [Scene(cubes[number], end, step, later) for end in cubes[number + 1 :]]
        false = check_caption(scenes[0]) + check_settled(scenes)
        mistakes += [FalseCaption(number + 1, sentence) for sentence in false]
    return mistakes
