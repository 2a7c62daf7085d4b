"""The complete machine: rig, port, driver and cameras, real or virtual."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from robot.errors import NotAlignedError
from robot.ports.port import Clock, MonotonicClock, SimulatedClock
from robot.ports.serial_port import board_identity
from robot.protocol.messages import HelloReply
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Pose
from robot.running.driver import RigDriver
from robot.running.machine_record import MachineRecord
from thistlebot.config import Folders, find_rig_file, load_profile, load_rig
from thistlebot.errors import UsageError
from thistlebot.journal.journal import Journal, open_journal
from thistlebot.journal.machine_state import MachineState
from thistlebot.output import keep_going
from thistlebot.reading.recorded_reader import RecordedCamera
from thistlebot.reading.rig_scan import RigScan
from thistlebot.reading.rig_views import load_rig_views, require_enough_seen
from thistlebot.reading.schemes import known_scheme
from thistlebot.session.board_port import StopDoor, open_port
from thistlebot.session.choices import Choices
from vision.cameras.camera import Camera
from vision.colours.profile import ColourProfile
from vision.frame import Frame
from vision.geometry.view import View

if TYPE_CHECKING:
    from thistlebot.reading.rig_reader import RigReader
    from thistlebot.session.virtual_world import VirtualWorld
    from vision.cameras.light_lock import LightLock


class Machine:
    """Opens the parts of one machine when they are needed, and closes them all at the end.

    Attributes:
        on_picture: Called with each picture of the rig's cameras, or with the reason why there was
            none.
        share_camera: Called when the rig's cameras are opened; returns the camera to read from
            instead.
        mistake: What a virtual machine will do wrong in its next session, once.
        camera_names: The rig's cameras that were opened last.
        stopping: Set in any thread to stop what turns at the next detent, as `thistlebot stop` and
            the button of a computer's own board do; as long as it is set, nothing turns.
        stop_wanted: Returns whether the board's driver must stop; by default, whether `stopping` is
            set.
    """

    def __init__(
        self,
        choices: Choices,
        folders: Folders,
        stack: ExitStack,
        on_packet: Callable[[str], None] | None = None,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.choices = choices
        self.note = note
        self.on_picture: Callable[[int, Frame | str], None] = lambda _camera, _frame: None
        self.share_camera: Callable[[int, Camera], Camera] = lambda _number, camera: camera
        self.mistake = choices.mistake
        self.camera_names: tuple[str, ...] = ()
        self._on_packet = on_packet
        self.folders = folders
        self.rig: Mechanism = load_rig(choices.rig, folders, note)
        self.profile: ColourProfile | None = load_profile(choices.profile, folders)
        self.scheme = known_scheme(choices.scheme, self.profile)
        self._stack = stack
        self._clock: Clock = MonotonicClock()
        self._world: VirtualWorld | None = None
        self._cameras: list[Camera] = []
        self._said_aligned = choices.aligned
        self._unreadable = ""
        self.stopping = threading.Event()
        self.stop_wanted: Callable[[], bool] = lambda: self.stopping.is_set()  # noqa: PLW0108 - it may be replaced
        self._driver: RigDriver | None = None
        self._reader: RigReader | None = None
        self.board: HelloReply | None = None
        self.port_name = ""
        self._real_port = ""

    @property
    def has_rig_file(self) -> bool:
        """Whether the user described or named a rig; otherwise the built-in one is used."""
        return (
            self.choices.rig is not None
            or find_rig_file(self.choices.rig, self.folders) is not None
        )

    @cached_property
    def journal(self) -> Journal:
        """The journal of all runs, which is written until the machine is closed."""
        journal = open_journal(self.folders)
        self._stack.callback(self._close, journal)
        return journal

    def _close(self, journal: Journal) -> None:
        journal.close()
        if trouble := journal.trouble():
            self.note(trouble)

    @property
    def _machine_state(self) -> MachineState:
        port = self._real_port or self.choices.port or self.rig.port
        return MachineState(self.folders.data, board_identity(port) if port else "", self.note)

    @property
    def profile_file(self) -> Path | None:
        """The file for a profile that was adapted to the light; None for a virtual light."""
        name = None if self.choices.virtual else self.choices.profile
        return None if name is None else self.folders.profile_file(name)

    @property
    def clock(self) -> Clock:
        """The machine's clock: the computer's, or an accelerated one for a virtual machine."""
        return self._clock

    @property
    def world(self) -> "VirtualWorld":
        """The virtual world, which exists as long as the machine."""
        from thistlebot.session.virtual_world import VirtualWorld

        if self._world is None:
            self._world = VirtualWorld(
                self.rig,
                seed=self.choices.seed,
                clock=self._clock,
                views=self._rig_views(),
                scheme=self.scheme or WESTERN_SCHEME,
            )
        return self._world

    def hurry(self) -> None:
        """Run a virtual machine as fast as it can be computed, from the start."""
        if self.choices.virtual and self._world is None:
            self._clock = SimulatedClock()

    def use_virtual(self) -> None:
        """Use the virtual rig and cameras, as if the user had asked for them."""
        self.choices = replace(self.choices, virtual=True)

    def scramble_virtual_cube(self, state: CubeState | None, rng: np.random.Generator) -> None:
        """Put a cube into the virtual rig: the given state, or a random one."""
        from cube.random_states import random_state

        self.world.rig.state = random_state(rng) if state is None else state

    def connected_driver(self) -> RigDriver:
        """Open the port and find the board, once; nothing moves.

        Raises:
            LinkError: The port or the board is missing, busy, silent, noisy or of another version.
        """
        if self._driver is None:
            real = None
            remembered: dict[str, Any] = {}  # a virtual board does not outlive this program
            stop = self.stopping.set
            if not self.choices.virtual:
                real = open_port(self.choices, self.rig, self.folders, stop)
                self._real_port = real.name
                state = self._machine_state
                remembered = {"record": self._last_record(state), "keep": state.keep}
            elif self.choices.port:
                self.note(f"the virtual machine has a virtual board, not {self.choices.port}")
            port = self._stack.enter_context(closing(real or self.world.open_port()))
            driver = RigDriver(port, self.rig, self._clock, on_packet=self._on_packet, **remembered)
            driver.stop_wanted = self.stop_wanted
            self._stack.callback(driver.close)
            self.board = driver.connect()
            self.port_name = port.name
            self._driver = driver
            if real is not None:
                door = StopDoor(self.folders.state, port.name, stop, lambda: driver.at_rest)
                self._stack.enter_context(closing(door))
        return self._driver

    def _last_record(self, state: MachineState) -> MachineRecord | None:
        try:
            return state.last()
        except UsageError as error:
            self._unreadable = str(error)
            return None

    def known_lanes(self) -> int:
        """Number of motors that the board turns at once; until it connects, from the rig file."""
        return self._driver.lanes if self._driver is not None else self.rig.lanes

    def known_pose(self) -> Pose | None:
        """The pose of machine and cube; None if unknown."""
        return self._driver.pose if self._driver is not None else None

    def driver(self) -> RigDriver:
        """Return the connected board with the rig's settings and its motors on.

        Raises:
            LinkError: The board is not there.
            NotAlignedError: A face may be askew, and the user did not confirm that it is aligned.
            RigError: Its motors cannot be switched on.
        """
        driver = self.connected_driver()
        confirmed = self._confirmed()
        driver.prepare(aligned=confirmed)
        self._said_aligned = False  # not before the board was ready: it may refuse
        self._unreadable = "" if confirmed else self._unreadable
        return driver

    def why_askew(self) -> str:
        """Return why a face may be between detents; empty if none is, as far as known.

        Raises:
            LinkError: The board is not there.
        """
        driver = self.connected_driver()
        return self._unreadable or ("" if self.choices.virtual else driver.why_askew())

    def require_aligned(self) -> None:
        """Refuse to turn anything if a face may be askew, unless the user confirmed the alignment.

        Raises:
            EmergencyStopError: It is pressed.
            LinkError: The board is not there.
            NotAlignedError: A face may be askew, and the user did not confirm.
        """
        self.connected_driver().require_released()
        if self._confirmed():
            self.confirm_aligned()
        self._said_aligned = False

    def confirm_aligned(self) -> None:
        """Note that a person has aligned everything that was askew."""
        self._unreadable = ""
        self._machine_state.forget()
        if self._driver is not None:
            self._driver.record = None

    def _confirmed(self) -> bool:
        """Return whether a face may be askew, but the user confirmed the alignment; see above."""
        if not (why := self.why_askew()):
            return False
        if not self._said_aligned:
            if self.rig.handles_cube:
                what = "a part or the cube may be out of its place"
                do = "take the cube out, bring every part to its start and put the cube in again"
            else:
                what = "a face may be out of alignment and block the others"
                do = "align every face by hand"
            raise NotAlignedError(f"{what} ({why}); {do}, then confirm it with `thistlebot align`")
        return True

    def camera_sources(self) -> tuple[int | str, ...]:
        """Return the sources to open: the cameras of the command line, or those of the rig."""
        return self.choices.cameras or tuple(camera.device for camera in self.rig.cameras)

    def views(self) -> tuple[View, ...]:
        """Return the views of the rig's cameras, real or virtual.

        Raises:
            ConfigError: A view file is missing or wrong.
            UsageError: The rig describes no cameras, or its views are not those of this cube.
        """
        if self.choices.virtual:
            return self.world.views
        views = self._rig_views()
        sources = self.camera_sources()
        if not sources or len(sources) != len(views):
            raise UsageError(
                f"rig {self.rig.name!r} has {len(views)} views for {len(sources)} cameras; "
                "give each camera in the rig file a view, or repeat --camera for each view"
            )
        return views

    @property
    def views_in_use(self) -> tuple[View, ...]:
        """The views in use; empty as long as no camera is open."""
        return () if self._reader is None else self.views()

    def _rig_views(self) -> tuple[View, ...]:
        file = find_rig_file(self.choices.rig, self.folders)
        return load_rig_views(self.rig, file, self.choices.scheme, self.scheme)

    @cached_property
    def scan(self) -> RigScan:
        """Return the views and scan programs of the rig; no camera is opened.

        Raises:
            ThistlebotError: See `views`.
        """
        return RigScan(self.rig, self.views(), self.choices.scheme)

    def unseen_stickers(self) -> tuple[str, ...]:
        """Return the stickers that the cameras can never see, without opening a camera.

        Raises:
            ThistlebotError: See `scan`.
        """
        return self.scan.unseen()

    def view_reader(self, *, enough: bool = True, moving: bool = True) -> "RigReader":
        """Open the rig's cameras, once, and return their reader.

        Args:
            enough: Refuse cameras that leave every cube in doubt, before any is opened.
            moving: The rig may move the cube for the cameras; virtual ones always may.

        Raises:
            CameraError: A camera cannot be opened.
            ConfigError: A view file is missing or wrong.
            UsageError: The rig describes no cameras, or they see too little of the cube.
        """
        if enough:
            require_enough_seen(self.unseen_stickers())
        if self._reader is None:
            self._reader = self._opened_reader(moving=moving or self.choices.virtual)
        return self._reader

    def _opened_reader(self, *, moving: bool) -> "RigReader":
        from thistlebot.reading.rig_reader import RigReader

        return RigReader(
            self.scan,
            self._reopened_cameras(),
            self.driver if moving else lambda: None,
            self.settle,
            profile=self.profile,
            scheme=self.choices.scheme,
            reopen=self._reopened_cameras,
        )

    def _reopened_cameras(self) -> list[Camera]:
        """Close the rig's cameras, and open them."""
        from vision.cameras.proven_camera import proven

        self._close_cameras()
        if self.choices.virtual and self.choices.cameras:
            named = " and ".join(self.choices.cameras)
            self.note(f"the virtual machine looks through virtual cameras, not through {named}")
        cameras: Sequence[Camera] = (
            self.world.cameras
            if self.choices.virtual
            else [proven(self.open_camera(source), source) for source in self.camera_sources()]
        )
        self.camera_names = tuple(camera.name for camera in cameras)
        return [self._recorded(number, camera) for number, camera in enumerate(cameras)]

    def settle(self) -> None:
        """Wait, by the machine's own clock, until the faces are at rest."""
        self._clock.sleep(self.rig.settle_ms / 1000)

    def _recorded(self, number: int, camera: Camera) -> Camera:
        shared = self.share_camera(number, camera)
        return RecordedCamera(shared, lambda frame: self.on_picture(number, frame))

    def _close_cameras(self) -> None:
        for camera in self._cameras:
            camera.close()
        self._cameras.clear()

    def open_camera(self, source: int | str) -> Camera:
        """Open one camera; it is closed with the machine.

        Raises:
            CameraError: It cannot be opened.
        """
        from vision.cameras.camera_kinds import open_camera

        camera = self._stack.enter_context(open_camera(source))
        self._cameras.append(camera)
        return camera

    @contextmanager
    def lend_camera(self, source: int | str) -> Iterator[Camera]:
        """Open a camera temporarily, for other purposes than the rig's views.

        The rig's cameras are closed first, because it may be one of them; they are opened again for
        their next use.

        Raises:
            CameraError: It cannot be opened.
        """
        from vision.cameras.camera_kinds import open_camera

        if self._cameras:
            self._close_cameras()
            self._reader = None
        with open_camera(source) as camera:
            yield camera

    def lights(self) -> "list[tuple[str, LightLock]]":
        """Return the result of locking the light of each webcam opened so far, by its name."""
        return [(camera.name, camera.light) for camera in self._cameras if camera.light]


@contextmanager
def open_machine(
    choices: Choices,
    folders: Folders | None = None,
    on_packet: Callable[[str], None] | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Iterator[Machine]:
    """Open a machine; everything that it opened is closed at the end, even after Ctrl-C.

    Output that cannot be written does not stop its movements.
    """
    keep_going()
    with ExitStack() as stack:
        yield Machine(choices, folders or Folders.of_platform(), stack, on_packet, note)
