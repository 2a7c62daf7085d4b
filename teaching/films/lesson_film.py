"""Films of lessons: a method on one 3×3×3 cube.

S3's invariants of a cube are its gauges: what Thistlethwaite's restrictions reduce to zero one by
one. They are counted alike for every method: one reduces them one after the other, another all at
the end.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from cube.laws import orbit_of
from cube.moves import MoveSequence
from cube.net import WESTERN_SCHEME, screen_colour
from cube.state import SOLVED, CubeState, move_state
from puzzles.kinds.cubes import cube_arrangement, face_cube
from solver.stages.subgroup_chain import TABLE_CHAIN, Chain
from teaching.films.figures import figure_of
from teaching.films.film import Chapter, Film, FilmFrame, FilmGauge, Kept, Level, StickerLook
from teaching.methods.chain.stage_invariants import invariants
from teaching.methods.chain.stage_words import axis_faces
from teaching.methods.method import Walk, misplaced
from teaching.wording import Wording, colour_word
from thistlebot.words.words import Words

_GAUGES = (
    ("Φ1", "flipped", 12),
    ("Φ2", "twisted", 8),
    ("Φ2", "outside_middle", 4),
    ("Φ3", "outside_tetrads", 8),
    ("Φ3", "delta", 3),
    ("Φ3", "outside_slices", 12),
    ("", "unsolved", 20),
)


def cube_gauges(words: Words) -> tuple[FilmGauge, ...]:
    """Return the gauges of a cube."""
    return tuple(
        FilmGauge(mark or words("film.home"), words(f"film.{key}"), most)
        for mark, key, most in _GAUGES
    )


def cube_levels(state: CubeState, chain: Chain, words: Words) -> tuple[Level, ...]:
    """Return the values of `cube_gauges` for a cube, in the orientation of a chain."""
    found = invariants(state, chain)
    return (
        *map(_counted, (found.flipped, found.twisted, found.outside_middle, found.outside_tetrads)),
        Level(found.axes_moved, " ".join(found.delta) or words("film.no_delta")),
        *map(_counted, (found.outside_slices, misplaced(state))),
    )


def _counted(pieces: tuple[str, ...]) -> Level:
    return Level(len(pieces), str(len(pieces)))


def cube_laws(state: CubeState) -> tuple[Level, ...]:
    """Return S3's sums A and B and the product of the signs, ε; each is 0 for a solvable cube."""
    orbit = orbit_of(state)
    return (
        Level(orbit.corner_twist, f"{120 * orbit.corner_twist}°"),
        Level(orbit.edge_flip, f"{180 * orbit.edge_flip}°"),
        Level(orbit.parity, f"{1 - 2 * orbit.parity:+d}"),
    )


def _kept(state: CubeState, words: Words) -> Iterator[Kept]:
    """Yield the laws, which all steps of a lesson keep."""
    laws = zip(("law_a", "law_b", "law_signs"), cube_laws(state), cube_laws(SOLVED), strict=True)
    for key, here, there in laws:
        yield Kept(words(f"film.{key}"), here.said, there.said)


def chain_text(chain: Chain, words: Words) -> str:
    """Return how to read the gauges."""
    first, second, third = (Wording("method.and", axis_faces(axis)) for axis in chain.axes)
    return Wording("film.chain", {"first": first, "second": second, "third": third}).text(words)


Scheme = Mapping[str, str]


def lesson_film(
    walk: Walk, words: Words, title: str, subtitle: str = "", scheme: Scheme | None = None
) -> Film:
    """Return a method's steps on one cube, without a scheme in the usual colours.

    A step without turns is a chapter without its own frames. The angles are those of the method's
    chain; if its steps are not stages of one, of the tables' chain.
    """
    chain, scheme, turned = walk.chain or TABLE_CHAIN, scheme or WESTERN_SCHEME, 0
    chapters = []
    for step in walk.steps:
        turned += len(step.moves)
        told = step.caption.text(words), step.settles.text(words)
        chapters.append(Chapter(step.title(words), *told, turned))
    moves = MoveSequence.of(move for step in walk.steps for move in step.moves)
    return Film(
        title,
        subtitle,
        walk.method,
        figure_of(face_cube()),
        cube_gauges(words),
        tuple(_kept(walk.state, words)),
        tuple(_frames(walk.state, moves, chain, scheme, words)),
        tuple(chapters),
        _verdict(len(moves), len(walk.moves)).text(words),
        words,
        _legend(scheme, words),
        chain_text(chain, words),
    )


def _frames(
    state: CubeState, moves: MoveSequence, chain: Chain, scheme: Scheme, words: Words
) -> Iterator[FilmFrame]:
    yield FilmFrame("", _looks(state, scheme), frozenset(), cube_levels(state, chain, words))
    for move in moves:
        state = state.apply(MoveSequence((move,)))
        carried = np.flatnonzero(cube_arrangement(move_state(move)) != np.arange(54))
        moved = frozenset(map(int, carried))
        yield FilmFrame(str(move), _looks(state, scheme), moved, cube_levels(state, chain, words))


def _looks(state: CubeState, scheme: Scheme) -> dict[int, StickerLook]:
    letters = state.to_facelets().text
    return {slot: _look(letter, scheme) for slot, letter in enumerate(letters)}


def _look(letter: str, scheme: Scheme) -> StickerLook:
    return StickerLook(screen_colour(letter, scheme), letter)


def _legend(scheme: Scheme, words: Words) -> tuple[tuple[StickerLook, str], ...]:
    return tuple((_look(face, scheme), colour_word(scheme[face], words)) for face in "URFDLB")


def _verdict(turns: int, merged: int) -> Wording:
    """Return the number of turns; fewer if the last turn of a stage and the next one merge."""
    key = "film.solved" if merged == turns else "film.solved_merged"
    return Wording(key, {"turns": turns, "merged": merged})
