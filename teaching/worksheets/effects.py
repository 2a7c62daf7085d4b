"""The effect of a learner's word on the cube, counted, to explain why it is wrong."""

from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass

from cube.laws import permutation_parity
from cube.state import CubeState
from puzzles.algebra.positions import S1Position
from teaching.puzzles_as_typed import Word
from teaching.wording import Wording

Judge = Callable[[Word], Wording | None]
"""Returns why a word is wrong; None if it is right."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Numbers of pieces that a word moves.

    Attributes:
        corners: Corners that are in another place.
        twisted: Corners that are twisted where they are.
        edges: Edges that are in another place.
        flipped: Edges that are flipped where they are.
    """

    corners: int = 0
    twisted: int = 0
    edges: int = 0
    flipped: int = 0

    @classmethod
    def of(cls, state: CubeState) -> "Effect":
        """Return the effect of a word that makes a state."""
        return cls(
            *_moved(state.corner_permutation, state.corner_orientation),
            *_moved(state.edge_permutation, state.edge_orientation),
        )

    def said(self) -> Wording:
        """Return the counts as a sentence."""
        return Wording("lesson.effect", asdict(self))


def only(wanted: Effect) -> Judge:
    """Return a judge for words that do this and nothing else."""

    def judge(word: Word) -> Wording | None:
        assert word.cube is not None
        found = Effect.of(word.cube)
        if found == wanted:
            return None
        if not any(astuple(found)):
            return Wording("lesson.nothing")
        return Wording("lesson.other_effect", {"found": found.said(), "wanted": wanted.said()})

    return judge


def making(state: CubeState, key: str) -> Judge:
    """Return a judge for words that make a state; for others, a text tells the distance from it.

    Args:
        state: The state.
        key: Key of the text; its value ``left`` is the sentence of `Effect.said`.
    """

    def judge(word: Word) -> Wording | None:
        assert word.cube is not None
        if word.cube == state:
            return None
        left = Effect.of(word.cube.inverse() * state)
        return Wording(key, {"left": left.said()})

    return judge


def flipped_edges(state: CubeState) -> dict[str, int]:
    """Return how many edges are flipped: by the marks of S1 and S3, and by marks on U and D."""
    return {
        "sources": sum(index < 0 for index in S1Position.of(state).edge_indices),
        "up": sum(state.edge_orientation),
    }


def invariants_said(state: CubeState) -> tuple[Wording, ...]:
    """Return the sums A and B, the signs, and the flipped edges by two choices of marks."""
    signs = [
        1 - 2 * permutation_parity(places)
        for places in (state.corner_permutation, state.edge_permutation)
    ]
    corners, edges, product = (f"{sign:+d}" for sign in (*signs, signs[0] * signs[1]))
    return (
        Wording("lesson.sum_a", {"value": 120 * sum(state.corner_orientation) % 360}),
        Wording("lesson.sum_b", {"value": 180 * sum(state.edge_orientation) % 360}),
        Wording("lesson.epsilon", {"corners": corners, "edges": edges, "epsilon": product}),
        Wording("lesson.flips", flipped_edges(state)),
    )


def _moved(places: tuple[int, ...], turned: tuple[int, ...]) -> tuple[int, int]:
    """Return how many pieces are in another place, and how many twisted in their own."""
    away = sum(piece != place for place, piece in enumerate(places))
    both = zip(enumerate(places), turned, strict=True)
    return away, sum(piece == place and turn != 0 for (place, piece), turn in both)
