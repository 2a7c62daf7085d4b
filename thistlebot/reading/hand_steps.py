"""The way of a person who turns a cube by hand: how to hold it, and one turn after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from cube.facelets import Facelets
from cube.moves import Move, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from vision.live.step import FACE_NAMES

_TURNS = {1: "a quarter turn clockwise", 2: "a half turn", 3: "a quarter turn anticlockwise"}


@dataclass(frozen=True, slots=True)
class HandHold:
    """How to hold a cube so that its faces are where the letters of the moves have them.

    Attributes:
        up: Colour name of the centre of the top face.
        front: Colour name of the centre of the front face.
        known: The colours were seen or told; else they are the usual ones.
    """

    up: str
    front: str
    known: bool

    @classmethod
    def of(cls, scheme: Mapping[str, str] | None) -> Self:
        """Take the colours of a scheme, face letter to colour name; None when nobody knows."""
        named = scheme or WESTERN_SCHEME
        return cls(named["U"], named["F"], known=bool(scheme))

    @property
    def text(self) -> str:
        """Say it in English."""
        guess = "" if self.known else ", assuming the usual colours"
        return f"the cube with {self.up} up and {self.front} in front{guess}"


@dataclass(frozen=True, slots=True)
class HandStep:
    """One turn of one face.

    Attributes:
        move: What to turn.
        before: What the cube shows before.
        after: What it shows afterwards.
        planned: It is on the way; else a person made it instead of another one.
    """

    move: Move
    before: Facelets
    after: Facelets
    planned: bool = True

    @property
    def text(self) -> str:
        """Say it in English."""
        return turn_text(self.move)


@dataclass(frozen=True, slots=True)
class HandSteps:
    """All turns, and how many of them are made. Every change is a new value.

    Attributes:
        hold: How to hold the cube meanwhile.
        start: What it shows before the first turn.
        steps: The turns; each begins as the one before it ends.
        done: So many are made.
    """

    hold: HandHold
    start: Facelets
    steps: tuple[HandStep, ...]
    done: int = 0

    @classmethod
    def of(
        cls, before: Facelets, moves: MoveSequence, scheme: Mapping[str, str] | None = None
    ) -> Self:
        """Begin.

        Args:
            before: What the cube shows; its pieces are those of a cube.
            moves: What a person turns.
            scheme: Face letter to the colour name of its centre; None when nobody knows.
        """
        return cls(HandHold.of(scheme), before, _steps(before, moves))

    @property
    def current(self) -> HandStep | None:
        """The turn to make now; None when all are made."""
        return self.steps[self.done] if self.done < len(self.steps) else None

    @property
    def shown(self) -> Facelets:
        """What the cube shows now."""
        return self.start if self.done == 0 else self.steps[self.done - 1].after

    @property
    def left(self) -> MoveSequence:
        """The turns that are still to make."""
        return MoveSequence.of(step.move for step in self.steps[self.done :])

    @property
    def nets(self) -> list[str]:
        """What the cube shows before the turns and after each of them, 54 letters each."""
        return [self.start.text, *(step.after.text for step in self.steps)]

    def next(self, count: int = 1) -> "HandSteps":
        """Take so many more turns for made; no more than there are."""
        return replace(self, done=min(len(self.steps), self.done + count))

    def back(self) -> "HandSteps":
        """Take the last turn for not made."""
        return replace(self, done=max(0, self.done - 1))

    def put_right(self, made: Move) -> "HandSteps":
        """Go on from another turn than the next one: it is undone on the way, in as few turns.

        A turn that takes the last one back leaves that one to be made again.

        Args:
            made: What was turned in place of the current step.
        """
        if self.done and self.steps[self.done - 1].move.inverse() == made:
            return self.back()
        after = _after(self.shown, made)
        wrong = HandStep(made, self.shown, after, planned=False)
        rest = (MoveSequence((made.inverse(),)) + self.left).simplified()
        steps = (*self.steps[: self.done], wrong, *_steps(after, rest))
        return replace(self, steps=steps, done=self.done + 1)


def turn_text(move: Move) -> str:
    """Say in English what to turn."""
    return f"the {FACE_NAMES[move.face]} face {_TURNS[move.turns]}"


def _steps(before: Facelets, moves: MoveSequence) -> tuple[HandStep, ...]:
    steps = []
    for move in moves:
        after = _after(before, move)
        steps.append(HandStep(move, before, after))
        before = after
    return tuple(steps)


def _after(before: Facelets, move: Move) -> Facelets:
    return CubeState.from_facelets(before).apply(move).to_facelets()
