"""Hand-held capture: which face to show, whether to wait, and when to take the picture.

Pure logic: it is fed frames, or readings of them, and answers what to tell the person. It opens no
camera, draws nothing and never sleeps.
"""

import enum
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.seeding import nearest_colour
from vision.errors import VisionError
from vision.faces.face_watch import FaceWatch
from vision.frame import Frame
from vision.reading import FaceReading

Array = NDArray[np.float64]

# The order that needs the fewest turns in the hand, and for each face the neighbour that must be on
# top so that the picture lies as in the usual net.
CAPTURE_ORDER = "FRBLUD"
_ON_TOP = {"F": "U", "R": "U", "B": "U", "L": "U", "U": "B", "D": "F"}
_FACE_NAMES = {"U": "top", "R": "right", "F": "front", "D": "bottom", "L": "left", "B": "back"}


class LiveState(enum.Enum):
    """What the capture waits for, or that it has just happened."""

    SEARCHING = "searching"
    BLURRED = "blurred"
    MOVING = "moving"
    HOLDING = "holding"
    ALREADY_CAPTURED = "already captured"
    OTHER_FACE = "other face"
    CAPTURED = "captured"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """When a face counts as shown well.

    Attributes:
        window: So many frames are looked back at.
        still_frames: In so many of them the face must be found, sharp and in the same place; a
            missed frame or two do not matter.
        shift: How far its corners may wander meanwhile, as a share of its side.
        colour_change: How much its stickers' colours may, median ΔE.
        sharpness: Least `sharpness`; photos of faces have 0.09 and more, of the same photos blurred
            by a Gaussian of 4 pixels at 640 pixels width nine in ten have less than this.
        same_face: Median ΔE below which nine stickers are those of a face already captured.
        colour_certainty: How sure a centre's colour must be to say that another face was wanted.
    """

    window: int = 7
    still_frames: int = 5
    shift: float = 0.04
    colour_change: float = 6.0
    sharpness: float = 0.025
    same_face: float = 7.0
    colour_certainty: float = 0.5


