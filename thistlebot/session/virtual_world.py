"""A virtual cube in a virtual rig in front of virtual cameras, in place of a real machine."""

from collections.abc import Callable, Mapping, Sequence

from cube.facelets import Facelets
from cube.net import WESTERN_SCHEME
from cube.state import SOLVED, CubeState
from robot.gcode.board import GCodeBoard
from robot.ports.port import Clock, MonotonicClock, Port
from robot.rigs.board_file import GCodeFile
from robot.rigs.mechanism import Mechanism, RigCamera
from robot.virtual.controllers.controlled_rig import ControlledRig
from robot.virtual.misturns import StagedMisturn
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.events import Entered, Event, Phase, Read
from thistlebot.session.choices import Disturbance, StagedMistake
from vision.cameras.camera import Camera
from vision.geometry.view import View
from vision.placement.camera_pose import view_pinhole
from vision.virtual.background import rig_clutter
from vision.virtual.render import Viewpoint
from vision.virtual.viewpoints import (
    CORNER_CAMERAS,
    corner_viewpoint,
    default_views,
    straight_viewpoint,
)
from vision.virtual.virtual_camera import VirtualCamera

_UNDER_A_HAND = 3
"""Facelets of the first view."""


class VirtualWorld:
    """A virtual cube in a virtual rig, in front of virtual cameras.

    The rig turns the cube and the cameras see it; nothing else connects them.

    Args:
        rig: The machine. A rig without cameras gets the default rig's two.
        state: The cube in it.
        seed: Seed of the light, and of all random choices.
        clock: The clock of the movements and of the pictures.
        views: One for each camera of the rig; the virtual cameras are placed accordingly.
        scheme: Colour of each face.

    Attributes:
        disturbance: What spoils the pictures now, if anything does.
    """

    def __init__(
        self,
        rig: Mechanism,
        state: CubeState = SOLVED,
        seed: int = 0,
        clock: Clock | None = None,
        *,
        views: Sequence[View] = (),
        scheme: Mapping[str, str] = WESTERN_SCHEME,
    ) -> None:
        clock = clock or MonotonicClock()
        self.disturbance: Disturbance | None = None
        controlled = isinstance(rig.board, GCodeFile)
        self.rig = (ControlledRig if controlled else VirtualRig)(rig, clock, state, seed)
        self._machine, self._clock = rig, clock
        self.views: tuple[View, ...] = tuple(views) or default_views(scheme)
        places = [corner_viewpoint(camera) for camera in CORNER_CAMERAS]
        needs: list[Mapping[str, tuple[str, ...]]] = [{} for _ in places]
        if views:
            places = [
                _viewpoint(number, camera, view)
                for number, (camera, view) in enumerate(zip(rig.cameras, views, strict=True))
            ]
            needs = [camera.needs for camera in rig.cameras]
        self.cameras: tuple[Camera, ...] = tuple(
            VirtualCamera(
                lambda: self.rig.shown,
                place,
                seed=seed + number,
                scheme=scheme,
                covered=self._covered(view, wanted, _UNDER_A_HAND * (number == 0)),
                shining=lambda: self.disturbance is Disturbance.GLARE,
                clock=clock,
            )
            for number, (place, view, wanted) in enumerate(
                zip(places, self.views, needs, strict=True)
            )
        )

    def open_port(self) -> Port:
        """Open the port of the rig's board: ours, or a controller that speaks G-code.

        Raises:
            LinkError: The controller does not answer, or its settings do not fit the rig.
        """
        board, rig = self._machine.board, self.rig
        if isinstance(board, GCodeFile) and isinstance(rig, ControlledRig):
            return GCodeBoard(rig, rig.dialect, board, self._machine.motors, self._clock)
        return rig

    def put_cube(self, event: Event) -> None:
        """Put the cube that was read elsewhere into the rig, as a person would.

        This is a listener of the session that reads it.
        """
        match event:
            case Read(reading=reading) if reading.facelets is not None:
                self.rig.state = CubeState.from_facelets(Facelets(reading.facelets))

    def _covered(
        self, view: View, needs: Mapping[str, tuple[str, ...]], under_hand: int
    ) -> Callable[[], tuple[str, ...]]:
        """Return a function that names the hidden facelets: all, while a part is in the way."""
        names = tuple(sorted(view.names()))

        def hidden() -> tuple[str, ...]:
            if not self.rig.stands(needs):
                return names
            return names[:under_hand] if self.disturbance is Disturbance.COVER else ()

        return hidden


def _viewpoint(number: int, camera: RigCamera, view: View) -> Viewpoint:
    """Return the viewpoint of a rig's camera."""
    if camera.view:
        return Viewpoint(camera.name, view_pinhole(view), bool(view.centres), rig_clutter)
    if camera.sees:
        return straight_viewpoint(camera.sees, camera.name)
    return corner_viewpoint(tuple(CORNER_CAMERAS)[number])


class Staging:
    """A listener of a session that lets the virtual world make a mistake at the right time."""

    def __init__(
        self, mistake: StagedMistake, world: VirtualWorld, note: Callable[[str], None]
    ) -> None:
        self._mistake: StagedMistake | None = mistake
        self._world = world
        self._note = note

    def __call__(self, event: Event) -> None:
        """Make the mistake in the first reading, or among the turns."""
        if self._mistake is None or not isinstance(event, Entered):
            return
        what = self._mistake.what
        if isinstance(what, StagedMisturn):
            if event.phase is Phase.EXECUTE:
                self._world.rig.stage(what)
            elif event.phase in (Phase.VERIFY, Phase.DONE):
                self._mistake = None
                if self._world.rig.staged is what:
                    self._note("no turn of the plan fits the mistake, so none was made")
        elif event.phase is Phase.SCAN:
            self._world.disturbance = what
        elif event.phase is not Phase.DECODE:  # the reading may look once more
            self._mistake = self._world.disturbance = None
