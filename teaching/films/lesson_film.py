"""Films of the 3×3×3: a method's lesson, or several methods on one cube."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cube.moves import MoveSequence
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.state import SOLVED, CubeState, move_state
from puzzles.kinds.cube_pieces import cube_arrangement
from puzzles.kinds.cubes import face_cube
from solver.stages.chain import TABLE_CHAIN, Chain
from teaching.films.figures import figure_of
from teaching.films.film import Chapter, Film, FilmFrame, FilmLane, StickerLook
from teaching.films.gauges import (
    CUBE_GAUGES,
    chain_text,
    cube_laws,
    cube_levels,
    told_chain,
)
from teaching.methods.method import Walk

Scheme = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Failure:
    """A method that did not solve a cube.

    Attributes:
        method: Its name.
        state: The cube.
        problem: Why.
    """

    method: str
    state: CubeState
    problem: str


def lesson_film(walk: Walk, title: str, subtitle: str = "", scheme: Scheme | None = None) -> Film:
    """A method's steps on one cube.

    Args:
        walk: The solve.
        title: What stands above.
        subtitle: What stands below that.
        scheme: The colour of each face; the usual ones by default.
    """
    return Film(title, subtitle, (walked(walk, scheme),))


def duel_film(attempts: Sequence[Walk | Failure], title: str, subtitle: str) -> Film:
    """Several methods on one cube, on one clock.

    What has no stages of a chain is counted in the orientation of the first that has.
    """
    walks = [each for each in attempts if isinstance(each, Walk)]
    chains = [chain for walk in walks if (chain := told_chain(walk)) is not None]
    chain = chains[0] if chains else TABLE_CHAIN
    lanes = (
        walked(each, None, chain) if isinstance(each, Walk) else _failed(each, chain)
        for each in attempts
    )
    return Film(title, subtitle, tuple(lanes))


def walked(walk: Walk, scheme: Scheme | None = None, chain: Chain = TABLE_CHAIN) -> FilmLane:
    """A solve as a lane of a film; a step without turns is a chapter without frames of its own.

    Args:
        walk: The solve.
        scheme: The colour of each face; the usual ones by default.
        chain: How angles are told where the steps are no stages of a chain.
    """
    chain, turned = told_chain(walk) or chain, 0
    chapters = []
    for step in walk.steps:
        turned += len(step.moves)
        chapters.append(Chapter(step.name, step.caption, step.settles, turned))
    moves = MoveSequence.of(move for step in walk.steps for move in step.moves)
    return FilmLane(
        walk.method,
        figure_of(face_cube()),
        CUBE_GAUGES,
        cube_laws(walk.state, SOLVED),
        tuple(_frames(walk.state, moves, chain, scheme or WESTERN_SCHEME)),
        tuple(chapters),
        _verdict(len(moves), len(walk.moves)),
        _legend(scheme or WESTERN_SCHEME),
        chain_text(chain),
    )


def _failed(failure: Failure, chain: Chain) -> FilmLane:
    """The lane of a method that does not solve the cube: one frame, and why."""
    state = failure.state
    return FilmLane(
        failure.method,
        figure_of(face_cube()),
        CUBE_GAUGES,
        cube_laws(state, SOLVED),
        tuple(_frames(state, MoveSequence(), chain, WESTERN_SCHEME)),
        (),
        failure.problem,
        _legend(WESTERN_SCHEME),
        chain_text(chain),
    )


def _frames(
    state: CubeState, moves: MoveSequence, chain: Chain, scheme: Scheme
) -> Iterator[FilmFrame]:
    yield FilmFrame("", _looks(state, scheme), frozenset(), cube_levels(state, chain))
    for move in moves:
        state = state.apply(MoveSequence((move,)))
        carried = np.flatnonzero(cube_arrangement(move_state(move)) != np.arange(54))
        moved = frozenset(map(int, carried))
        yield FilmFrame(str(move), _looks(state, scheme), moved, cube_levels(state, chain))


def _looks(state: CubeState, scheme: Scheme) -> dict[int, StickerLook]:
    letters = state.to_facelets().text
    return {slot: _look(letter, scheme) for slot, letter in enumerate(letters)}


def _look(letter: str, scheme: Scheme) -> StickerLook:
    return StickerLook(SCREEN_COLOURS[scheme[letter]], letter)


def _legend(scheme: Scheme) -> tuple[tuple[StickerLook, str], ...]:
    return tuple((_look(face, scheme), scheme[face]) for face in "URFDLB")


def _verdict(turns: int, merged: int) -> str:
    """How many turns it took; fewer where the last turn of a stage and the next one merge."""
    told = f"solved in {turns} turns"
    return told if merged == turns else f"{told}, {merged} where turns of two stages are merged"
