"""Guides a user who reads, solves and turns a cube by hand before a webcam; the rig is idle."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from cube.errors import InvalidCubeError
from cube.net import has_colours
from cube.state import CubeState
from frontends.control.commands import (
    Command,
    Correction,
    Dismiss,
    HandBack,
    HandBegin,
    HandCapture,
    HandEnd,
    HandNext,
    HandRedo,
    Proceed,
)
from frontends.control.job_context import JobContext, offered_camera
from frontends.control.jobs.solving import said
from frontends.control.task import Jobs, NamedJob
from frontends.control.view_model.attention import Attention, of_reading
from frontends.control.view_model.by_hand import CAMERA, HandPhase, HandView, hand_view
from thistlebot.reading.corrections import Corrections
from thistlebot.reading.hand_guide import GuideStep, HandGuide
from thistlebot.reading.hand_steps import HandSteps
from thistlebot.reading.schemes import known_scheme
from thistlebot.reading.typed_cube import TypedCube
from thistlebot.records import full_reading_record
from vision.cameras.camera import Camera
from vision.errors import CameraError, VisionError
from vision.reading import CubeReading, FaceReading

_WAIT_S = 0.1
"""Maximum wait for commands when there is no camera picture to process."""
_QUIET_S = 0.12
"""Minimum interval between updates of values that change with the hand."""


def by_hand(context: JobContext, command: HandBegin) -> None:
    """Guide a user until the job is ended.

    Raises:
        CameraError: The camera cannot be opened, or was lost before all faces were captured.
        MisreadError: The recording ended before that.
        UsageError: It is not a webcam, and not one that the program was started with.
        InvalidCubeError: The given cube is none, or turns cannot solve it.
        KeyboardInterrupt: The job was stopped.
    """
    if command.state:
        try:
            ByHand(context, None, TypedCube.read(command.state)).run()
        finally:
            context.hub.update(hand=None)
        return
    context.solving_by_hand.wait(0.0)  # this loads its tables while faces are shown
    known = context.machine.camera_sources()
    source = offered_camera(command.camera, known) if command.camera else (*known, 0)[0]
    with context.webcam(source, CAMERA) as camera:
        try:
            ByHand(context, camera).run()
        finally:
            context.hub.update(hand=None)


@dataclass(slots=True)
class _Shown:
    """The last published values, and their time."""

    view: HandView | None = None
    at_s: float = 0.0


class ByHand:
    """One user with a cube.

    Args:
        context: The context; only solver, profile and colours are used.
        camera: The camera; None if the cube is given.
        given: The cube, if it is not shown to a camera.
    """

    def __init__(
        self, context: JobContext, camera: Camera | None, given: TypedCube | None = None
    ) -> None:
        self._context = context
        self._camera = camera
        self._given = given
        self._profile = context.machine.profile
        self._scheme = context.machine.choices.scheme
        if given is not None and given.scheme is not None and has_colours(given.scheme):
            self._profile, self._scheme = None, given.scheme
        self._shown = _Shown()
        self._lost = False
        self._seen: FaceReading | None = None
        self._begin()

    def _begin(self) -> None:
        """Ask for all six faces, from the first one on; or for the turns of a given cube."""
        self._phase = HandPhase.SCAN
        self._guide = HandGuide(self._profile, self._scheme)
        self._step: GuideStep = self._guide.start
        self._corrections: Corrections | None = None
        self._refused = ""
        self._attention: Attention | None = None
        self._steps: HandSteps | None = None
        if self._given is not None:
            self._plan_for(self._given.state)

    def run(self) -> None:
        """Process pictures and commands until the job is ended.

        Raises:
            CameraError: The camera was lost before all faces were captured.
            MisreadError: The recording ended before that.
            KeyboardInterrupt: The job was stopped.
        """
        while True:
            self._show()
            command = self._context.next_input(0.0 if self._looking else _WAIT_S)
            if isinstance(command, HandEnd):
                return
            if command is not None:
                self._obey(command)
            elif self._looking:
                self._look()

    @property
    def _looking(self) -> bool:
        return self._phase is HandPhase.SCAN and not self._lost

    def _look(self) -> None:
        assert self._camera is not None
        try:
            frame = self._camera.read()
        except CameraError as error:
            self._lost, self._seen = True, None
            if self._corrections is None:
                self._read(self._guide.finish(error))
            return
        self._step = self._guide.feed(frame)
        self._seen = self._step.seen
        self._conclude()

    def _obey(self, command: Command) -> None:
        match command:
            case HandCapture() if self._phase is HandPhase.SCAN:
                self._step = self._guide.capture_now() or self._step
                self._conclude()
            case HandRedo(""):
                self._begin()
            case HandRedo(face) if self._phase is HandPhase.SCAN:
                self._redo(face)
            case HandNext() if self._phase is HandPhase.TURN and self._steps is not None:
                self._go_to(self._steps.next())
            case HandBack() if self._steps is not None:
                self._go_to(self._steps.back())
            case Proceed() if self._phase is HandPhase.SCAN:
                self._plan()
            case Dismiss():
                self._attention = None
            case _ if isinstance(command, Correction):
                self._correct(command)
            case _:
                pass  # it came late: the page already shows the new state

    def _redo(self, face: str) -> None:
        try:
            self._guide.redo(face)
        except VisionError as error:
            self._refused = str(error)

    def _conclude(self) -> None:
        """Read the cube if all faces are captured, and plan if the reading is sure."""
        if not self._guide.ready:
            return
        self._phase = HandPhase.READ
        self._show()
        reading = self._guide.conclude()
        self._phase = HandPhase.SCAN
        if reading is not None:
            self._read(reading)

    def _read(self, reading: CubeReading) -> None:
        self._corrections = Corrections.of(reading, self._profile, self._scheme)
        self._judge()

    def _correct(self, command: Correction) -> None:
        """Process a correction, if nothing has been turned."""
        if self._corrections is None or (self._steps is not None and self._steps.done):
            return
        try:
            self._corrections = said(self._corrections, command)
        except (VisionError, InvalidCubeError) as error:
            self._refused = str(error)
            return
        self._judge()

    def _judge(self) -> None:
        """Continue with a sure reading; otherwise say why it is not trusted."""
        assert self._corrections is not None
        reading = self._corrections.reading
        self._refused = ""
        self._attention = of_reading(full_reading_record(reading), None)
        if reading.accepted:
            self._plan()
        else:
            self._phase, self._steps = HandPhase.SCAN, None

    def _plan(self) -> None:
        """Find the turns, if the reading is sure."""
        reading = None if self._corrections is None else self._corrections.reading
        if reading is None or reading.facelets is None:
            return
        self._seen = None
        self._plan_for(CubeState.from_facelets(reading.facelets), dict(reading.scheme))

    def _plan_for(self, state: CubeState, scheme: Mapping[str, str] | None = None) -> None:
        self._phase = HandPhase.PLAN
        self._show()
        solution = self._context.solving_by_hand(state)
        self._go_to(HandSteps.of(state.to_facelets(), solution.moves, scheme or self._scheme))

    def _go_to(self, steps: HandSteps) -> None:
        """Ask for the next turn, if there is one."""
        self._steps = steps
        if steps.current is None:
            self._phase, self._seen = HandPhase.DONE, None
            return
        self._phase = HandPhase.TURN

    def _show(self) -> None:
        """Publish the view, if it has changed."""
        view = hand_view(
            self._phase,
            self._camera.name if self._camera is not None else "",
            step=self._step,
            known=known_scheme(self._scheme, self._profile),
            corrections=self._corrections,
            refused=self._refused,
            attention=self._attention,
            steps=self._steps,
            seen=self._seen,
        )
        before, now_s = self._shown.view, time.monotonic()
        if view == before:
            return
        only_hand = before is not None and _calm(view) == _calm(before)
        if only_hand and now_s - self._shown.at_s < _QUIET_S:
            return
        self._shown = _Shown(view, now_s)
        self._context.hub.update(hand=view)


def _calm(view: HandView) -> HandView:
    """Remove the values that change with the hand."""
    return msgspec.structs.replace(view, seen=(), progress=0.0)


BY_HAND_JOBS: Jobs = {
    HandBegin: NamedJob("by_hand", by_hand),
}
