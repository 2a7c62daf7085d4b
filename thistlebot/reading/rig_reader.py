"""The cameras of a rig, which moves the cube if they do not see enough of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_name
from cube.moves import MoveSequence
from robot.rigs.mechanism import ScanProgram, ScanStop
from robot.rigs.program import Pose, RigProgram
from robot.running.turner import Turner
from thistlebot.errors import UsageError
from thistlebot.reading.late_cameras import LateCameras, Samples, WatchedCameras
from thistlebot.reading.reader import Reader
from thistlebot.reading.rig_scan import RigScan
from vision.cameras.camera import Camera
from vision.colours.profile import ColourProfile
from vision.decoding.acceptance import confirm
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame
from vision.geometry.sampling import mean_colours, sample_view
from vision.geometry.view import View
from vision.read_photos import read_views
from vision.reading import CubeReading
from vision.timed import timed

# A cube in doubt is looked at twice more: darker, so that nothing is clipped, and brighter, so that
# dark colours rise above the noise. DirectShow only supports halves and doubles.
_EXPOSURES = (0.5, 1.5)
_AS_IT_LIES = tuple(range(54))


@dataclass(frozen=True, slots=True)
class Shots:
    """Pictures of one cube, with the places of the stickers in each.

    Attributes:
        frames: The pictures.
        views: One for each picture; facelets have their names of the beginning of the look.
    """

    frames: tuple[Frame, ...] = ()
    views: tuple[View, ...] = ()

    def __add__(self, other: "Shots") -> "Shots":
        return Shots(self.frames + other.frames, self.views + other.views)

    @property
    def unseen(self) -> tuple[str, ...]:
        """Names of the facelets that are in none of them."""
        seen = {name for view in self.views for name in view.names()}
        return tuple(name for name in map(facelet_name, range(54)) if name not in seen)


class RigReader(Reader):
    """Reads a cube through the cameras of a rig.

    If they do not see enough, the rig turns the cube, or its layers, between the pictures. One face
    may stay unseen if the others determine it; otherwise the rig shows it, too.

    Args:
        scan: The views of the cameras, and the scan programs.
        cameras: One per view.
        driver: Returns the rig, ready to move; None if nothing may move.
        settle: Waits before a picture until the cube is at rest.
        profile: Measured colours, if the rig was calibrated.
        scheme: The cube's colours, if its owner gave them.
        late: The delay of the cameras; by default it is measured if there is one.
        reopen: Closes the cameras and opens them again; tried once for a look during which one
            failed.

    Attributes:
        on_stop: Called after each stop with the number of stops so far in this look, and the total
            as far as known.
    """

    def __init__(
        self,
        scan: RigScan,
        cameras: Sequence[Camera],
        driver: Callable[[], Turner | None] = lambda: None,
        settle: Callable[[], None] = lambda: None,
        *,
        profile: ColourProfile | None = None,
        scheme: Mapping[str, str] | None = None,
        late: LateCameras | None = None,
        reopen: Callable[[], Sequence[Camera]] | None = None,
    ) -> None:
        self._scan = scan
        self._cameras = cameras
        self._get_driver = driver
        self._settle = settle
        self._read_views = partial(timed(read_views), profile=profile, scheme=scheme)
        self._driver: Turner | None = None
        self._lies = _AS_IT_LIES
        self._turned = MoveSequence()
        self._moving = False
        self._shots = Shots()
        self._glimpsed = Shots()
        self._early: CubeReading | None = None
        self._late = late or LateCameras(settle)
        self._reopen = reopen
        self._stops = 0
        self.on_stop: Callable[[int, int], None] = lambda _done, _total: None

    @property
    def turned(self) -> MoveSequence:
        """The moves since the start of the last look."""
        return self._turned

    def glimpsed(self) -> NDArray[np.float64]:
        """Return the colours in the pictures of this look so far.

        Returns:
            (54, 3) CIELAB; NaN for facelets that were not seen yet.
        """
        return sample_view(self._glimpsed.frames, self._glimpsed.views)

    @property
    def moving(self) -> bool:
        """Whether the rig is moving for a look, or was interrupted while it moved."""
        return self._moving

    def glance(self) -> tuple[Frame, ...]:
        """Take one picture with each camera, of the cube as it is; nothing moves.

        Returns:
            The pictures; none if the rig must move the cube to show enough of it.
        """
        return self.pictures() if self._scan.moves_nothing else ()

    def read_glance(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures of a glance, as strictly as those of a look."""
        views = tuple(self._scan.view(camera, _AS_IT_LIES) for camera in range(len(frames)))
        return self._read(Shots(frames, views))

    @property
    def glimpses(self) -> bool:
        """Whether the cameras show enough of the cube without moving it."""
        return self._scan.moves_nothing

    def ask_glimpse(self) -> Callable[[], tuple[Frame, ...]]:
        """Request a picture of each camera; it is not recorded."""
        pictures = [camera.unrecorded.ask() for camera in self._cameras]
        return lambda: tuple(picture() for picture in pictures)

    def samples(self, frames: tuple[Frame, ...]) -> list[NDArray[np.float64]]:
        """Return what each camera sees: (54, 3) CIELAB, NaN for other facelets."""
        return self._samples(range(len(self._cameras)), frames)

    def _samples(self, cameras: Sequence[int], frames: tuple[Frame, ...]) -> Samples:
        return [
            mean_colours(frame, self._scan.view(camera, _AS_IT_LIES))
            for camera, frame in zip(cameras, frames, strict=True)
        ]

    def _watched(self, cameras: Sequence[int]) -> WatchedCameras:
        looking = [self._cameras[camera].unrecorded for camera in cameras]
        return WatchedCameras(
            lambda: tuple(camera.read() for camera in looking), partial(self._samples, cameras)
        )

    def pictures(self) -> tuple[Frame, ...]:
        """Take one picture with each camera, whatever it shows."""
        return self._pictures(range(len(self._cameras)), 1.0)

    def look(self) -> tuple[Frame, ...]:
        """Take pictures until they show enough of the cube.

        Raises:
            CameraError: A camera failed again, or cannot be opened; or a recording ended.
            LinkError: The board is needed to move the cube, and is not there.
            RigError: The rig cannot move it.
            UsageError: The rig would have to move it, and nothing may move.
        """
        try:
            return self._look_in_time()
        except CameraError as error:
            self._open_again(error)
            return self._look_in_time()

    def _open_again(self, error: CameraError) -> None:
        """Open the cameras again, unless that would show old pictures."""
        if self._reopen is None or isinstance(error, EndOfVideoError):
            raise error
        self.return_cube()
        self._cameras = self._reopen()

    def _look_in_time(self) -> tuple[Frame, ...]:
        late_s = self._late.late_s
        frames = self._look()
        while self._late.late_s > late_s:  # the first pictures may show an earlier cube
            late_s = self._late.late_s
            self.return_cube()
            frames = self._look()
        return frames

    def _look(self) -> tuple[Frame, ...]:
        self._lies, self._turned, self._early = _AS_IT_LIES, MoveSequence(), None
        self._moving, self._glimpsed = False, Shots()
        self._stops, self._late.given_up = 0, False
        if not self._scan.moves_nothing:
            self._late.wait(self._watched(range(len(self._cameras))))
        if not self._scan.moves_nothing:
            self._driver = self._get_driver()
        (self._shots,) = self._take(self._scan.first(self._pose, self._lanes))
        missing = None
        if not self._scan.moves_nothing:
            missing = self._plan(self._shots.unseen)
        if missing is not None:
            self._early = self._read(self._shots)
            if not self._early.accepted:
                self._early = None
                self._shots += self._take(missing)[0]
        return self._shots.frames

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures of the last look.

        If the cube seems mis-assembled, new pictures are taken, and the error is reported only if
        both readings agree. If the cube is in doubt for another reason, more looks are taken, with
        other exposures if the cameras support them, and all looks count.

        Raises:
            CameraError: See `look`.
        """
        try:
            return self._judged(frames)
        except CameraError as error:
            self._open_again(error)
            return self._judged(self._look_in_time())

    def _judged(self, frames: tuple[Frame, ...]) -> CubeReading:
        shots = Shots(frames, self._shots.views)
        first = self._early or self._read(shots)
        if first.accepted:
            return first
        if first.suspicion is not None:
            again = self._plan(map(facelet_name, _AS_IT_LIES))
            assert again is not None, "what was seen once can be seen again"
            (second,) = self._take(again)
            return confirm(first, self._read(second))
        wanted = [f"{face}{cell}" for face in first.reread for cell in range(1, 10)]
        again = self._plan(wanted) or self._plan(map(facelet_name, _AS_IT_LIES))
        assert again is not None, "what was seen once can be seen again"
        return self._read(shots, self._take(again, _EXPOSURES))

    def _read(self, shots: Shots, further: Sequence[Shots] = ()) -> CubeReading:
        more = [(each.frames, each.views) for each in further]
        return self._read_views(shots.frames, shots.views, further=more)

    def return_cube(self) -> None:
        """Undo the turns of the last look, so that the cube is in the state that was read."""
        back, self._turned = self._turned.inverse(), MoveSequence()
        if back and self._driver is not None:
            self._driver.run(self._scan.program(back, self._pose, self._lanes))
        self._lies = _AS_IT_LIES

    @property
    def _pose(self) -> Pose | None:
        return self._driver.pose if self._driver is not None else None

    @property
    def _lanes(self) -> int | None:
        return self._driver.lanes if self._driver is not None else None

    def _plan(self, facelets: Iterable[str]) -> ScanProgram | None:
        return self._scan.of(frozenset(facelets), self._lies, self._pose, self._lanes)

    def _take(self, program: ScanProgram, shares: Sequence[float] = (1.0,)) -> list[Shots]:
        """Run a scan program and take its pictures, once for each share of the usual exposure."""
        before, taken = self._glimpsed, [Shots() for _ in shares]
        total = self._stops + len(program.stops)
        last: tuple[ScanStop, tuple[Frame, ...]] | None = None
        for stop in program.stops:
            self._do(stop.program)
            watched = self._watched(stop.cameras)
            if stop.program.steps:
                self._late.wait(watched)
            lies = [self._lies[facelet] for facelet in stop.facelets]
            views = tuple(self._scan.view(camera, lies) for camera in stop.cameras)
            for number, share in enumerate(shares):
                frames = self._pictures(stop.cameras, share)
                if last is not None and _carried(last[0], stop) and share == 1.0:
                    while not self._late.follow(last[1], frames, watched):
                        self._late.wait(watched)
                        frames = self._pictures(stop.cameras, share)
                taken[number] += Shots(frames, views)
            last = stop, frames
            self._glimpsed = before + taken[0]
            self._stops += 1
            self.on_stop(self._stops, total)
        if program.start is None and program.stops:
            self._lies = tuple(self._lies[facelet] for facelet in program.stops[-1].facelets)
        return taken

    def _do(self, program: RigProgram) -> None:
        if not program.steps:
            return
        if self._driver is None:
            raise UsageError(
                "this rig must move the cube to see all of it, but nothing may move here: "
                "let it move, use the virtual machine, or describe the cube by photos, letters or "
                "a scramble"
            )
        self._moving = True
        self._driver.run(program)
        self._moving = False
        self._turned = MoveSequence((*self._turned, *program.moves))
        self._settle()

    def _pictures(self, cameras: Sequence[int], share: float) -> tuple[Frame, ...]:
        looking = [self._cameras[camera] for camera in cameras]
        try:
            for camera in looking:
                if share != 1.0:
                    camera.expose(share)
            pictures = [camera.ask() for camera in looking]
            return tuple(picture() for picture in pictures)
        finally:
            for camera in looking:
                if share != 1.0:
                    camera.expose(1.0)


def _carried(before: ScanStop, after: ScanStop) -> bool:
    """Return whether the same cameras see the same cube from another side, and no face turned."""
    moved = before.facelets != after.facelets and not after.program.moves
    return moved and before.cameras == after.cameras
