"""Recognises the turns that a user makes before a camera, from any face that is held still.

The state of the cube is known, so only a few others can be next: after the expected turn, after it
and the following one, and after each wrong one. A face counts in any rotation, because nobody holds
a cube upright all the time; so a turn of the visible face itself, or of the one behind it, cannot
be seen, and another face is requested.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import ALL_MOVES, FACES, Move
from cube.state import CubeState
from vision.frame import Frame
from vision.live.face_watch import FaceWatch, one_look, sharpness, spoilt_stickers
from vision.live.known_faces import KnownColours, KnownFaces, face_labs, face_patterns
from vision.live.step import LiveSettings
from vision.reading import UNSEEN, FaceReading


class TurnSight(StrEnum):
    """What the camera sees of the cube; the values are part of the messages to pages."""

    NOTHING = "nothing"
    MOVING = "moving"
    UNCHANGED = "unchanged"
    HALFWAY = "halfway"
    SEEN = "seen"
    OTHER = "other"
    UNTELLABLE = "untellable"
    STRANGE = "strange"


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """When a turn counts as seen; docs/by-hand.md has measurements.

    Attributes:
        window: Number of recent frames considered.
        seen: Number of them, including the last one, in which the turn must be seen.
        other: The same for a wrong turn, and for an impossible cube.
        averaged: Number of pictures of a still face whose colours are averaged.
        lead: A state must explain the face better than every other one by this much, nats.
        odd: Maximum number of stickers that look like something else, such as a finger.
        shift: Maximum movement of the corners from frame to frame, as a share of the face's side.
        change: Maximum change of the colour of any sticker, ΔE, lightness counted half.
    """

    window: int = 12
    seen: int = 4
    other: int = 8
    averaged: int = 3
    lead: float = 10.0
    odd: int = 1
    shift: float = 0.06
    change: float = 15.0


@dataclass(frozen=True, slots=True)
class WatchStep:
    """The answer to one frame.

    Attributes:
        sight: The judgement.
        face: Letter of the face before the camera; empty if unknown.
        count: Number of the expected turns made, for `TurnSight.SEEN`.
        made: The turn made instead, for `TurnSight.OTHER`.
        show: Letters of the faces on which the expected turn can be seen, the clearest first; for
            `TurnSight.UNTELLABLE` without the visible one.
        seen: The face in this frame; None if there is none.
    """

    sight: TurnSight
    face: str = ""
    count: int = 0
    made: Move | None = None
    show: tuple[str, ...] = ()
    seen: FaceReading | None = None


@dataclass(frozen=True, slots=True)
class _Vote:
    """The judgement of one frame."""

    sight: TurnSight
    face: str = ""
    count: int = 0
    made: Move | None = None


_NOTHING = _Vote(TurnSight.NOTHING)


class TurnWatch:
    """Waits for one turn after the other.

    Args:
        colours: The appearance of the cube's colours.
    """

    def __init__(self, colours: KnownColours) -> None:
        self._colours = colours
        self._settings = WatchSettings()
        self._sharpness = LiveSettings().sharpness
        self._watch = FaceWatch()
        self._votes: deque[_Vote] = deque(maxlen=self._settings.window)
        self._still: deque[FaceReading] = deque(maxlen=self._settings.averaged)
        self._next: _Expected | None = None

    def expect(self, shown: Facelets, moves: Sequence[Move]) -> None:
        """Wait for the first of some turns.

        Args:
            shown: The present state of the cube.
            moves: The expected turns, in order.
        """
        self._next = _Expected(self._colours, shown, moves[:2]) if moves else None
        self._votes.clear()

    def feed(self, frame: Frame) -> WatchStep:
        """Process the next frame."""
        face = self._watch.find(frame.image)
        if face is None:
            return self.feed_reading(None)
        sharp, spoilt = sharpness(frame.image, face), spoilt_stickers(frame.image, face)
        stickers = [
            replace(sticker, lab=UNSEEN) if number in spoilt else sticker
            for number, sticker in enumerate(face.stickers)
        ]
        return self.feed_reading(replace(face, stickers=tuple(stickers)), sharp=sharp)

    def feed_reading(self, face: FaceReading | None, *, sharp: float = 1.0) -> WatchStep:
        """Process a frame whose face is already found.

        Args:
            face: The face; stickers that are partly something else count as not seen.
            sharp: Its `sharpness`.
        """
        still = face is not None and bool(self._still) and self._rests(face, self._still[-1])
        if not still:
            self._still.clear()
        if face is not None and sharp >= self._sharpness:
            self._still.append(face)
        if self._next is None or face is None:
            vote = _NOTHING
        elif not still or sharp < self._sharpness:
            vote = _Vote(TurnSight.MOVING)
        else:
            vote = self._next.vote(one_look(face, self._still, ()), self._settings)
        self._votes.append(vote)
        told = self._told(vote)
        show = () if self._next is None else self._next.show
        if told.sight is TurnSight.UNTELLABLE:
            show = tuple(letter for letter in show if letter != told.face)
        return WatchStep(told.sight, told.face, told.count, told.made, show, face)

    def _told(self, vote: _Vote) -> _Vote:
        """Return a frame's judgement if enough others agree; else that of most recent frames."""
        needed = {
            TurnSight.SEEN: self._settings.seen,
            TurnSight.OTHER: self._settings.other,
            TurnSight.STRANGE: self._settings.other,
        }
        agreeing = sum(each == vote for each in self._votes)
        if vote.sight is TurnSight.STRANGE:
            agreeing = sum(each.sight is TurnSight.STRANGE for each in self._votes)
        if agreeing >= needed.get(vote.sight, 1):
            return vote
        return replace(vote, sight=TurnSight.MOVING, count=0, made=None)

    def _rests(self, one: FaceReading, other: FaceReading) -> bool:
        """Return whether a face has not moved, and no sticker has changed."""
        shift = np.abs(np.array(one.corners) - np.array(other.corners)).max()
        apart = (face_labs(one) - face_labs(other)) * (0.5, 1.0, 1.0)
        change = np.linalg.norm(apart[np.isfinite(apart).all(axis=1)], axis=1).max(initial=0.0)
        near = shift <= self._settings.shift * max(1.0, one.side_px)
        return bool(near and change <= self._settings.change)


