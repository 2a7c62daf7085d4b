"""The context of a job: the opened machine, the solver, and its communication with viewers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from calibration.colours import DRIFT_THRESHOLD, light_drift
from cube.facelets import facelet_name
from documents.errors import ConfigError
from frontends.control.commands import Command, Copy, Solve
from frontends.control.hub import Hub
from frontends.control.shared_pictures import Feeds, LookBook
from frontends.control.view_model import notices
from frontends.control.view_model.attention import of_light
from frontends.control.view_model.notices import Mark
from frontends.control.view_model.view import MachineStatus
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from solver.goal import Goal
from thistlebot.config import LIKE_A_HAND, load_rig
from thistlebot.errors import UsageError
from thistlebot.events import Ended, Entered, Event, Looked, Phase, Read, Verified
from thistlebot.journal.run_times import RunClock
from thistlebot.reading.corrections import Corrections
from thistlebot.reading.reader import Look
from thistlebot.records import full_reading_record
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine
from thistlebot.session.target import Target
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from vision.cameras.camera import Camera
from vision.cameras.camera_kinds import list_cameras
from vision.cameras.camera_source import is_local_camera, shown_source
from vision.colours.colour_spaces import lab_to_srgb
from vision.colours.profile import ColourProfile
from vision.errors import CameraError
from vision.geometry.view import View
from vision.reading import CubeReading


@dataclass(slots=True)
class Drafts:
    """Unsaved results of calibrations of an opened machine.

    Attributes:
        profile: Colours.
        view: View of a camera.
        rig: With other values of its motors, or places and times.
    """

    profile: ColourProfile | None = None
    view: View | None = None
    rig: FaceMotors | ActionMachine | None = None


def offered_camera(wish: str, known: Sequence[int | str]) -> int | str:
    """Return the camera that a viewer chose; it cannot open other addresses or files.

    Args:
        wish: A camera of this computer, or a known one as `shown_source` names it.
        known: The cameras that the program was started with, or that the rig file names.

    Raises:
        UsageError: It is neither.
    """
    for source in known:
        if wish in (shown_source(source), str(source)):
            return source
    if not is_local_camera(wish) and wish not in {str(each.source) for each in list_cameras()}:
        raise UsageError(
            f"{shown_source(wish)!r} is not a camera of this computer, and the program was not "
            "started with it: pass it with --camera"
        )
    return int(wish) if wish.isdecimal() else wish


class JobContext:
    """One opened machine, for the jobs of one thread.

    Attributes:
        machine: The machine.
        solving: The solver.
        looks: The looks of the last session.
        clock: Measures the parts of the last job.
        remembered: The cube to copy.
        asked: The last requested job that begins with a reading.
        corrections: The corrections of the last reading; None if there is none.
        rng: Random generator for scrambles.
        calibration: Unsaved results.
        reopening: How to open the machine again; None as long as it can stay open.
    """

    def __init__(
        self,
        machine: Machine,
        hub: Hub,
        approach: Approach,
        *,
        feeds: Feeds,
        look_book: LookBook,
        stop_wanted: Callable[[], bool],
        inputs: Callable[[float], Command | None],
    ) -> None:
        self.machine = machine
        self.hub = hub
        self.looks: list[Look] = []
        self.clock = RunClock(machine.clock.now_s)
        self.remembered: Target | None = None
        self.asked: Solve | Copy = Solve()
        self.corrections: Corrections | None = None
        self.rng = np.random.default_rng(machine.choices.seed)
        self.calibration = Drafts()
        self.reopening: Choices | None = None
        self._approach = approach
        self._feeds = feeds
        self._look_book = look_book
        self._stop_wanted = stop_wanted
        self._inputs = inputs
        self._driver: RigDriver | None = None
        self._timed = False
        machine.share_camera = feeds.share
        machine.stop_wanted = stop_wanted
        self.solving = Solving(
            machine.folders.cache,
            replace(approach, rig_turns=True),
            machine.rig,
            self.note,
            lanes=machine.known_lanes,
            pose=machine.known_pose,
            waiting=self.require_not_stopped,
        )

    # Services for jobs.

    def note(self, text: str) -> None:
        """Publish a message for the user."""
        self.hub.tell(notices.Noted(text))

    def listen(self, event: Event) -> None:
        """Publish an event of a session, and stop the session if requested.

        Raises:
            KeyboardInterrupt: A stop was requested.
        """
        self._timed = True
        self.clock(event)
        self.hub.tell(event)
        match event:
            case Read(look) | Verified(look):
                self.tell_look(look, self.looks[look])
                self._compare_light(self.looks[look].reading)
            case Looked(done, total) if done < total:
                self.tell_glimpses()
            case Ended() | Entered(Phase.DONE | Phase.STOPPED | Phase.FAILED):
                return  # there is nothing to stop any more
            case _:
                pass
        self.require_not_stopped()

    def _compare_light(self, reading: CubeReading) -> None:
        """Warn if the light no longer matches the profile."""
        profile = self.machine.profile
        if profile is None or not reading.accepted:
            return
        drift = light_drift(profile, reading)
        if drift >= DRIFT_THRESHOLD:
            self.hub.update(attention=of_light(profile.name, drift))

    def tell_look(self, number: int, look: Look) -> None:
        """Publish the places of a look's stickers, and store its pictures."""
        self._look_book.put(self.hub.view.run, number, look)
        marks = _marks_of(look.reading)
        self.hub.tell(notices.Seen(number, len(look.frames), marks))

    def tell_glimpses(self) -> None:
        """Publish the colours that the rig's cameras have seen so far in this look."""
        rgb = lab_to_srgb(self.machine.view_reader().glimpsed())
        colours = tuple(
            "" if np.isnan(each).any() else "#" + bytes(each.round().astype(np.uint8)).hex()
            for each in rgb
        )
        self.hub.tell(notices.Glimpsed(colours))

    def require_not_stopped(self) -> None:
        """Raise KeyboardInterrupt if a stop was requested."""
        if self._stop_wanted():
            raise KeyboardInterrupt

    def next_input(self, timeout_s: float) -> Command | None:
        """Return the next command for this job; None if none arrives in time.

        Raises:
            KeyboardInterrupt: A stop was requested.
        """
        self.require_not_stopped()
        command = self._inputs(timeout_s)
        self.require_not_stopped()
        return command

    @cached_property
    def solving_by_hand(self) -> Solving:
        """The solver for a person, who turns all six faces, whatever the rig can."""
        goal = None if self._approach.goal == Goal.TIME else self._approach.goal
        approach = replace(self._approach, goal=goal, forbidden="")
        rig = load_rig(LIKE_A_HAND, self.machine.folders)
        cache, waiting = self.machine.folders.cache, self.require_not_stopped
        return Solving(cache, approach, rig, self.note, waiting=waiting)

    @contextmanager
    def webcam(self, source: int | str, number: int) -> Iterator[Camera]:
        """Lend a camera for another purpose than the rig's views, which are closed during it.

        Raises:
            CameraError: It cannot be opened.
        """
        before = self.machine.camera_names
        with self.machine.lend_camera(source) as camera:
            shared = self._feeds.share(number, camera, between=False)
            try:
                yield shared
            finally:
                shared.close()
        if before and not self.machine.choices.virtual:
            self.look_as_it_lies()

    def driver(self) -> RigDriver:
        """Return the connected board, ready to turn; requests to stop reach it.

        Raises:
            LinkError: The board is not there.
            RigError: Its motors cannot be switched on.
        """
        self.connect()
        return self.machine.driver()

    def connect(self) -> RigDriver:
        """Return the connected board; nothing moves.

        Raises:
            LinkError: The board is not there.
        """
        driver = self.machine.connected_driver()
        if self._driver is None:
            self._driver = driver
            self.tell_machine()
        return driver

    @property
    def known_driver(self) -> RigDriver | None:
        """The board, if it was connected."""
        return self._driver

    def reopen(self, profile: str | None = None) -> None:
        """Request to open the machine again after this job, so that it reads its files again.

        Args:
            profile: The colour profile from now on, empty if there is none; None for no change.
        """
        choices = self.machine.choices
        if profile is not None:
            choices = replace(choices, profile=profile or None)
        self.reopening = choices

    def take_times(self) -> dict[str, float]:
        """Return the times of the last session's parts; empty if there was none since."""
        timed, self._timed = self._timed, False
        return self.clock.times.to_record() if timed else {}

    def look_as_it_lies(self) -> None:
        """Read the cube with the cameras if they see enough; nothing moves."""
        try:
            look = self.glance()
        except (
            CameraError,
            UsageError,
            ConfigError,
        ) as error:  # by hand, a webcam is enough
            self.note(str(error))
            return
        self.tell_machine()
        if look is not None:
            self.tell_reading(look)

    def glance(self) -> Look | None:
        """Look at the cube as it is; None if the rig would have to move it.

        Raises:
            ThistlebotError: See `Machine.view_reader`.
        """
        reader = self.machine.view_reader()
        frames = reader.glance()
        return Look(frames, reader.read_glance(frames)) if frames else None

    def tell_reading(self, look: Look) -> None:
        """Publish a reading that belongs to no session."""
        self.looks[:] = [look]
        self.hub.tell(Read(0, full_reading_record(look.reading)))
        self.tell_look(0, look)

    def close(self) -> None:
        """Note that the machine is being closed."""
        self._feeds.forget()
        self.solving.close()
        if "solving_by_hand" in self.__dict__:
            self.solving_by_hand.close()

    def tell_machine(self) -> None:
        """Publish which parts of the machine are available."""
        machine, driver = self.machine, self._driver
        self.hub.update(
            machine=MachineStatus(
                rig=machine.rig.name,
                virtual=machine.choices.virtual,
                board="" if machine.board is None else machine.board.board.name,
                port=machine.port_name if driver is not None else "",
                cameras=machine.camera_names,
                faces="".join(machine.rig.faces),
            )
        )


def _marks_of(reading: CubeReading) -> tuple[Mark, ...]:
    """Return the places of a reading's stickers in its pictures."""
    names = dict(reading.scheme)
    return tuple(
        Mark(
            sticker.camera,
            facelet_name(number),
            tuple(" ".join(f"{x:.0f},{y:.0f}" for x, y in each) for each in sticker.polygons),
            names.get(sticker.colour, sticker.colour),
            round(sticker.confidence, 3),
        )
        for number, sticker in enumerate(reading.stickers)
        if sticker.polygons
    )
