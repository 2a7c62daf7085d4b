"""Hand-held capture: which face to show, whether to wait, and when to take the picture.

Pure logic: its input is frames, or readings of them, its output is what to tell the user. It opens
no camera, draws nothing and never sleeps.

It also predicts the colour of a face's centre, and detects a wrong guess.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.first_guesses import nearest_colour
from vision.errors import VisionError
from vision.frame import Frame
from vision.live.face_watch import FaceWatch, one_look, sharpness, spoilt_stickers
from vision.live.known_faces import face_difference, face_labs, recognise
from vision.live.step import (
    Guidance,
    Instruction,
    LiveSettings,
    LiveState,
    LiveStep,
    Remark,
    ask_any,
    ask_face,
)
from vision.reading import FaceReading

# Minimum confidence in a centre's colour to say that another face was wanted.
_CERTAIN = 0.5


class ExpectedColours:
    """The colours of the user's cube: known, guessed or unknown.

    Args:
        scheme: Colour name of each face's centre; None if nothing is known.
        guessed: The scheme was not given: it is dropped if the user insists on another face.
        insistence: Number of consecutive frames with an unexpected face held still, after which the
            face is accepted.
    """

    def __init__(self, scheme: Mapping[str, str] | None, *, guessed: bool, insistence: int) -> None:
        self.scheme = dict(scheme) if scheme else {}
        self.guessed = guessed
        self._insistence = insistence
        self._held = 0

    def other_colour(self, face: FaceReading, wanted: str) -> str:
        """Return the colour of a centre that clearly belongs to another face; empty if it fits."""
        colour, certainty = nearest_colour(face_labs(face)[4])
        others = {name for letter, name in self.scheme.items() if letter != wanted}
        return colour if certainty >= _CERTAIN and colour in others else ""

    def insisted(self, *, held: bool) -> bool:
        """Count one more frame, and return whether the guess has just been dropped.

        Args:
            held: The frame shows an unexpected face that is held still.
        """
        self._held = self._held + 1 if held and self.guessed else 0
        if self._held < self._insistence:
            return False
        self.give_up()
        return True

    def give_up(self) -> None:
        """Drop a guessed scheme: this cube has other colours."""
        if self.guessed:
            self.scheme, self.guessed, self._held = {}, False, 0


CAPTURE_ORDER = "FRBLUD"
"""The order that needs the fewest rotations in the hand."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A detected face with its sharpness, its picture and its spoilt stickers."""

    face: FaceReading
    sharp: float
    frame: Frame
    spoilt: tuple[int, ...] = ()


