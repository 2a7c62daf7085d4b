"""A rig program: which motors turn when, in seconds, and what that makes of the cube."""

from dataclasses import dataclass, replace

from cube.moves import MoveSequence
from robot.protocol.messages import NO_MOTOR, MoveStep

Quarters = tuple[int, int]
"""Quarter turns of a step's first and second motor, clockwise positive; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class MotorTurn:
    """One motor's part in a step.

    Attributes:
        channel: The board's motor output.
        quarter_turns: -2, -1, 1 or 2, clockwise positive.
        part: What turns, for messages, such as "face U".
    """

    channel: int
    quarter_turns: int
    part: str


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """One motor, or two together.

    Attributes:
        turns: One or two turns.
        moves: What they make of the cube; none where it is only held in another way.
        start_s: When it begins, from the beginning of the program.
        duration_s: Until the slower of its motors rests.
        overlap_steps: Step pulses before the end of the step before at which this one begins; 0 for
            after it.
    """

    turns: tuple[MotorTurn, ...]
    moves: MoveSequence
    start_s: float
    duration_s: float
    overlap_steps: int = 0

    def __post_init__(self) -> None:
        if len(self.turns) not in (1, 2):
            raise ValueError(f"a step turns one motor or two, not {len(self.turns)}")

    @property
    def end_s(self) -> float:
        """When it ends, from the beginning of the program."""
        return self.start_s + self.duration_s

    def message(self, number: int = 0) -> MoveStep:
        """Return the message that has a board turn it.

        Args:
            number: Count of the move since the board's start; the link fills it in when it sends.
        """
        first, second = self.turns[0], self.turns[1] if len(self.turns) > 1 else None
        return MoveStep(
            number=number & 0xFFFF,
            motor_a=first.channel,
            quarters_a=first.quarter_turns,
            motor_b=second.channel if second else NO_MOTOR,
            quarters_b=second.quarter_turns if second else 0,
            overlap=self.overlap_steps,
        )

    def rest_after(self, begun: Quarters) -> "ProgramStep":
        """Return what is left of it, from rest, when a stop cut it short.

        Args:
            begun: What its motors had turned.

        Raises:
            ValueError: That is no beginning of this step, or the whole of it.
        """
        done = begun[: len(self.turns)]
        fits = all(
            0 <= made * turn.quarter_turns <= turn.quarter_turns**2
            for made, turn in zip(done, self.turns, strict=True)
        )
        rest = tuple(
            replace(turn, quarter_turns=turn.quarter_turns - made)
            for made, turn in zip(done, self.turns, strict=True)
            if made != turn.quarter_turns
        )
        if not fits or not rest or any(begun[len(self.turns) :]):
            raise ValueError(f"{begun} is no beginning of {self.moves}")
        return replace(self, turns=rest, overlap_steps=0)


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
