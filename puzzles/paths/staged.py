"""Paths of a puzzle of many faces, by stages with fewer and fewer of them.

The first stage turns all faces and brings home the pieces that three neighbouring ones do not move.
The second turns these three and leaves what two of them can solve. Both are beams. Of all the words
that these find, the last stage takes those with the fewest turns and searches from both ends for
the one that two faces complete soonest.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.oriented import OrientedSolid
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import State
from puzzles.paths.chained import Peephole
from puzzles.paths.few_faces import FewFaces, few_faces
from puzzles.paths.frames import orbits_of
from puzzles.paths.stage_beam import StageBeam
from puzzles.paths.stages import FaceStage, StageTurns, stage_of
from puzzles.paths.way import TurnPath
from solver.tables import TableStore

STAGED = "dodecahedron"
STAGED_BYTES = 500_000_000
"""Memory for the tables, and for making them."""
_WIDTHS = (1.6, 8.0)
"""Number of states that go on in each stage, for each millisecond."""
_SLACK = 2
_VIEWS = 6
_LAST_VIEWS = 2
"""Number of views for which the first stage is tried, and those that go on."""
_WANTED = 2000
_LAST = 64


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """The puzzle as it looks after a rotation of the whole.

    Attributes:
        rotation: The rotation, as an arrangement.
        letters: For each turn the letter of the one that does the same to the rotated puzzle.
    """

    rotation: Arrangement
    letters: tuple[int, ...]

    def seen(self, arrangement: Arrangement) -> Arrangement:
        """Return an arrangement as it looks then."""
        seen: Arrangement = np.argsort(self.rotation)[arrangement[self.rotation]]
        return seen

    def told(self, word: Word) -> Word:
        """Return the word that has on the puzzle the effect of this one in the view."""
        return tuple(self.letters.index(letter) for letter in word)


def views_of(rotations: Iterable[Arrangement], alphabet: Alphabet) -> tuple[PuzzleView, ...]:
    """Return the puzzle after rotations of the whole that its turns allow."""
    numbers = {letter.tobytes(): number for number, letter in enumerate(alphabet.letters)}
    found = []
    for rotation in rotations:
        undo = np.argsort(rotation)
        seen = [numbers.get(undo[letter[rotation]].tobytes(), -1) for letter in alphabet.letters]
        if min(seen) >= 0:
            found.append(PuzzleView(rotation, tuple(seen)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Staged:
    """What stages have reached in one view.

    Attributes:
        view: The view.
        start: The arrangement to solve, as it looks there.
        words: Words that end the stages so far, the shortest first.
    """

    view: PuzzleView
    start: Arrangement
    words: tuple[Word, ...]


@dataclass(frozen=True)
class StagedWays(Generic[State]):
    """Paths by stages.

    Attributes:
        analysis: The puzzle's analysis.
        alphabet: Its turns.
        views: The views in which it may begin.
        faces: The faces of the second stage; the first two of them are those of the last.
        store: The storage of tables.
        budget_ms: About the processor time of the two beams.
    """

    analysis: Analysis[State]
    alphabet: Alphabet
    views: tuple[PuzzleView, ...]
    faces: tuple[str, str, str]
    store: TableStore
    budget_ms: float

    @cached_property
    def _stages(self) -> tuple[FaceStage, FaceStage]:
        pieces = self.analysis.pieces
        layers = frozenset(str(turn.layer) for turn in self.alphabet.turns)
        chosen = (layers, frozenset(self.faces), frozenset(self.faces[:2]))
        turns = [StageTurns(self.alphabet, own) for own in chosen]
        one, two = (
            stage_of(orbits_of(pieces), own, after, self.store) for own, after in pairwise(turns)
        )
        return one, two

    @cached_property
    def _last(self) -> FewFaces:
        turns = StageTurns(self.alphabet, frozenset(self.faces[:2]))
        return few_faces(turns, orbits_of(self.analysis.pieces), self.store)

    @cached_property
    def _peephole(self) -> Peephole:
        return Peephole(self.alphabet)

    def between(self, one: State, other: State) -> TurnPath | None:
        """Return a path from one state to another, or None if none is found."""
        element = self.analysis.element(one, other)
        word = None if element is None else self.word(np.argsort(element))
        return None if word is None else self._peephole.path(word, "fewer faces")

    def word(self, start: Arrangement) -> Word | None:
        """Return a word that solves an arrangement, or None if none is found."""
        tried = [Staged(view, view.seen(start), ((),)) for view in self.views]
        for number, stage in enumerate(self._stages):
            width = max(100, int(_WIDTHS[number] * self.budget_ms / len(tried)))
            beam = StageBeam(stage, width, _SLACK)
            tried = [self._extended(one, stage, beam) for one in tried]
            tried = [one for one in tried if one.words]
            tried = sorted(tried, key=lambda one: len(one.words[0]))[:_LAST_VIEWS]
            if not tried:
                return None
        return self._completed(tried)

    def _after(self, start: Arrangement, word: Word) -> Arrangement:
        return start[self.alphabet.effect(word)]

    def _extended(self, one: Staged, stage: FaceStage, beam: StageBeam) -> Staged:
        """Return what one more stage reaches."""
        codes = np.stack([stage.start(self._after(one.start, word)) for word in one.words])
        return replace(one, words=tuple(beam.run(codes, one.words, _WANTED)))

    def _completed(self, tried: Sequence[Staged]) -> Word | None:
        """Return the shortest of some words and what two faces have to do then."""
        pairs = [(one, word) for one in tried for word in one.words]
        best = sorted(pairs, key=lambda pair: len(pair[1]))[:_LAST]
        starts = [self._after(one.start, word) for one, word in best]
        found = self._last.nearest(starts, [len(word) for _, word in best])
        if found is None:
            return None
        one, word = best[found[0]]
        return one.view.told((*word, *found[1:]))


def staged_ways(
    analysis: Analysis[Any], store: TableStore, budget_ms: float
) -> StagedWays[Any] | None:
    """Return the path finder of a Megaminx; None for other puzzles."""
    puzzle = analysis.puzzle
    if not isinstance(puzzle, OrientedSolid) or puzzle.solid.name != STAGED:
        return None
    alphabet = Alphabet(puzzle.turns, analysis.pieces.turns)
    corner = next(place for place in analysis.pieces.places if len(place.slots) == 3)
    one, two, three = (puzzle.pieces.colours[slot] for slot in corner.slots)
    pieces = analysis.pieces
    views = views_of((pieces.solved, *pieces.shape), alphabet)[:_VIEWS]
    return StagedWays(analysis, alphabet, views, (one, two, three), store, budget_ms)