@dataclass(frozen=True, slots=True)
class LiveStep:
    """The answer to one frame.

    Attributes:
        state: What is waited for.
        guidance: One or two plain sentences for the person.
        wanted: Letter of the face to show, None when all six are captured.
        face: The face seen in this frame, None when there is none.
        captured: Letter of the face that this frame captured, else None.
        progress: 0..1, how much of the holding still is done.
    """

    state: LiveState
    guidance: str
    wanted: str | None
    face: FaceReading | None = None
    captured: str | None = None
    progress: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A face that was found and sharp, and its picture."""

    face: FaceReading
    sharp: float
    frame: Frame


class LiveScan:
    """Collects six faces, one after the other.

    Args:
        settings: When to capture.
        scheme: Face letter to the colour name of its centre, for guidance and to notice a wrong
            face; None for a cube with unknown colours.
    """

    def __init__(
        self,
        settings: LiveSettings | None = None,
        scheme: Mapping[str, str] | None = WESTERN_SCHEME,
    ) -> None:
        self._settings = settings or LiveSettings()
        self._scheme = dict(scheme) if scheme else {}
        self._faces: dict[str, FaceReading] = {}
        self._frames: dict[str, Frame] = {}
        self._wanted: list[str] = list(CAPTURE_ORDER)
        self._watch = FaceWatch()
        self._recent: deque[_Seen | None] = deque(maxlen=self._settings.window)

    @property
    def faces(self) -> dict[str, FaceReading]:
        """The faces captured so far, by letter in the order URFDLB."""
        return {face: self._faces[face] for face in FACES if face in self._faces}

    @property
    def frames(self) -> dict[str, Frame]:
        """The pictures they were captured in."""
        return {face: self._frames[face] for face in FACES if face in self._frames}

    @property
    def wanted(self) -> str | None:
        """The face to show now, None when all are captured."""
        return self._wanted[0] if self._wanted else None

    def redo(self, face: str) -> None:
        """Forget a face and ask for it next; the others stay.

        Raises:
            VisionError: There is no such face.
        """
        if len(face) != 1 or face not in FACES:
            raise VisionError(f"{face!r} is no face; the faces are {' '.join(FACES)}")
        self._faces.pop(face, None)
        self._frames.pop(face, None)
        self._wanted = [face, *(other for other in self._wanted if other != face)]
        self._recent.clear()

    def feed(self, frame: Frame) -> LiveStep:
        """Look for the face in a frame and decide."""
        face = self._watch.find(frame.image)
        sharp = 0.0 if face is None else sharpness(frame.image, face)
        return self.feed_reading(face, sharp, frame)

    def feed_reading(self, face: FaceReading | None, sharp: float, frame: Frame) -> LiveStep:
        """Decide about a frame whose face is already read.

        Args:
            face: The face found in it, or None.
            sharp: Its `sharpness`.
            frame: The picture, kept when it is captured.
        """
        wanted = self.wanted
        if wanted is None:
            return LiveStep(LiveState.COMPLETE, "All six faces are captured.", None, face)
        if face is None:
            self._recent.append(None)
            return self._step(LiveState.SEARCHING, self.instruction(wanted), face)
        if sharp < self._settings.sharpness:
            self._recent.append(None)
            return self._step(
                LiveState.BLURRED,
                "The picture is blurred: hold the cube still, a hand's length further away.",
                face,
            )
        self._recent.append(_Seen(face, sharp, frame))
        alike = self._alike(face)
        if (objection := self._objection(face, wanted)) is not None:
            return self._step(*objection, face)
        if len(alike) < self._settings.still_frames:
            state = LiveState.HOLDING if len(alike) > 1 else LiveState.MOVING
            return self._step(state, "Hold still.", face)
        best = max(alike, key=lambda seen: seen.sharp)
        return self._capture(wanted, best.face, best.frame)

    def capture_now(self, face: FaceReading, frame: Frame) -> LiveStep:
        """Take this face for the wanted one whatever speaks against it: somebody pressed a key."""
        wanted = self.wanted
        if wanted is None:
            return LiveStep(LiveState.COMPLETE, "All six faces are captured.", None, face)
        return self._capture(wanted, face, frame)

    def instruction(self, face: str) -> str:
        """Say how to show a face so that the picture lies as in the usual net."""
        top = _ON_TOP[face]
        if not self._scheme:
            return f"Show the {_FACE_NAMES[face]} face, the {_FACE_NAMES[top]} face upwards."
        return (
            f"Show the {_FACE_NAMES[face]} face ({self._scheme[face]} centre), "
            f"{self._scheme[top]} upwards."
        )

    def _capture(self, wanted: str, face: FaceReading, frame: Frame) -> LiveStep:
        self._faces[wanted] = face
        self._frames[wanted] = frame
        self._wanted.remove(wanted)
        self._recent.clear()
        done = f"The {_FACE_NAMES[wanted]} face is captured."
        following = self.instruction(self._wanted[0]) if self._wanted else "That was the last one."
        return LiveStep(
            LiveState.CAPTURED, f"{done} {following}", self.wanted, face, wanted, progress=1.0
        )

    def _step(self, state: LiveState, guidance: str, face: FaceReading | None) -> LiveStep:
        alike = 0 if face is None else len(self._alike(face))
        progress = min(1.0, alike / self._settings.still_frames)
        return LiveStep(state, guidance, self.wanted, face, progress=progress)

    def _alike(self, face: FaceReading) -> list[_Seen]:
        """The recent sightings that agree with this one in place and colours."""
        limit = self._settings.shift * max(1.0, face.side_px)
        return [
            seen
            for seen in self._recent
            if seen is not None
            and np.abs(np.array(face.corners) - np.array(seen.face.corners)).max() <= limit
            and np.nanmedian(_difference(_labs(face), _labs(seen.face)))
            <= self._settings.colour_change
        ]

    def _objection(self, face: FaceReading, wanted: str) -> tuple[LiveState, str] | None:
        """Why this is not the face that is wanted, if it clearly is not."""
        if (same := self._same_as(face)) is not None:
            text = f"The {_FACE_NAMES[same]} face is captured already. {self.instruction(wanted)}"
            return LiveState.ALREADY_CAPTURED, text
        colour, certainty = nearest_colour(_labs(face)[4])
        others = {name for letter, name in self._scheme.items() if letter != wanted}
        if colour in others and certainty >= self._settings.colour_certainty:
            return LiveState.OTHER_FACE, f"This centre looks {colour}. {self.instruction(wanted)}"
        return None

    def _same_as(self, face: FaceReading) -> str | None:
        """The captured face that shows the same nine stickers, in whichever rotation."""
        seen = _labs(face).reshape(3, 3, 3)
        for letter, other in self._faces.items():
            known = _labs(other)
            for turn in range(4):
                turned = np.rot90(seen, turn).reshape(9, 3)
                if np.nanmedian(_difference(turned, known)) < self._settings.same_face:
                    return letter
        return None


def sharpness(image_bgr: NDArray[np.uint8], face: FaceReading) -> float:
    """Measure how sharp a face is, independent of its size and of the light.

    The variance of the Laplacian of the face, straightened to a fixed size, over the variance of
    its lightness (Pech-Pacheco et al. 2000, normalised).

    Args:
        image_bgr: (h, w, 3) uint8.
        face: The face found in it.

    Returns:
        0 and up; 0 for a face without any contrast.
    """
    side = 120
    corners = np.array(face.corners, dtype=np.float32)
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    straight = cv2.warpPerspective(
        image_bgr, cv2.getPerspectiveTransform(corners, target), (side, side)
    )
    grey = cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY)
    variance = float(np.var(grey))
    if variance < 1.0:
        return 0.0
    return float(cv2.Laplacian(grey, cv2.CV_64F).var()) / variance


def _labs(face: FaceReading) -> Array:
    return np.array([sticker.lab for sticker in face.stickers], dtype=np.float64)


def _difference(one: Array, other: Array) -> Array:
    """ΔE of corresponding stickers, lightness counted half: shadows of the hand move."""
    return np.asarray(np.linalg.norm((one - other) * (0.5, 1.0, 1.0), axis=1))
