"""Instructions for turning a cube by hand: how to hold it, and one turn after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from cube.facelets import Facelets
from cube.moves import Move, MoveSequence
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.state import CubeState
from vision.live.step import FACE_NAMES

_TURNS = {1: "a quarter turn clockwise", 2: "a half turn", 3: "a quarter turn anticlockwise"}


@dataclass(frozen=True, slots=True)
class HandHold:
    """How to hold a cube so that its faces match the letters of the moves.

    Attributes:
        up: Colour name, or else the symbol, of the centre of the top face.
        front: The same for the front face.
        known: The colours were read or given; otherwise they are the usual ones.
    """

    up: str
    front: str
    known: bool

    @classmethod
    def of(cls, scheme: Mapping[str, str] | None) -> Self:
        """Return the hold for a scheme, the colour names of the faces; None if it is unknown."""
        named = scheme or WESTERN_SCHEME
        return cls(named["U"], named["F"], known=bool(scheme))

    @property
    def text(self) -> str:
        """Return it in English."""
        guess = "" if self.known else ", assuming the usual colours"
        if not {self.up, self.front} <= SCREEN_COLOURS.keys():
            return f"the cube with the centre `{self.up}` up and `{self.front}` in front"
        return f"the cube with {self.up} up and {self.front} in front{guess}"


@dataclass(frozen=True, slots=True)
class HandStep:
    """One turn of one face.

    Attributes:
        move: The turn.
        before: The cube before it.
        after: The cube after it.
    """

    move: Move
    before: Facelets
    after: Facelets

    @property
    def text(self) -> str:
        """Return it in English."""
        return turn_text(self.move)


@dataclass(frozen=True, slots=True)
class HandSteps:
    """All turns, and the number of those made. Every change is a new value.

    Attributes:
        hold: How to hold the cube.
        start: The cube before the first turn.
        steps: The turns; each begins where the previous one ends.
        done: Number of turns made.
    """

    hold: HandHold
    start: Facelets
    steps: tuple[HandStep, ...]
    done: int = 0

    @classmethod
    def of(
        cls, before: Facelets, moves: MoveSequence, scheme: Mapping[str, str] | None = None
    ) -> Self:
        """Return the steps for some moves."""
        return cls(HandHold.of(scheme), before, _steps(before, moves))

    @property
    def current(self) -> HandStep | None:
        """The turn to make now; None if all are made."""
        return self.steps[self.done] if self.done < len(self.steps) else None

    @property
    def shown(self) -> Facelets:
        """The present state of the cube."""
        return self.start if self.done == 0 else self.steps[self.done - 1].after

    @property
    def left(self) -> MoveSequence:
        """The remaining turns."""
        return MoveSequence.of(step.move for step in self.steps[self.done :])

    @property
    def nets(self) -> list[str]:
        """The cube before the turns and after each of them, 54 letters each."""
        return [self.start.text, *(step.after.text for step in self.steps)]

    def next(self) -> "HandSteps":
        """Count one more turn as made, if there is one."""
        return replace(self, done=min(len(self.steps), self.done + 1))

    def back(self) -> "HandSteps":
        """Count the last turn as not made."""
        return replace(self, done=max(0, self.done - 1))


def turn_text(move: Move) -> str:
    """Return a turn in English."""
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
