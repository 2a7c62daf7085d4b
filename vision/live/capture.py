"""Hand-held capture: which face to show, whether to wait, and when to take the picture.

Pure logic: its input is frames, or readings of them, its output is what to tell the user. It opens
no camera, draws nothing and never sleeps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.errors import VisionError
from vision.frame import Frame
from vision.live.expected_colours import ExpectedColours, centre_colour
from vision.live.face_watch import FaceWatch
from vision.live.known_faces import recognise
from vision.live.look_quality import one_look, sharpness, spoilt_stickers
from vision.live.step import Ask, Guidance, Instruction, LiveState, LiveStep, Remark, ask_face
from vision.live.still_face import STILL_FRAMES, WINDOW, Sighting, StillFace
from vision.reading import FaceReading

CAPTURE_ORDER = "FRBLUD"
"""The order that needs the fewest rotations in the hand."""

LEAST_SHARPNESS = 0.014
"""Photos of faces have 0.03 and more; with a motion of 10 pixels at 640 pixels width, nine in ten
have less than this.
"""
# Minimum sharpness, as a share of the lowest of the captured faces: dark and plain faces have a
# higher value than others that are equally sharp.
_AS_SHARP = 0.4
# With more spoilt stickers than this, a face counts as poorly seen.
_MOST_SPOILT = 3
PATIENCE_S = 1.0
"""A face with spoilt stickers is accepted this many seconds after it was first held still, without
its spoilt stickers, unless a clean look comes first.
"""
POOR_S = 4.0
"""A blurred or otherwise poorly seen face is accepted if it is held still for this many seconds:
some cameras are no better.
"""
# One more look at a face must differ in position by this share of its side, or come after the face
# was away: the same look would only repeat its faults.
_MOVED = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """A face with spoilt stickers that is captured if no clean look comes.

    Attributes:
        letter: The face to capture.
        frames: The best sightings of it while it was held still, the best one first.
        since_s: When it was first held still, seconds on the camera's clock.
    """

    letter: str
    frames: tuple[Sighting, ...]
    since_s: float


class LiveScan:
    """Collects looks at the six faces: one after the other, then again those that matter.

    Args:
        scheme: Colour name of each face's centre, for guidance and to detect a wrong
            face; None for a cube with unknown colours.
        guessed: The scheme was not given: it is dropped if the captured faces contradict it.
        any_order: Faces may come in any order and rotated; their letters then only count them.
    """

    def __init__(
        self,
        scheme: Mapping[str, str] | None = WESTERN_SCHEME,
        *,
        guessed: bool = False,
        any_order: bool = False,
    ) -> None:
        self._any_order = any_order
        self._expected = ExpectedColours(None if any_order else scheme, guessed=guessed)
        self._looks: dict[str, list[Sighting]] = {face: [] for face in FACES}
        self._wanted: list[str] = list(CAPTURE_ORDER)
        self._watch = FaceWatch()
        self._still = StillFace()
        self._kept: _Kept | None = None
        self._told: Guidance | None = None
        self._missed = 0
        self._away = True

    @property
    def faces(self) -> dict[str, FaceReading]:
        """The last look at each face captured so far, by letter in the order URFDLB."""
        return {face: looks[-1].face for face, looks in self._looks.items() if looks}

    @property
    def looks(self) -> list[tuple[str, FaceReading, Frame]]:
        """Letter, reading and picture of every look: the first ones in the order URFDLB, then more.

        A reading is the mean of the frames in which the face was held still.
        """
        first = [(face, looks[0]) for face, looks in self._looks.items() if looks]
        further = [(face, look) for face, looks in self._looks.items() for look in looks[1:]]
        return [(face, look.face, look.frame) for face, look in first + further]

    @property
    def centres(self) -> dict[str, str]:
        """Colour names of the faces' centres: as seen where captured, else as far as known."""
        seen = {face: centre_colour(reading) for face, reading in self.faces.items()}
        return {**self._expected.scheme, **{face: name for face, name in seen.items() if name}}

    @property
    def wanted(self) -> str | None:
        """The face to show now, None if all are captured."""
        return self._wanted[0] if self._wanted else None

    def redo(self, face: str) -> None:
        """Forget all looks at a face and ask for it next; the others are kept.

        Raises:
            VisionError: There is no such face.
        """
        _require_face(face)
        self._looks[face].clear()
        self._expected.learn(self.faces)
        self._still.clear()
        self._ask_for([face, *(other for other in self._wanted if other != face)])

    def look_again(self, faces: Sequence[str]) -> None:
        """Ask for more looks at these faces and no others; earlier looks are kept.

        Raises:
            VisionError: There is no such face.
        """
        for face in faces:
            _require_face(face)
        self._still.clear()
        self._ask_for(faces)

    def _ask_for(self, faces: Sequence[str]) -> None:
        self._wanted = list(faces)
        self._kept, self._told = None, None

    def feed(self, frame: Frame) -> LiveStep:
        """Search a frame for the face and decide."""
        face = self._watch.find(frame.image)
        if face is None:
            return self.feed_reading(None, 0.0, frame)
        sharp, spoilt = sharpness(frame.image, face), spoilt_stickers(frame.image, face)
        return self.feed_reading(face, sharp, frame, spoilt)

    def feed_reading(
        self, face: FaceReading | None, sharp: float, frame: Frame, spoilt: tuple[int, ...] = ()
    ) -> LiveStep:
        """Decide about a frame whose face is already read.

        Args:
            face: The face found in it, or None.
            sharp: Its `sharpness`.
            frame: The picture, kept when it is captured.
            spoilt: Its `spoilt_stickers`.
        """
        wanted = self.wanted
        if wanted is None:
            return LiveStep(LiveState.COMPLETE, Guidance(Remark.COMPLETE), None, face)
        if face is None:
            return self._missing(wanted, frame)
        self._missed = 0
        seen = Sighting(face, sharp, frame, spoilt)
        alike = self._still.add(seen)
        if self._still.held_s < POOR_S:
            poor = self._poverty(seen)
            alike = [one for one in alike if self._poverty(one) is None]
            if poor is not None:
                return self._step(*poor, face, alike)
        return self._decide(seen, wanted, alike)

    def finish(self) -> LiveStep | None:
        """Capture the face that was held still last; there are no further frames.

        Returns:
            What was captured; None if there was no such face.
        """
        return None if self._kept is None else self._capture_kept(self._kept, None)

    def capture_now(self, face: FaceReading, frame: Frame) -> LiveStep:
        """Accept this face in any case: the user pressed a key."""
        wanted = self.wanted
        if wanted is None:
            return LiveStep(LiveState.COMPLETE, Guidance(Remark.COMPLETE), None, face)
        self._still.clear()
        return self._capture(wanted, [Sighting(face, 0.0, frame)])

    def instruction(self, face: str) -> Instruction:
        """Ask for a face in the orientation of the usual net, with further instructions."""
        if self._any_order:
            looks = self._looks[face]
            colour = centre_colour(looks[0].face) if looks else ""
            ask = Ask.ANY_AGAIN if colour else Ask.ANY
            return Instruction(ask, colour=colour, shown=len(self.faces))
        if not self._looks[face]:
            return ask_face(face, self._expected.scheme)
        others = [other for other in self._wanted if other != face]
        return ask_face(face, self._expected.scheme, others)

    def _decide(self, seen: Sighting, wanted: str, alike: Sequence[Sighting]) -> LiveStep:
        """Decide about a face that is seen well enough; these sightings of it agree."""
        face, still = seen.face, len(alike) >= STILL_FRAMES
        if still and self._kept is not None and self._is_other(face, self._kept):
            return self._capture_kept(self._kept, face)  # and go on with this face
        wanted, objection = self._meant(face, wanted)
        if objection is not None:
            return self._step(*objection, face, alike)
        clean = [one for one in alike if not one.spoilt]
        if len(clean) >= STILL_FRAMES:
            self._still.clear()
            return self._capture(wanted, clean)
        if still:
            self._kept = kept = self._best(wanted, alike)
            if self._is_due(kept, seen.frame):
                self._still.clear()
                return self._capture_kept(kept, face)
        if seen.spoilt:
            return self._step(LiveState.SPOILT, Guidance(Remark.SPOILT), face, alike)
        state = LiveState.HOLDING if len(clean) > 1 else LiveState.MOVING
        return self._step(state, Guidance(Remark.HOLD_STILL), face, clean)

    def _missing(self, wanted: str, frame: Frame) -> LiveStep:
        """Answer a frame without a face."""
        self._still.miss()
        self._missed += 1
        self._away |= self._missed > 1
        if self._missed > 1 and self._kept is not None and self._is_due(self._kept, frame):
            return self._capture_kept(self._kept, None)
        # A few frames in which the face is not found must not change the instruction.
        told = self._told if self._missed < WINDOW else None
        return LiveStep(LiveState.SEARCHING, told or self._asking(wanted), self.wanted)

    def _capture(self, wanted: str, frames: Sequence[Sighting]) -> LiveStep:
        best = min(frames, key=lambda seen: seen.rank)
        face = one_look(best.face, [seen.face for seen in frames], best.spoilt)
        self._looks[wanted].append(replace(best, face=face))
        self._expected.learn(self.faces)
        self._ask_for([face for face in self._wanted if face != wanted])
        self._away = False
        following = self.instruction(self._wanted[0]) if self._wanted else None
        self._told = Guidance(Remark.CAPTURED, self._named(wanted), instruction=following)
        return LiveStep(
            LiveState.CAPTURED, self._told, self.wanted, best.face, wanted, progress=1.0
        )

    def _capture_kept(self, kept: _Kept, face: FaceReading | None) -> LiveStep:
        """Capture a face that is perhaps no longer there; `face` is in the frame now."""
        return replace(self._capture(kept.letter, kept.frames), face=face)

    def _best(self, wanted: str, frames: Sequence[Sighting]) -> _Kept:
        """Return the best sightings so far of the face that is held still."""
        best = min(frames, key=lambda seen: seen.rank)
        # Where the best one is clean, another one may be spoilt.
        frames = [seen for seen in frames if set(seen.spoilt) <= set(best.spoilt)]
        frames.sort(key=lambda seen: seen.rank)
        before = self._kept
        if before is None or before.letter != wanted:
            return _Kept(wanted, tuple(frames), min(seen.frame.time_s for seen in frames))
        better = best.rank < before.frames[0].rank
        return replace(before, frames=tuple(frames)) if better else before

    def _is_due(self, kept: _Kept, frame: Frame) -> bool:
        """Return whether there was enough time for a clean look."""
        return frame.time_s - kept.since_s >= PATIENCE_S

    def _is_other(self, face: FaceReading, kept: _Kept) -> bool:
        """Return whether this is clearly another face: a tilted one looks a little different."""
        before = kept.frames[0].face
        return recognise(face, {kept.letter: before}) is None and (
            centre_colour(face) != centre_colour(before)
        )

    def _poverty(self, seen: Sighting) -> tuple[LiveState, Guidance] | None:
        """Return why this frame tells little about the face, if so."""
        known = [look.sharp for looks in self._looks.values() for look in looks if look.sharp > 0]
        if seen.sharp < max(LEAST_SHARPNESS, _AS_SHARP * min(known, default=0.0)):
            return LiveState.BLURRED, Guidance(Remark.BLURRED)
        if len(seen.spoilt) > _MOST_SPOILT:
            return LiveState.SPOILT, Guidance(Remark.SPOILT)
        return None

    def _meant(
        self, face: FaceReading, wanted: str
    ) -> tuple[str, tuple[LiveState, Guidance] | None]:
        """Return which of the wanted faces this is, and the objections to it."""
        same, turn = recognise(face, self.faces) or (None, 0)
        if same is not None and same in self._wanted:
            if turn and not self._any_order:
                told = Guidance(Remark.TURNED, same, instruction=self.instruction(same))
                return same, (LiveState.TURNED, told)
            last = self._looks[same][-1].face
            shift = np.abs(np.array(face.corners) - np.array(last.corners)).max()
            if not self._away and shift < _MOVED * max(1.0, face.side_px):
                return same, (LiveState.SAME_LOOK, self._asking(same))
            return same, None
        return wanted, self._objection(face, wanted, same)

    def _named(self, face: str) -> str:
        """Return the name of a face; empty if letters only count."""
        return "" if self._any_order else face

    def _asking(self, face: str) -> Guidance:
        return Guidance(instruction=self.instruction(face))

    def _step(
        self, state: LiveState, told: Guidance, face: FaceReading, alike: Sequence[Sighting]
    ) -> LiveStep:
        self._told = told
        progress = min(1.0, len(alike) / STILL_FRAMES)
        return LiveStep(state, told, self.wanted, face, progress=progress)

    def _objection(
        self, face: FaceReading, wanted: str, same: str | None
    ) -> tuple[LiveState, Guidance] | None:
        """Return why this is not the wanted face, if that is clear."""
        if same is not None:
            return LiveState.ALREADY_CAPTURED, Guidance(
                Remark.ALREADY_CAPTURED, self._named(same), instruction=self.instruction(wanted)
            )
        if self._expected.guessed and not self.faces:
            return None  # a guess says nothing about the first face
        if colour := self._expected.other_colour(face, wanted):
            return LiveState.OTHER_FACE, Guidance(
                Remark.OTHER_FACE, "", colour, self.instruction(wanted)
            )
        return None


def _require_face(face: str) -> None:
    if len(face) != 1 or face not in FACES:
        raise VisionError(f"{face!r} is not a face; the faces are {' '.join(FACES)}")
