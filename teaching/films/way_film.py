"""Films of any puzzle: the path from one of its states to another, or a single state."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.pieces import Pieces
from puzzles.kinds.puzzle import PuzzleTurn
from teaching.films.figures import figure_of
from teaching.films.film import Chapter, Film, FilmFrame, FilmGauge, Kept, Level, StickerLook
from teaching.wording import kind_said, plural, shown
from thistlebot.words.words import Words

MOST_TURNS = 2000
"""Maximum length of a path; browsers play longer films badly, and nobody watches them whole."""
_LETTERS = {SCREEN_COLOURS[colour]: face for face, colour in WESTERN_SCHEME.items()}


def kept_of(analysis: Analysis[Any], here: Any, there: Any, words: Words) -> tuple[Kept, ...]:
    """Return the invariants of a puzzle in two states."""
    differing = {each.invariant.name: each for each in analysis.differences(here, there)}
    kept = []
    for invariant, value in zip(analysis.invariants, analysis.values(here), strict=True):
        other = differing[invariant.name].other if invariant.name in differing else value
        one, two = (shown(invariant.said(each), words) or "–" for each in (value, other))
        kept.append(Kept(shown(invariant.name, words), one, two))
    return tuple(kept)


def way_film(
    puzzle: AnyPuzzle,
    here: Any,
    turns: Sequence[PuzzleTurn],
    told: tuple[str, str, str],
    words: Words,
    *,
    kept: tuple[Kept, ...],
) -> Film:
    """Return a path, turn by turn.

    Args:
        puzzle: The puzzle.
        here: The start.
        turns: The path.
        told: Title, subtitle, and how the path was found.
        words: The texts of the language.
        kept: The invariants at both ends.
    """
    title, subtitle, found = told
    frames = tuple(_frames(puzzle, here, turns))
    there = plural("film.there", len(turns))
    verdict = there.text(words) if turns else words("puzzle.nothing")
    chapters = (Chapter(words("film.path"), found, "", len(turns)),) if turns else ()
    return _film(puzzle, (title, subtitle, verdict), frames, kept, words, chapters=chapters)


def still_film(
    puzzle: AnyPuzzle,
    state: Any,
    told: tuple[str, str, str],
    words: Words,
    kept: tuple[Kept, ...] = (),
) -> Film:
    """Return a single state; `told` are title, subtitle, and a message."""
    return _film(puzzle, told, tuple(_frames(puzzle, state, ())), kept, words)


def _film(
    puzzle: AnyPuzzle,
    told: tuple[str, str, str],
    frames: tuple[FilmFrame, ...],
    kept: tuple[Kept, ...],
    words: Words,
    *,
    chapters: tuple[Chapter, ...] = (),
) -> Film:
    title, subtitle, verdict = told
    gauges = _gauges(puzzle, words) if chapters else ()
    fills = {look.fill for look in frames[0].looks.values()}
    known = _LETTERS.items() if fills <= set(_LETTERS) else ()
    legend = tuple(
        (StickerLook(fill, face), words(f"cube.{WESTERN_SCHEME[face]}")) for fill, face in known
    )
    return Film(
        title,
        subtitle,
        puzzle.name,
        figure_of(puzzle),
        gauges,
        kept,
        frames,
        chapters,
        verdict,
        words,
        legend,
    )


def _groups(pieces: Pieces) -> dict[str, list[NDArray[np.int64]]]:
    """Return the slots of the pieces that are counted together; single pieces form a group.

    Each row of an array is a piece.
    """
    found: dict[str, list[NDArray[np.int64]]] = {}
    for kind in pieces.kinds:
        name = kind.name if len(kind.places) > 1 else pieces.places[kind.places[0]].kind
        found.setdefault(name, []).append(kind.slots)
    return found


def _gauges(puzzle: AnyPuzzle, words: Words) -> tuple[FilmGauge, ...]:
    return tuple(
        FilmGauge("", words("film.different", kind=kind_said(name, words)), sum(map(len, slots)))
        for name, slots in _groups(puzzle.pieces).items()
    )


def _frames(puzzle: AnyPuzzle, state: Any, turns: Sequence[PuzzleTurn]) -> Iterator[FilmFrame]:
    """Return the states of a path, with the pieces that differ in looks from its end counted."""
    pieces = puzzle.pieces
    colours = [np.array(pieces.looks(puzzle.arrangement(state)), dtype=object)]
    for turn in turns:
        colours.append(colours[-1][pieces.turns[turn.name]])
    groups = _groups(pieces).values()
    still = np.arange(len(colours[0]))
    names = ["", *(turn.name for turn in turns)]
    for number, name in enumerate(names):
        if number:
            state = puzzle.apply(state, turns[number - 1])
        moved = np.flatnonzero(pieces.turns[name] != still) if name else ()
        unlike = colours[number] != colours[-1]
        levels = tuple(_level(slots, unlike) for slots in groups) if turns else ()
        yield FilmFrame(name, _looks(puzzle, state), frozenset(map(int, moved)), levels)


def _level(groups: Sequence[NDArray[np.int64]], unlike: NDArray[np.bool_]) -> Level:
    count = sum(int(np.count_nonzero(unlike[slots].any(axis=1))) for slots in groups)
    return Level(count, str(count))


def _looks(puzzle: AnyPuzzle, state: Any) -> dict[int, StickerLook]:
    """Return the appearance in the drawing; for a cube with the letters of the faces."""
    shapes = puzzle.drawn(state).shapes
    return {
        slot: StickerLook(shape.fill, shape.label or _LETTERS.get(shape.fill, ""))
        for slot, shape in shapes.items()
    }
