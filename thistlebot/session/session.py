"""The solve session: an explicit state machine from a cube in the rig to one seen at its target.

It calls the pure stages of vision, solver and robot in order, adds timing and the decision to
continue, and publishes events; displays and recorders only listen.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS, Facelets
from cube.state import CubeState
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import RigProgram
from robot.running.program_run import RunProgress
from robot.running.turner import Turner
from solver.stages.solution import Solution
from thistlebot.errors import MisreadError, StoppedError
from thistlebot.events import (
    Check,
    Checking,
    Ended,
    Entered,
    Event,
    Executed,
    Followed,
    Listener,
    Phase,
    Planned,
    Read,
    Verified,
)
from thistlebot.exit_codes import error_record
from thistlebot.reading.fresh_pictures import FreshPictures
from thistlebot.reading.late_cameras import MOST_DELAY_S
from thistlebot.reading.reader import Look, Reader
from thistlebot.reading.refusal import not_following, not_seen, state_of
from thistlebot.records import full_reading_record, full_solve_record
from thistlebot.session.target import Target
from thistlebot.session.turning import event_of, next_step_hint, stopped_error
from thistlebot.session.unsolved import MOST_PLANS_AGAIN, Unsolved
from vision.errors import CameraError
from vision.frame import Frame
from vision.reading import CubeReading

_NEXT: dict[Phase, frozenset[Phase]] = {
    Phase.IDLE: frozenset({Phase.SCAN, Phase.PLAN}),
    Phase.SCAN: frozenset({Phase.DECODE}),
    Phase.DECODE: frozenset({Phase.PLAN, Phase.EXECUTE}),
    Phase.PLAN: frozenset({Phase.EXECUTE, Phase.DONE, Phase.SCAN}),
    Phase.EXECUTE: frozenset({Phase.VERIFY, Phase.DONE}),
    Phase.VERIFY: frozenset({Phase.DONE, Phase.PLAN}),
    Phase.DONE: frozenset({Phase.IDLE}),
    Phase.STOPPED: frozenset({Phase.IDLE}),
    Phase.FAILED: frozenset({Phase.IDLE}),
}
_ANYWHERE = frozenset({Phase.STOPPED, Phase.FAILED})
_MOST_LOOKS = 3
"""Maximum number of looks after plans that took longer than the motors stay on."""
_MOST_LOOKS_AFTERWARDS = 2
"""Maximum number of looks after the turns, until a reading is trusted."""
_MOST_TESTS = 2
"""Maximum number of turns that only show whether the pictures are late."""
_LOOK_AGAIN_S = 2.0
"""Time before a second look at a cube in doubt: a hand or a shadow may have gone by then."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the session decided to do.

    Attributes:
        state: The state that it read or was given.
        solution: The moves from there to the target.
        program: The steps of the rig.
    """

    state: CubeState
    solution: Solution
    program: RigProgram

    def __str__(self) -> str:
        return f"{self.solution}, {self.program}"


class Session:
    """The session of one machine, from cube to cube.

    Args:
        solve: Finds a solution for a state.
        rig: The rig for planning.
        reader: Reads the cube, or None if the state is given.
        checker: Reads the cube after turning, or None for no check.
        driver: The connected rig, or None for a dry run.
        turn: Turn the cube with it; otherwise only move it for the cameras.
        listeners: Receive every event, in this order.
        looks: Where to store the looks of a run, for listeners that need the pictures.
        target: The target state; solved by default.
        plans_again: Number of times to plan again if the cube is not at its target.
        settle: Waits the given seconds before a picture, until the faces are at rest.
    """

    def __init__(
        self,
        solve: Callable[[CubeState], Solution],
        rig: Mechanism,
        *,
        reader: Reader | None = None,
        checker: Reader | None = None,
        driver: Turner | None = None,
        turn: bool = True,
        listeners: Sequence[Listener] = (),
        looks: list[Look] | None = None,
        target: Target | None = None,
        plans_again: int = MOST_PLANS_AGAIN,
        settle: Callable[[float], None] = time.sleep,
    ) -> None:
        self._solve = solve
        self._rig = rig
        self._reader = reader
        self._checker = checker
        self._driver = driver
        self._turns = turn
        self._listeners = tuple(listeners)
        self._wanted = target or Target()
        self._target = self._wanted
        self._plans_again = plans_again
        self._settle = settle
        self._fresh = None if checker is None else FreshPictures(checker, rig, settle)
        self._begun_to_turn = False
        self._testing = False
        self.phase = Phase.IDLE
        self._looks = [] if looks is None else looks

    def run(self, state: CubeState | None = None) -> Plan:
        """Run all phases, and plan again while the cube is not at its target.

        Args:
            state: The state of the cube if known; otherwise the reader looks.

        Returns:
            The plan and, with a driver, its execution; with a checker the cube was also seen at its
            target, if necessary after further plans.

        Raises:
            MisreadError: The reading is not trusted; nothing was turned.
            NotVerifiedError: The moves were made, but the cube was not seen at its target; the
                message says what went wrong.
            StoppedError: The user stopped; the faces are at detents.
            ThistlebotError: A part failed.
        """
        with self._ending():
            self._target = self._wanted
            self._relabel_faces()
            plan_ = self._plan(self._scan(self._reader) if state is None else state)
            if self._driver is not None and self._turns:
                driver = self._driver
                plan_ = self._turn(plan_, driver, self._reader if state is None else None)
                if self._checker is not None:
                    self._see_to_the_end(plan_.program, plan_.state, driver, self._checker)
                self._go_to_rest(driver)
        self._enter(Phase.DONE)
        return plan_

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Start, and end in Stopped or Failed if an error or the user interrupts."""
        if self.phase is not Phase.IDLE:
            self._enter(Phase.IDLE)
        self._looks.clear()
        self._begun_to_turn = self._testing = False
        try:
            yield
        except KeyboardInterrupt as interruption:
            stopped = self._stopped(interruption)
            self._end(Phase.STOPPED, stopped)
            raise stopped from None
        except ThistlebotError as error:
            self._end(Phase.FAILED, error)
            raise

    def _relabel_faces(self) -> None:
        """Name the faces by their present places, wherever the previous program left them."""
        if self._driver is not None and self._driver.pose is not None:
            self._driver.pose = self._driver.pose.relabelled

    def _scan(self, reader: Reader | None) -> CubeState:
        if reader is None:
            raise MisreadError("there is no camera: give the cube's state", ())
        self._enter(Phase.SCAN)
        frames = reader.look()
        self._enter(Phase.DECODE)
        reading = reader.read(frames)
        self._publish(Read(self._keep(frames, reading), full_reading_record(reading)))
        state = state_of(reading)
        self._target = self._target.named_as(reading.scheme)
        return state.apply(reader.turned)

    def _plan(self, state: CubeState, known: Solution | None = None) -> Plan:
        """Find moves and the rig's steps for them, or use a solution of the same cube again."""
        self._enter(Phase.PLAN)
        solution = known and known.for_held(state, self._target.state)
        solution = solution or self._target.solution(self._solve, state)
        lanes = self._driver.lanes if self._driver is not None else None
        pose = self._driver.pose if self._driver is not None else None
        program = self._rig.plan(solution.moves, lanes, pose)
        self._publish(Planned(full_solve_record(state.to_facelets(), solution, program)))
        return Plan(state, solution, program)

    def _turn(self, plan: Plan, driver: Turner, reader: Reader | None) -> Plan:
        """Turn a plan, and return it.

        If the board switched its motors off while the plan was made, a person may have turned the
        faces. Look again then, and make another plan if the cube is not as it was.
        """
        for _ in range(_MOST_LOOKS):
            if driver.keep_on():
                break
            driver.prepare()
            if reader is not None:
                state = self._scan(reader)
                if state != plan.state or driver.pose != plan.program.start:
                    plan = self._plan(state, plan.solution)
        self._enter(Phase.EXECUTE)
        self._begun_to_turn = True
        with next_step_hint():
            result = driver.run(plan.program, self._on_progress)
        self._publish(Executed(result.executed, result.elapsed_s))
        return plan

    def _go_to_rest(self, driver: Turner) -> None:
        """Bring the machine to the pose in which the cube can be taken out."""
        if driver.pose is not None:
            driver.run(self._rig.rest(driver.pose))

    def _on_progress(self, progress: RunProgress) -> None:
        if self._fresh is not None:
            self._fresh.watch(progress)
        self._publish(event_of(progress))

    def _see_to_the_end(
        self, program: RigProgram, before: CubeState, driver: Turner, checker: Reader
    ) -> None:
        """Look, and plan again from the new reading as long as the cube is not at its target."""
        unsolved = Unsolved(self._rig, self._plans_again)
        seen_before = self._looks[-1].reading if self._looks else None
        while (seen := self._verify(checker, program, driver)).facelets != self._target.facelets:
            self._publish(unsolved.examine(program, before, seen, seen_before))
            unsolved.require_retry_left(seen, self._target.facelets)
            pose = driver.pose
            driver.prepare()
            if driver.pose != pose:
                continue  # it went to its start, and the cube may have another orientation
            again = self._turn(self._plan(CubeState.from_facelets(seen.best)), driver, checker)
            program, before, seen_before = again.program, again.state, seen

    def _verify(self, checker: Reader, program: RigProgram, driver: Turner) -> CubeReading:
        """Glance at once, then look until a reading is trusted, at most twice."""
        self._enter(Phase.VERIFY)
        look = self._glance(checker)
        if look is not None and self._is_fresh(program, look.frames):
            self._tell_verified(look)
            return look.reading
        fresh, wait_s = False, self._rig.settle_ms / 1000
        for _ in range(_MOST_LOOKS_AFTERWARDS):
            try:
                look = self._look_after(checker, wait_s)
                late = wait_s >= MOST_DELAY_S  # then it shows the cube after the turns
                fresh = fresh or self._is_fresh(program, look.frames)
                if look.reading.accepted and not fresh:
                    if not (late or self._reached(look.reading)):
                        look = self._look_after(checker, MOST_DELAY_S)
                    look = self._tested(look, checker, driver)
            except CameraError as error:
                raise not_seen(error) from error
            self._tell_verified(look)
            reading = look.reading
            if reading.accepted:
                return reading
            wait_s = _LOOK_AGAIN_S if fresh else MOST_DELAY_S
        raise not_seen(reading)

    def _glance(self, checker: Reader) -> Look | None:
        """Look before the faces are at rest; the result counts only if it shows the target.

        Returns:
            The look; None if another look after a rest must decide.
        """
        self._publish(Checking(Check.LOOK))
        try:
            frames = checker.glance()
        except CameraError:
            return None  # the look after the rest opens it again, or reports the error
        if not frames:
            return None
        self._publish(Checking(Check.READ))
        look = Look(frames, checker.read_glance(frames))
        return look if self._reached(look.reading) else None

    def _tested(self, look: Look, checker: Reader, driver: Turner) -> Look:
        """Make sure that a look at the target is not at a picture from before the last turn.

        Returns:
            A later look at the target, or at what the cameras show by then.
        """
        for _ in range(_MOST_TESTS):
            shown = look.reading.facelets
            if shown is None or not self._reached(look.reading):
                return look
            late_s = self._test(driver, shown)
            look = self._look_after(checker, 0.0)
            if late_s is not None:
                return look
        raise not_following()

    def _test(self, driver: Turner, shown: Facelets) -> float | None:
        """Turn a face there and back, and return how late the cameras showed it."""
        assert self._fresh is not None, "there is a checker"
        self._testing = True
        late_s = self._fresh.answers(driver, shown)
        self._testing = False
        self._publish(Followed(late_s))
        return late_s

    def _is_fresh(self, program: RigProgram, frames: tuple[Frame, ...]) -> bool:
        return self._fresh is None or self._fresh.saw_last_turn(program, frames)

    def _look_after(self, checker: Reader, wait_s: float) -> Look:
        self._publish(Checking(Check.REST))
        self._settle(wait_s)
        self._publish(Checking(Check.LOOK))
        frames = checker.look()
        self._publish(Checking(Check.READ))
        reading = checker.read(frames)
        checker.return_cube()
        return Look(frames, reading)

    def _reached(self, reading: CubeReading) -> bool:
        return reading.facelets == self._named_target(reading).facelets

    def _named_target(self, reading: CubeReading) -> Target:
        return self._target.named_as(reading.scheme) if reading.accepted else self._target

    def _tell_verified(self, seen: Look) -> None:
        reading = seen.reading
        self._target = self._named_target(reading)
        solved = reading.facelets == SOLVED_FACELETS
        reached = reading.facelets == self._target.facelets
        look = self._keep(seen.frames, reading)
        self._publish(Verified(look, full_reading_record(reading), solved, reached))

    def _stopped(self, interruption: KeyboardInterrupt) -> StoppedError:
        readers = (self._reader, self._checker)
        moving = self._testing or any(reader and reader.moving for reader in readers)
        if (self.phase is Phase.EXECUTE or moving) and self._driver is not None:
            return stopped_error(self._driver, interruption)
        return StoppedError("stopped" if self._begun_to_turn else "stopped; no motor has moved")

    def _enter(self, phase: Phase) -> None:
        if phase not in _NEXT[self.phase] | _ANYWHERE:
            raise AssertionError(f"a session does not go from {self.phase} to {phase}")
        self.phase = phase
        self._publish(Entered(phase))

    def _end(self, phase: Phase, error: ThistlebotError) -> None:
        self._enter(phase)
        self._publish(Ended(error_record(error)))

    def _keep(self, frames: tuple[Frame, ...], reading: CubeReading) -> int:
        self._looks.append(Look(frames, reading))
        return len(self._looks) - 1

    def _publish(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
