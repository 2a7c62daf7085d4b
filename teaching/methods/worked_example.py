"""S2's worked example: one scramble, solved in five stages by 37 turns."""

from collections.abc import Iterator
from dataclasses import dataclass

from cube.moves import FACES, MoveSequence
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.stages.solution import FIVE_STAGE_NAMES
from solver.stages.subgroup_chain import S2_CHAIN
from teaching.methods.chain.stage_invariants import invariants
from teaching.methods.chain.stage_words import axis_faces, told
from teaching.methods.method import MethodStep, misplaced
from teaching.wording import Wording
from thistlebot.words.words import DEFAULT, load_words

SCRAMBLE = "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'"
STAGES = (
    "B R' D' L' U'",
    "B' D2 R' F' L' F' R' B'",
    "R2 B2 R D2 R'",
    "B2 R' B2 D2 B2 U2 D2 L'",
    "R2 U2 R2 U2 R2 F2 D2 F2 R2 B2 D2",
)
DROPPED = (0, 1, 2, 2, 3)
"""Number of pairs of faces that only make half turns in each stage."""


@dataclass(frozen=True, slots=True)
class StageGoal:
    """One value that a stage must reduce to zero, counted on the cube."""

    text: Wording
    before: int
    after: int


def goals(stage: int, before: CubeState, after: CubeState) -> tuple[StageGoal, ...]:
    """Return the goals of a stage of S2's five (0 to 4), counted before and after it.

    The counts are S3's invariants, for the cube as S2 holds it: U and D lose their quarter turns
    first, then F and B, then L and R.
    """
    pairs = zip(_counts(stage, before), _counts(stage, after), strict=True)
    return tuple(StageGoal(text, count, left) for (text, count), (_, left) in pairs)


def _counts(stage: int, state: CubeState) -> tuple[tuple[Wording, int], ...]:
    found, middle = invariants(state, S2_CHAIN), axis_faces(S2_CHAIN.axes[2])
    left = (
        {"flipped": len(found.flipped)},
        {"twisted": len(found.twisted), "middle": len(found.outside_middle)},
        {"tetrads": len(found.outside_tetrads), "delta": found.axes_moved},
        {"slices": len(found.outside_slices)},
        {"home": len(misplaced(state))},
    )[stage]
    return tuple((Wording(f"method.goal_{key}", middle), count) for key, count in left.items())


def may_turn(stage: int) -> tuple[str, ...]:
    """Return the faces that a stage may turn, with a 2 for those that only make half turns."""
    dropped = S2_CHAIN.axes[: DROPPED[stage]]
    halved = [face for axis in dropped for face in axis_faces(axis).values()]
    return tuple(face + "2" * (face in halved) for face in FACES)


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """The example as a method, which solves the cube of its scramble only."""

    scramble: str = SCRAMBLE
    stages: tuple[str, ...] = STAGES
    name: str = "five-stages"

    @property
    def state(self) -> CubeState:
        """Return the scrambled cube."""
        return SOLVED.apply(MoveSequence.parse(self.scramble))

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """Return the stages, each checked against its goal.

        Raises:
            SolverError: A stage misses its goal, as for any other cube, or makes a forbidden turn.
        """
        for number, stage in enumerate(self.stages):
            moves = MoveSequence.parse(stage)
            after = state.apply(moves)
            _require(number, moves, goals(number, state, after))
            yield told(FIVE_STAGE_NAMES[number], (number,), state, moves, S2_CHAIN)
            state = after


def _require(stage: int, moves: MoveSequence, wanted: tuple[StageGoal, ...]) -> None:
    """Check a stage against its allowed turns and its goal."""
    where = f"stage {stage + 1} of S2's example, {moves},"
    for move in moves:
        if not S2_CHAIN.allows(move, DROPPED[stage]):
            raise SolverError(f"{where} may not turn {move}: compare it with the source")
    for goal in wanted:
        if goal.after:
            raise SolverError(
                f"{where} leaves {goal.after} {goal.text.text(load_words(DEFAULT))}: compare it "
                "with the source"
            )
