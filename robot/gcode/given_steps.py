"""The steps that a controller makes: those that wait, and those that it has."""

import math
from collections.abc import Callable

from robot.gcode.controller import AxisWay, Controller
from robot.protocol.messages import ActionKind, Step
from robot.protocol.settings import Setting
from robot.virtual.action_steps import MOTOR_KINDS, ActionSteps, RunningAction, RunningStep
from robot.virtual.move_queue import MoveQueue, Turning
from robot.virtual.step_ranges import MachineParts


class GivenTurns(MoveQueue):
    """The plain turns: some wait, the controller has the others."""

    def put(self, move: Step, now_s: float) -> None:  # noqa: ARG002 - the controller begins it
        """Queue a move."""
        self._moves.append(move)

    def next_wake_s(self) -> float | None:
        """Return None: a report ends a move, not the time."""
        return None

    def feed(self, controller: Controller, now_s: float) -> None:
        """Give the controller what it wants."""
        while self._moves:
            lanes = tuple(self.lane(each.channel, each.value) for each in self._moves[0].actions)
            duration_s = max(lane.motion.duration_s for lane in lanes)
            if not controller.wants(len(self._moves), duration_s, now_s):
                break
            self._moves.popleft()
            ways = {}
            for lane in lanes:
                quarter = self._value(Setting.STEPS_PER_QUARTER, lane.channel)
                ways[lane.channel] = self.way(lane.channel, lane.quarters * quarter)
            controller.give(ways, duration_s, now_s)
            self.turning = self.turning or Turning(now_s, lanes)

    def way(self, channel: int, steps: int) -> AxisWay:
        """Return the steps of an axis, which may count backward."""
        quarter = self._value(Setting.STEPS_PER_QUARTER, channel)
        detent = abs(steps) if steps % quarter else quarter
        backward = self._value(Setting.DIRECTION, channel)
        rate = self._value(Setting.RATE_STEPS_S, channel)
        return AxisWay(-steps if backward else steps, detent, rate)

    def end(self, now_s: float, *, whole: bool) -> Turning:
        """Return the move that ended, or that a stop cut short."""
        assert self.turning is not None
        ended = Turning(self.turning.start_s, self.turning.lanes, complete=whole)
        self.turning = Turning(now_s, ended.lanes)
        return ended

    def stop_at_detent(self, now_s: float) -> None:
        """Do nothing: the controller was told to stop."""


class GivenActions(ActionSteps):
    """The running step that is more than plain turns: the controller moves its motors.

    Args:
        controller: The controller.
        parts: The parts besides the cube.
        value: Looks up a setting.
        queue: The plain turns.
        now_s: The time.
    """

    def __init__(
        self,
        controller: Controller,
        parts: MachineParts,
        value: Callable[[Setting, int], int],
        queue: GivenTurns,
        now_s: float,
    ) -> None:
        super().__init__(parts, no_motor, value, queue, now_s)
        self._controller = controller
        self._given_turns = queue
        self._moving: list[RunningAction] = []

    @property
    def moving(self) -> bool:
        """Whether the controller moves motors for it."""
        return bool(self._moving)

    def begins_at_s(self, step: Step, now_s: float) -> float | None:
        """Return when a step may begin."""
        return super().begins_at_s(step, now_s) if self._controller.ready else None

    def begin(self, step: Step, now_s: float) -> None:
        """Begin a step, whose motors move together."""
        super().begin(step, now_s)
        ways, duration_s = {}, 0.0
        for part in self._living:
            if part.lane is not None:
                channel, lane = part.action.channel, part.lane
                quarter = self._value(Setting.STEPS_PER_QUARTER, channel)
                turn = part.action.kind is ActionKind.TURN
                ways[channel] = self._given_turns.way(
                    channel, lane.quarters * quarter if turn else part.steps
                )
                duration_s = max(duration_s, lane.motion.duration_s)
                part.end_s = math.inf
                self._moving.append(part)
            elif part.action.kind is ActionKind.POSITION and part.action.value:
                self._controller.aim(part.action.channel, part.action.value)
        if ways:
            self._controller.give(ways, duration_s, now_s)

    def arrive(self, *, whole: bool) -> None:
        """End the motors' parts of the step."""
        moved, self._moving = self._moving, []
        run = self._run
        for part in moved:
            if run is not None:
                part.live = False
                run.cut |= not whole
                if whole:
                    self._end(run, part)

    def _cut(self, run: RunningStep, part: RunningAction, now_s: float) -> None:
        if part.action.kind not in MOTOR_KINDS:  # the controller was told to stop
            super()._cut(run, part, now_s)


def no_motor(*_: object) -> None:
    """Do nothing: the controller turns the motors."""