class _Expected:
    """The possible states of the cube while one turn is expected.

    Args:
        colours: The appearance of the cube's colours.
        shown: The state before.
        moves: The turn, and the following one if there is one.
    """

    def __init__(self, colours: KnownColours, shown: Facelets, moves: Sequence[Move]) -> None:
        state = CubeState.from_facelets(shown)
        ahead = [state]
        for move in moves:
            ahead.append(ahead[-1].apply(move))
        self._wanted = len(moves)
        self._wrong = [move for move in ALL_MOVES if move != moves[0]]
        # A half turn is made in two quarters, in either direction.
        self._half = [
            move for move in self._wrong if moves[0].turns == 2 and move.face == moves[0].face
        ]
        states = [*ahead, *(state.apply(move) for move in self._wrong)]
        cubes = [each.to_facelets() for each in states]
        self._faces = KnownFaces(colours, cubes)
        self.show = telling_faces(cubes[1], [cubes[0], *cubes[1 + self._wanted :]])

    def vote(self, face: FaceReading, settings: WatchSettings) -> _Vote:
        """Judge one face, which is sharp and held still."""
        fits = self._faces.fits(face)
        if fits is None:
            return _Vote(TurnSight.MOVING)
        best = int(fits.costs.argmin())
        letter = fits.faces[best]
        if fits.odd[best] > settings.odd:
            return _Vote(TurnSight.STRANGE, letter)
        tied = set(np.nonzero(fits.costs < fits.costs[best] + settings.lead)[0].tolist())
        return self._judged(tied, letter)

    def _judged(self, tied: set[int], letter: str) -> _Vote:
        """Return what it means that these states explain a face about equally well.

        State 0 is the present one, then come those after the expected turns, then the wrong ones.
        """
        wanted = {each for each in tied if 1 <= each <= self._wanted}
        wrong = [self._wrong[each - 1 - self._wanted] for each in tied if each > self._wanted]
        if wanted and len(wanted) == len(tied):
            return _Vote(TurnSight.SEEN, letter, count=min(wanted))
        if letter in self.show and 0 in tied and not wanted:
            return _Vote(TurnSight.UNCHANGED, letter)
        if wanted or 0 in tied:
            return _Vote(TurnSight.UNTELLABLE, letter)
        if all(move in self._half for move in wrong):
            return _Vote(TurnSight.HALFWAY, letter)
        if len(wrong) == 1:
            return _Vote(TurnSight.OTHER, letter, made=wrong[0])
        return _Vote(TurnSight.UNTELLABLE, letter)


def telling_faces(after: Facelets, others: Sequence[Facelets]) -> tuple[str, ...]:
    """Return the faces that distinguish one cube from all the others, the clearest first.

    Args:
        after: The cube to recognise.
        others: The other cubes; each face may be held in any rotation.
    """
    shown = face_patterns(after).reshape(6, 4, 9)[:, 0]
    patterns = np.array([face_patterns(each).reshape(6, 4, 9) for each in others])
    apart: NDArray[np.intp] = (patterns != shown[:, None]).sum(axis=3).min(axis=(0, 2))
    order = np.argsort(-apart, kind="stable")
    return tuple(FACES[int(face)] for face in order if apart[face] > 0)
