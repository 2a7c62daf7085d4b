"""The world of a recorded run: cameras show their pictures again, the rig repeats its turns."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Pose, RigProgram
from robot.running.program_run import RunProgress, RunResult
from robot.running.turner import Turner
from solver.stages.solution import Chain, Solution
from thistlebot.events import (
    Checking,
    Continued,
    Diagnosed,
    Entered,
    Event,
    Executed,
    Followed,
    Phase,
    Planned,
    Turned,
    Verified,
)
from thistlebot.journal.rows import STORED, Picture
from thistlebot.reading.readers import ColourReader, PhotoReader
from thistlebot.reading.scan_file import parse_scan
from vision.cameras.camera import Camera
from vision.colours.profile import ColourProfile
from vision.errors import CameraError
from vision.frame import Frame
from vision.reading import CubeReading


class RecordEndsError(Exception):
    """The record does not tell what happened next; the message names the request."""


def frame_of(picture: Picture) -> Frame:
    """Return a recorded picture as the camera gave it.

    Raises:
        CameraError: The camera gave none; the message is the original one.
        RecordEndsError: It was deleted to free space.
    """
    if not picture.png:
        raise CameraError(picture.source)
    image = cv2.imdecode(np.frombuffer(picture.png, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise RecordEndsError(f"picture {picture.number} is damaged")
    return Frame(np.asarray(image, np.uint8), picture.source, picture.time_s)


class Pictures:
    """The pictures of a run, delivered again in the same order.

    Args:
        pictures: The pictures, in the original order.
    """

    def __init__(self, pictures: Iterable[Picture]) -> None:
        self._left = deque(pictures)
        self._taken = 0

    def next(self, camera: int) -> Frame:
        """Return the next picture.

        Raises:
            CameraError: The camera gave none.
            RecordEndsError: That camera took no picture at this point.
        """
        picture = self._left.popleft() if self._left else None
        if picture is None or picture.camera != camera or picture.number != self._taken:
            raise RecordEndsError(f"a picture of camera {camera}")
        self._taken += 1
        return frame_of(picture)

    def stored(self) -> tuple[Frame, ...]:
        """Return the photos from files; they come before any picture of a camera."""
        frames = []
        while self._left and self._left[0].camera == STORED:
            frames.append(self.next(STORED))
        return tuple(frames)


class PlayedCamera(Camera):
    """A camera of a recorded run.

    Args:
        number: Its number.
        pictures: The pictures of the run.
    """

    def __init__(self, number: int, pictures: Pictures) -> None:
        self._number = number
        self._pictures = pictures

    @property
    def name(self) -> str:
        """Its name."""
        return f"recorded camera {self._number}"

    def read(self) -> Frame:
        """Return the next picture; `RecordEndsError` if it took none at this point."""
        return self._pictures.next(self._number)

    def close(self) -> None:
        """Do nothing."""


class PlayedPhotos(PhotoReader):
    """The photos of a recorded run.

    Args:
        pictures: The pictures of the run.
        profile: See `PhotoReader`.
        ways: See `PhotoReader`.
    """

    def __init__(self, pictures: Pictures, profile: ColourProfile | None, **ways: Any) -> None:
        self._frames = pictures.stored()
        if not self._frames:
            raise RecordEndsError("photos of the cube")
        super().__init__(Path(self._frames[0].source).parent, profile, **ways)

    def look(self) -> tuple[Frame, ...]:
        """Return the photos as loaded originally."""
        return self.order(self._frames)


class PlayedColours(ColourReader):
    """The sampled colours of a recorded run.

    Args:
        line: The line of the scan's file.
        profile: See `ColourReader`.
        ways: See `ColourReader`.
    """

    def __init__(self, line: str, profile: ColourProfile | None, **ways: Any) -> None:
        super().__init__(Path("the record"), profile, **ways)
        self._line = line

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the colours."""
        del frames
        return self._decode(parse_scan(self._line, "the record"))


_DECISIONS = tuple(map(Entered, (Phase.SCAN, Phase.PLAN, Phase.EXECUTE, Phase.VERIFY)))