class LiveScan:
    """Collects looks at the six faces: one after the other, then again those that matter.

    Args:
        settings: When to capture.
        scheme: Colour name of each face's centre, for guidance and to detect a wrong
            face; None for a cube with unknown colours.
        guessed: The scheme was not given: it is dropped if the user insists on another face.
        any_order: Faces may come in any order and rotated; their letters then only count them.
    """

    def __init__(
        self,
        settings: LiveSettings | None = None,
        scheme: Mapping[str, str] | None = WESTERN_SCHEME,
        *,
        guessed: bool = False,
        any_order: bool = False,
    ) -> None:
        self._settings = settings or LiveSettings()
        self._any_order = any_order
        self._expected = ExpectedColours(
            None if any_order else scheme, guessed=guessed, insistence=self._settings.insistence
        )
        self._looks: dict[str, list[_Seen]] = {face: [] for face in FACES}
        self._wanted: list[str] = list(CAPTURE_ORDER)
        self._watch = FaceWatch()
        self._recent: deque[_Seen | None] = deque(maxlen=self._settings.window)
        self._poor = 0
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
        self._wanted = [face, *(other for other in self._wanted if other != face)]
        self._recent.clear()

    def look_again(self, faces: Sequence[str]) -> None:
        """Ask for more looks at these faces and no others; earlier looks are kept.

        Raises:
            VisionError: There is no such face.
        """
        for face in faces:
            _require_face(face)
        self._wanted = list(faces)
        self._recent.clear()

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
            self._recent.append(None)
            self._away |= len(self._recent) > 1 and self._recent[-2] is None
            return self._step(LiveState.SEARCHING, self._asking(wanted), face)
        seen = _Seen(face, sharp, frame, spoilt)
        poor = self._poverty(seen)
        self._poor = self._poor + 1 if poor else 0
        if poor and self._poor < self._settings.patience:
            self._recent.append(None)
            return self._step(*poor, face)
        self._recent.append(seen)
        alike = self._alike(face)
        wanted, objection = self._meant(face, wanted)
        other = objection is not None and objection[0] is LiveState.OTHER_FACE
        held = other and len(alike) >= self._settings.still_frames
        insisted = self._expected.insisted(held=held)
        if objection is not None and not insisted:
            return self._step(*objection, face)
        if len(alike) < self._settings.still_frames:
            state = LiveState.HOLDING if len(alike) > 1 else LiveState.MOVING
            return self._step(state, Guidance(Remark.HOLD_STILL), face)
        return self._capture(wanted, alike)

    def capture_now(self, face: FaceReading, frame: Frame) -> LiveStep:
        """Accept this face in any case: the user pressed a key."""
        wanted = self.wanted
        if wanted is None:
            return LiveStep(LiveState.COMPLETE, Guidance(Remark.COMPLETE), None, face)
        if self._expected.other_colour(face, wanted):
            self._expected.give_up()
        return self._capture(wanted, [_Seen(face, 0.0, frame)])

    def instruction(self, face: str) -> Instruction:
        """Ask for a face in the orientation of the usual net, with further instructions."""
        if self._any_order:
            looks = self._looks[face]
            colour = nearest_colour(face_labs(looks[0].face)[4])[0] if looks else ""
            return ask_any(colour, len(self.faces))
        if not self._looks[face]:
            return ask_face(face, self._expected.scheme)
        others = [other for other in self._wanted if other != face]
        return ask_face(face, self._expected.scheme, others)

    def _capture(self, wanted: str, frames: Sequence[_Seen]) -> LiveStep:
        best = max(frames, key=lambda seen: seen.sharp)
        face = one_look(best.face, [seen.face for seen in frames], best.spoilt)
        self._looks[wanted].append(replace(best, face=face))
        self._wanted.remove(wanted)
        self._recent.clear()
        self._poor, self._away = 0, False
        following = self.instruction(self._wanted[0]) if self._wanted else None
        told = Guidance(Remark.CAPTURED, self._named(wanted), instruction=following)
        return LiveStep(LiveState.CAPTURED, told, self.wanted, best.face, wanted, progress=1.0)

    def _poverty(self, seen: _Seen) -> tuple[LiveState, Guidance] | None:
        """Return why this frame tells little about the face, if so."""
        known = [look.sharp for looks in self._looks.values() for look in looks if look.sharp > 0]
        if seen.sharp < max(
            self._settings.sharpness, self._settings.as_sharp * min(known, default=0.0)
        ):
            return LiveState.BLURRED, Guidance(Remark.BLURRED)
        if seen.spoilt:
            return LiveState.SPOILT, Guidance(Remark.SPOILT)
        return None

    def _meant(
        self, face: FaceReading, wanted: str
    ) -> tuple[str, tuple[LiveState, Guidance] | None]:
        """Return which of the wanted faces this is, and the objections to it."""
        same, turn = recognise(face, self.faces, self._settings.same_face) or (None, 0)
        if same is not None and same in self._wanted:
            if turn and not self._any_order:
                told = Guidance(Remark.TURNED, same, instruction=self.instruction(same))
                return same, (LiveState.TURNED, told)
            last = self._looks[same][-1].face
            shift = np.abs(np.array(face.corners) - np.array(last.corners)).max()
            if not self._away and shift < self._settings.moved * max(1.0, face.side_px):
                return same, (LiveState.SAME_LOOK, self._asking(same))
            return same, None
        return wanted, self._objection(face, wanted, same)

    def _named(self, face: str) -> str:
        """Return the name of a face; empty if letters only count."""
        return "" if self._any_order else face

    def _asking(self, face: str) -> Guidance:
        return Guidance(instruction=self.instruction(face))

    def _step(self, state: LiveState, told: Guidance, face: FaceReading | None) -> LiveStep:
        alike = 0 if face is None else len(self._alike(face))
        progress = min(1.0, alike / self._settings.still_frames)
        return LiveStep(state, told, self.wanted, face, progress=progress)

    def _alike(self, face: FaceReading) -> list[_Seen]:
        """Return the recent sightings that agree with this one in place and colours."""
        limit = self._settings.shift * max(1.0, face.side_px)
        return [
            seen
            for seen in self._recent
            if seen is not None
            and np.abs(np.array(face.corners) - np.array(seen.face.corners)).max() <= limit
            and face_difference(face, seen.face) <= self._settings.colour_change
        ]

    def _objection(
        self, face: FaceReading, wanted: str, same: str | None
    ) -> tuple[LiveState, Guidance] | None:
        """Return why this is not the wanted face, if that is clear."""
        if same is not None:
            return LiveState.ALREADY_CAPTURED, Guidance(
                Remark.ALREADY_CAPTURED, self._named(same), instruction=self.instruction(wanted)
            )
        if colour := self._expected.other_colour(face, wanted):
            guessed = self._expected.guessed
            return LiveState.OTHER_FACE, Guidance(
                Remark.OTHER_FACE, "", colour, guessed, self.instruction(wanted)
            )
        return None


def _require_face(face: str) -> None:
    if len(face) != 1 or face not in FACES:
        raise VisionError(f"{face!r} is not a face; the faces are {' '.join(FACES)}")
