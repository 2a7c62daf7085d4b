"""A rig program: what turns when, in seconds."""

from dataclasses import dataclass

from cube.moves import Move, MoveSequence


@dataclass(frozen=True, slots=True)
class FaceTurn:
    """One face's part in a step.

    Attributes:
        face: One of URFDLB.
        channel: The board's motor output.
        quarter_turns: -1, 1 or 2, clockwise positive.
    """

    face: str
    channel: int
    quarter_turns: int

    @property
    def move(self) -> Move:
        """The move that this turn makes."""
        return Move(self.face, self.quarter_turns % 4)


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """One face, or two opposite faces together.

    Attributes:
        turns: One or two turns.
        start_s: When it begins, from the beginning of the program.
        duration_s: Until the slower of its faces rests.
        overlap_steps: Step pulses before the end of the step before at which this one begins; 0 for
            after it.
    """

    turns: tuple[FaceTurn, ...]
    start_s: float
    duration_s: float
    overlap_steps: int = 0

    def __post_init__(self) -> None:
        if len(self.turns) not in (1, 2):
            raise ValueError(f"a step turns one face or two, not {len(self.turns)}")

    @property
    def moves(self) -> MoveSequence:
        """The moves that this step makes."""
        return MoveSequence(tuple(turn.move for turn in self.turns))

    @property
    def end_s(self) -> float:
        """When it ends, from the beginning of the program."""
        return self.start_s + self.duration_s


@dataclass(frozen=True, slots=True)
class RigProgram:
    """Steps in the order in which they are turned."""

    steps: tuple[ProgramStep, ...]

    @property
    def time_s(self) -> float:
        """Modelled time from the first step pulse to rest."""
        return self.steps[-1].end_s if self.steps else 0.0

    @property
    def moves(self) -> MoveSequence:
        """All moves of the program."""
        return self.moves_of(len(self.steps))

    def moves_of(self, steps: int) -> MoveSequence:
        """Return the moves that the first steps make."""
        return MoveSequence(tuple(move for step in self.steps[:steps] for move in step.moves))
