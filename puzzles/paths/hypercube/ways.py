"""Paths of the 3×3×3×3 in three stages: one axis, its layers, and the cubes in these.

First, the stickers of one axis come to its two cells; each axis is tried. Then the pieces come to
their layers, and the layers are solved like 3×3×3 cubes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.hypercube import Hypercube
from puzzles.kinds.pieces import Arrangement, Pieces
from puzzles.kinds.puzzle import Stickers
from puzzles.paths.chained import WORK, ChainLink, Peephole, WordChain
from puzzles.paths.frames import LinkFrame, PieceOrbit, checks_of, framed_turns, orbits_of
from puzzles.paths.hypercube.layers import AXIS, ENDS, CellLayers
from puzzles.paths.hypercube.splitting import LayerStage, layer_stage
from puzzles.paths.hypercube.stacking import LayerSolver
from puzzles.paths.large.frames import BUDGET_MS
from puzzles.paths.macros import Recipe
from puzzles.paths.stage_beam import StageBeam
from puzzles.paths.staged import PuzzleView, views_of
from puzzles.paths.way import TurnPath
from solver.search.objectives import load_tables
from solver.tables import TableStore

_ORDER = 0, 2, 1
"""The orbits of the first stage: faces, corners, edges. Edges last have the shortest macros."""
_HERE = 1
"""The label of the stickers of the axis; all others have 0."""
_BETWEEN = 400
_ROUNDS = 3
"""Number of times that the first stage is tried, each time after another turn."""
_GROUP = 10
"""Number of words that start one beam of the second stage. More of them would lead to few states
that continue, all of which may have cubes that cannot be solved.
"""
_WIDTH, _LEAST_WIDTH = 4000, 1000
"""States that continue in these beams, for the usual time."""
_PATIENCE, _TRIES = 4, 500
_WANTED = 100
_SOLVED = 8
"""Number of split arrangements whose layers are solved, for the usual time."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """A word in one view, and the arrangement there.

    Attributes:
        view: The view.
        start: The arrangement before the word.
        word: The word.
        end: The arrangement after it.
    """

    view: PuzzleView
    start: Arrangement
    word: Word
    end: Arrangement


def axis_frames(
    pieces: Pieces, orbits: Sequence[PieceOrbit], cells: frozenset[str]
) -> list[LinkFrame]:
    """Return a frame for each orbit: its stickers of two cells come to these cells, in any order.

    Those of the orbits before stay there.

    Args:
        pieces: The puzzle's pieces.
        orbits: The orbits, in the order in which they are treated.
        cells: The two cells of the axis.
    """
    turns: list[Arrangement] = list(pieces.turns.values())
    inside = np.array([colour in cells for colour in pieces.colours])
    frames = []
    for number in range(len(orbits)):
        used = [orbit.slots.ravel() for orbit in orbits[number::-1]]
        wanted = [slots[inside[slots]] for slots in used]
        slots = np.concatenate([*wanted, *(slots[~inside[slots]] for slots in used)])
        zero = len(slots)  # a slot that no turn moves, with the label of the axis
        home = [(at, zero) for at in range(sum(map(len, wanted)))]
        own = len(wanted[0])
        frames.append(
            LinkFrame(
                slots,
                np.where(inside, _HERE, 0).astype(np.uint8),
                (),
                np.array([_HERE], np.uint8),
                framed_turns(turns, slots, (), 1),
                checks_of(home[:own], zero + 1),
                checks_of(home[own:], zero + 1),
            )
        )
    return frames


@dataclass(frozen=True)
class HypercubeWays:
    """Paths of the 3×3×3×3.

    Attributes:
        analysis: The puzzle's analysis.
        layers: Its layers.
        store: The storage of tables.
        share: The processor time, as a share of the usual one.
    """

    analysis: Analysis[Any]
    layers: CellLayers
    store: TableStore
    share: float

    @property
    def alphabet(self) -> Alphabet:
        """The puzzle's turns."""
        return self.layers.alphabet

    @cached_property
    def _views(self) -> tuple[PuzzleView, ...]:
        """Return a view for each axis that may be the first one."""
        return views_of(map(self.layers.rotation, range(AXIS + 1)), self.alphabet)

    @cached_property
    def _axis(self) -> WordChain:
        pieces = self.analysis.pieces
        orbits = [orbits_of(pieces)[number] for number in _ORDER]
        recipe = Recipe(words=40_000, inner=3000, setups=1, parted=8)
        links = [
            ChainLink(frame, recipe, self.alphabet, self.store, slack=3, work=WORK * self.share)
            for frame in axis_frames(pieces, orbits, frozenset(ENDS))
        ]
        return WordChain(tuple(links), _BETWEEN)

    @cached_property
    def _stage(self) -> LayerStage:
        return layer_stage(self.layers, self.store)

    @cached_property
    def _solver(self) -> LayerSolver:
        return LayerSolver(self.layers, load_tables(self.store))

    @cached_property
    def _peephole(self) -> Peephole:
        return Peephole(self.alphabet)

    def between(self, one: Stickers, other: Stickers) -> TurnPath | None:
        """Return a path from one state to another, or None if none is found."""
        element = self.analysis.element(one, other)
        word = None if element is None else self.word(np.argsort(element))
        return None if word is None else self._peephole.path(word, "layer by layer")

    def word(self, start: Arrangement) -> Word | None:
        """Return a word that solves an arrangement, or None if none is found."""
        count = max(1, round(_SOLVED * self.share))
        for splits in self._splits(start):
            found = [
                split.view.told((*split.word, *rest))
                for split in splits[:count]
                if (rest := self._solver.word(split.end)) is not None
            ]
            if found:
                return min(found, key=len)
        return None

    def _splits(self, start: Arrangement) -> Iterator[list[_Reached]]:
        """Yield words that bring all pieces to their layers, the shortest of a beam first."""
        letters = range(0, len(self.alphabet.letters), len(self.alphabet.letters) // _ROUNDS)
        for begun in [(), *((letter,) for letter in letters[1:_ROUNDS])]:
            groups = [group for view in self._views for group in self._grouped(view, start, begun)]
            for group in sorted(groups, key=lambda group: len(group[0].word)):
                if found := self._layered(group):
                    yield found

    def _reached(
        self, view: PuzzleView, start: Arrangement, words: Iterable[Word]
    ) -> list[_Reached]:
        return [_Reached(view, start, word, start[self.alphabet.effect(word)]) for word in words]

    def _grouped(self, view: PuzzleView, start: Arrangement, begun: Word) -> list[list[_Reached]]:
        """Return what ends the first stage in a view, the shortest words first, in groups."""
        seen = view.seen(start)
        words = self._axis.words(seen, _BETWEEN, [begun])
        found = [
            reached
            for reached in self._reached(view, seen, sorted(words, key=len))
            if self._stage.can_end(self._stage.start(reached.end))
        ]
        return [found[at : at + _GROUP] for at in range(0, len(found), _GROUP)]

    def _layered(self, group: Sequence[_Reached]) -> list[_Reached]:
        """Extend words so that the layers become cubes that can be solved."""
        if ready := [reached for reached in group if self.layers.solvable(reached.end)]:
            return ready
        view, start = group[0].view, group[0].start
        width = max(_LEAST_WIDTH, int(_WIDTH * self.share))
        beam = StageBeam(self._stage, width, patience=_PATIENCE, tries=_TRIES)
        words = beam.run(
            np.stack([self._stage.start(reached.end) for reached in group]),
            [reached.word for reached in group],
            _WANTED,
            lambda word: self.layers.solvable(start[self.alphabet.effect(word)]),
        )
        return self._reached(view, start, words)


def hypercube_ways(
    analysis: Analysis[Any], store: TableStore, budget_ms: float = BUDGET_MS
) -> HypercubeWays | None:
    """Return the path finder of a 3×3×3×3; None for other puzzles."""
    puzzle = analysis.puzzle
    if not isinstance(puzzle, Hypercube):
        return None
    layers = CellLayers(puzzle, Alphabet(puzzle.turns, analysis.pieces.turns))
    return HypercubeWays(analysis, layers, store, budget_ms / BUDGET_MS)