class PlayedRig:
    """A rig that repeats a recorded run; implements `robot.running.turner.Turner`.

    Args:
        rig: Its description.
        events: The events of the run.
        lanes: Number of motors that its board turned at once.
        pose: The pose of machine and cube at the beginning.
    """

    def __init__(
        self, rig: Mechanism, events: Sequence[Event], lanes: int, pose: Pose | None
    ) -> None:
        self.executed = 0
        self.at_detents = True
        self.pose = pose
        self._rig = rig
        self._lanes = lanes
        self._acts = deque(
            event
            for event in events
            if isinstance(event, (Turned, Continued, Executed, Diagnosed)) or event in _DECISIONS
        )
        if self._acts and self._acts[0] == Entered(Phase.SCAN):
            self._acts.popleft()  # the first look; later ones follow a plan that took too long

    @property
    def lanes(self) -> int:
        """Number of motors that turn at once."""
        return self._lanes

    def keep_on(self) -> bool:
        """Return whether the run continued without another look."""
        if self._acts and self._acts[0] == Entered(Phase.PLAN):
            self._acts.popleft()
        return not self._acts or self._acts[0] != Entered(Phase.SCAN)

    def prepare(self) -> None:
        """Take the pose that the machine took to look or plan again."""
        if self._acts and self._acts[0] == Entered(Phase.SCAN):
            self._acts.popleft()
            self.pose = self.pose or self._rig.ready().end
            return
        while self._acts and not isinstance(self._acts[0], Diagnosed):
            self._acts.popleft()
        if len(self._acts) > 1 and self._acts[1] == Entered(Phase.VERIFY):
            self.pose = self._rig.ready().end  # it looked again before it planned
        if self._acts:
            self._acts.popleft()

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
    ) -> RunResult:
        """Report the recorded progress; movements for a look or to the rest pose report none."""
        self.pose = program.end
        if on_progress is None:
            return RunResult(len(program.steps), program.moves_of(len(program.steps)), 0.0)
        return self._play(len(program.steps), on_progress)

    def _play(self, steps: int, on_progress: Callable[[RunProgress], None]) -> RunResult:
        while self._acts and self._acts.popleft() != Entered(Phase.EXECUTE):
            pass
        while self._acts:
            match self._acts[0]:
                case Turned(done, total):
                    on_progress(RunProgress(done, total, 0.0))
                case Continued(done, total):
                    on_progress(RunProgress(done, total, 0.0, continued=True))
                case Executed(executed, time_s) if executed == steps:
                    self._acts.popleft()
                    self.executed = executed
                    return RunResult(executed, MoveSequence(), time_s)
                case _:
                    break
            self._acts.popleft()
        raise RecordEndsError("a completed program")


class PlayedFreshness:
    """Repeats the decisions of a recorded run; implements `Freshness`, and is a listener.

    Pictures that were only compared are not recorded. So pictures count as fresh unless a face was
    turned on purpose before the next look, or the program waited for newer ones.

    Args:
        events: The events of the run.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._told = deque(
            event for event in events if isinstance(event, (Followed, Verified, Checking))
        )

    def __call__(self, event: Event) -> None:
        """Go on to the next look."""
        if isinstance(event, (Verified, Checking)):
            while self._told and type(self._told.popleft()) is not type(event):
                pass

    def watch(self, progress: RunProgress) -> None:
        """Do nothing."""

    def saw_last_turn(self, program: RigProgram, frames: tuple[Frame, ...]) -> bool:
        """Return whether the recorded run decided after these pictures."""
        del program, frames
        return not self._told or isinstance(self._told[0], Verified)

    def answers(self, driver: Turner, shown: Facelets) -> float | None:
        """Return what was recorded."""
        del driver, shown
        if self._told and isinstance(self._told[0], Followed):
            return self._told[0].late_s
        raise RecordEndsError("a turn there and back")


class PlayedSolver:
    """Returns the solutions of a recorded run.

    Args:
        events: The events of the run.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._plans = deque(event.solution for event in events if isinstance(event, Planned))

    def __call__(self, state: CubeState) -> Solution:
        """Return the recorded solution, checked: it must solve the state.

        Args:
            state: The cube, relabelled so that its target is the solved one.
        """
        plan, moves = None, MoveSequence()
        while self._plans and (plan is None or state.apply(moves) != SOLVED):
            plan = self._plans.popleft()  # some were made again from the one before
            moves = MoveSequence.parse(plan.moves)
        if state.apply(moves) != SOLVED:
            raise RecordEndsError(f"a solution of {state.to_facelets().text}")
        if plan is None:
            return Solution(state, moves)
        chain = Chain(plan.chain)
        return Solution(state, moves, chain=chain, cpu_ms=plan.cpu_ms, of_inverse=plan.of_inverse)
