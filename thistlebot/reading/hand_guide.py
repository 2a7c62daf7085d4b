"""Guides a user who holds the six faces of a cube before one camera, frame by frame.

It opens no camera, shows nothing and never sleeps: a terminal or a web page feeds it frames and
shows its instructions.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from thistlebot.errors import MisreadError
from thistlebot.reading.refusal import misread_text
from thistlebot.reading.schemes import known_scheme
from thistlebot.words.guidance import told_text
from thistlebot.words.words import DEFAULT, load_words
from vision.colours.profile import ColourProfile
from vision.decoding.acceptance import confirm
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame
from vision.live.capture import CAPTURE_ORDER, LiveScan
from vision.live.step import FACE_NAMES, Guidance, LiveState, LiveStep
from vision.read_photos import SeenFace, read_cube_faces
from vision.reading import CubeReading, FaceReading, Polygon, ReadingState
from vision.timed import timed


@dataclass(frozen=True, slots=True)
class GuideStep:
    """What to show and to tell the user after one frame.

    Attributes:
        state: What it waits for.
        told: What to tell the user.
        faces: For the letter of each face captured so far, the colour names of its nine stickers,
            in the order URFDLB.
        seen: The face in this frame; None if there is none.
        wanted: Letter of the face to show, None if all are captured.
        captured: Letter of the face that this frame captured, else None.
        progress: 0..1, progress of holding the face still.
    """

    state: LiveState
    told: Guidance
    faces: Mapping[str, tuple[str, ...]]
    seen: FaceReading | None
    wanted: str | None
    captured: str | None
    progress: float

    @property
    def guidance(self) -> str:
        """One or two plain English sentences for the user."""
        return told_text(self.told, load_words(DEFAULT))

    @property
    def outline(self) -> Polygon | None:
        """The face in the picture, pixels, clockwise from top left."""
        return None if self.seen is None else self.seen.corners

    @property
    def polygons(self) -> tuple[Polygon, ...]:
        """Its nine stickers in the picture, pixels, row by row; empty without a face."""
        stickers = () if self.seen is None else self.seen.stickers
        return tuple(sticker.polygons[0] for sticker in stickers)


class HandGuide:
    """Captures six faces, each as soon as it is sharp and still, and reads the cube.

    The caller feeds frames, and calls `conclude` after each of them. If the cube is in doubt, more
    looks are taken at the faces that still matter, and the cube is read after each of them, from
    all looks; unless `until_sure` is false, as for a calibration, which needs the colours in any
    case. A cube that seems mis-assembled is shown completely again, and read from scratch.

    Args:
        profile: Measured colours, if any.
        scheme: The cube's colours, if its owner gave them; otherwise the instructions use those of
            the profile, or the usual ones until a face shows other colours.
        any_order: Faces may come in any order and rotated.
        until_sure: Continue while the cube is in doubt.

    Raises:
        UsageError: Profile and scheme contradict each other.
    """

    def __init__(
        self,
        profile: ColourProfile | None = None,
        scheme: Mapping[str, str] | None = None,
        *,
        any_order: bool = False,
        until_sure: bool = True,
    ) -> None:
        known = known_scheme(scheme, profile)
        self._profile = profile
        self._scheme = scheme
        self._any_order = any_order
        self._until_sure = until_sure
        self._scan = LiveScan(
            scheme=known or WESTERN_SCHEME, guessed=known is None, any_order=any_order
        )
        self._suspected: CubeReading | None = None
        self._asked: tuple[str, ...] = ()
        self._due = False
        self._seen: tuple[FaceReading, Frame] | None = None
        self._objection = ""
        self.reading: CubeReading | None = None
        """The last reading; None until every face was captured."""
        self.done = False
        """Whether `reading` is final."""

    @property
    def start(self) -> GuideStep:
        """The instructions before the first frame."""
        told = Guidance(instruction=self._scan.instruction(CAPTURE_ORDER[0]))
        return GuideStep(LiveState.SEARCHING, told, {}, None, self._scan.wanted, None, 0.0)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The pictures of all looks: the first ones in the order URFDLB, then the others."""
        return tuple(picture for _, _, picture in self._scan.looks)

    @property
    def ready(self) -> bool:
        """Whether `conclude` will read the cube."""
        return self._due and len(self._scan.faces) == len(FACES)

    @property
    def objection(self) -> str:
        """Why the last reading is not trusted; empty if the previous one had the same reason."""
        return self._objection

    @property
    def captured_text(self) -> str:
        """Which faces are captured and which are missing, by the colours of their centres."""
        captured, missing = list(self._scan.faces), self._missing
        told = f"{len(captured)} of {len(FACES)} faces are captured"
        named = [self._name(face) for face in captured]
        lost = [self._name(face) for face in missing]
        if self._any_order:
            usual = (self._scheme or WESTERN_SCHEME).values()
            lost = [colour for colour in usual if colour not in named]
            if len(lost) != len(missing):  # a colour was misjudged
                lost = [f"{len(missing)} faces"]
        told += f" ({', '.join(named)})" if named else ""
        return f"{told}; missing: {', '.join(lost)}" if missing else told

    def feed(self, frame: Frame) -> GuideStep:
        """Search a frame for the face, and capture it if it is held still."""
        return self._shown(self._scan.feed(frame), frame)

    def capture_now(self) -> GuideStep | None:
        """Capture the face of the last frame in any case; return None if it had none."""
        if self._seen is None or self._scan.wanted is None:
            return None
        return self._shown(self._scan.capture_now(*self._seen), self._seen[1])

    def finish(self, error: CameraError) -> CubeReading:
        """Conclude without further pictures: the camera is lost, or its recording has ended.

        A face that was held still last counts as captured.

        Returns:
            The reading of the faces captured so far, which may be in doubt.

        Raises:
            MisreadError: The recording ended, and faces are missing.
            CameraError: The camera is lost, and faces are missing.
        """
        self._due |= self._scan.finish() is not None
        reading = self.conclude() or self.reading
        if reading is not None:
            self.done = True
            return reading
        text = f"{error}; {self.captured_text}. Show each of the six faces still for two seconds"
        if isinstance(error, EndOfVideoError):
            raise MisreadError(text, () if self._any_order else self._missing) from None
        raise type(error)(text) from None

    def redo(self, face: str) -> None:
        """Forget all looks at a face and ask for it next; the others are kept.

        Raises:
            VisionError: There is no such face.
        """
        self._scan.redo(face)
        self.done = False

    def conclude(self) -> CubeReading | None:
        """Read the cube, if a face was captured since the last reading and none is missing.

        Returns:
            The reading; ``done`` says whether it is final. None if there was no reason to read.
        """
        ready, self._due = self.ready, False
        if not ready:
            return None
        reading = timed(read_cube_faces)(
            [SeenFace(face, seen, n) for n, (face, seen, _) in enumerate(self._scan.looks)],
            self._profile,
            scheme=self._scheme,
            any_order=self._any_order,
        )
        if self._suspected is not None:
            reading = confirm(self._suspected, reading)
        self.reading = reading
        sure = reading.accepted or reading.state is ReadingState.MISASSEMBLED
        self.done = sure or not reading.reread or not self._until_sure
        self._objection = ""
        if not self.done:
            self._look_again(reading)
        return reading

    @property
    def _missing(self) -> tuple[str, ...]:
        return tuple(face for face in FACES if face not in self._scan.faces)

    def _name(self, face: str) -> str:
        colour = self._scan.centres.get(face, "")
        if self._any_order:
            return colour
        return f"{FACE_NAMES[face]} ({colour})" if colour else FACE_NAMES[face]

    def _look_again(self, reading: CubeReading) -> None:
        if reading.reread != self._asked:
            self._objection = misread_text(reading)
        self._asked = reading.reread
        self._suspected = reading if reading.suspicion else None
        if self._suspected is None:
            self._scan.look_again([_shown_as(face, reading) for face in self._asked])
            return
        for face in reversed(CAPTURE_ORDER):  # two readings agree only if neither helps
            self._scan.redo(face)

    def _shown(self, step: LiveStep, frame: Frame) -> GuideStep:
        self._seen = None if step.face is None else (step.face, frame)
        self._due |= step.captured is not None
        return GuideStep(
            step.state,
            step.told,
            {face: seen.colours for face, seen in self._scan.faces.items()},
            step.face,
            step.wanted,
            step.captured,
            step.progress,
        )


def _shown_as(face: str, reading: CubeReading) -> str:
    """Return the letter under which a face of the cube was shown."""
    return FACES[reading.cells[9 * FACES.index(face) + 4] // 9]
