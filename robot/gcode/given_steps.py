"""The steps that a controller makes: those that wait, and those that it has."""

import math
from collections.abc import Callable
from itertools import takewhile

from robot.gcode.controller import AxisWay, Controller
from robot.protocol.messages import MOTORS_TOGETHER, ActionKind, Step
from robot.protocol.settings import Setting
from robot.virtual.machine_parts import MachineParts
from robot.virtual.running_steps import RunningAction, RunningStep, RunningSteps


class GivenSteps(RunningSteps):
    """Steps whose motors a controller moves: its reports end them, not the time.

    Args:
        controller: The controller.
        parts: The parts besides the cube.
        value: Looks up a setting.
        now_s: The time.
    """

    def __init__(
        self,
        controller: Controller,
        parts: MachineParts,
        value: Callable[[Setting, int], int],
        now_s: float,
    ) -> None:
        super().__init__(parts, no_motor, value, MOTORS_TOGETHER, now_s)
        self._controller = controller

    def begins_at_s(self, now_s: float) -> float | None:
        """Return when the first step may begin, unless `feed` begins it."""
        plain = self.waiting and self.waiting[0].is_plain
        return None if plain or not self._controller.ready else super().begins_at_s(now_s)

    def feed(self, now_s: float) -> None:
        """Give the controller the plain turns that it wants."""
        while turns := list(takewhile(lambda step: step.is_plain, self.waiting)):
            if not all(run.step.is_plain for run in self.running):
                break
            ways = (
                (turn.channel, turn.value * self._value(Setting.STEPS_PER_QUARTER, turn.channel))
                for turn in turns[0].actions
            )
            duration_s = max(self.motion(*way).duration_s for way in ways)
            if not self._controller.wants(len(turns), duration_s, now_s):
                break
            self._begin(self.waiting.popleft(), now_s)

    def _begin(self, step: Step, now_s: float) -> RunningStep:
        run = super()._begin(step, now_s)
        for part in run.living:
            if part.action.kind is ActionKind.POSITION and part.action.value:
                self._controller.aim(part.action.channel, part.action.value)
        ways = {
            part.action.channel: self._way(part.action.channel, part.steps)
            for part in run.living
            if part.motion is not None
        }
        if ways:
            duration_s = max(motion.duration_s for motion in run.motions)
            self._controller.give(ways, duration_s, now_s)
        return run

    def _way(self, channel: int, steps: int) -> AxisWay:
        """Return the steps of an axis, which may count backward."""
        quarter = self._value(Setting.STEPS_PER_QUARTER, channel)
        detent = abs(steps) if steps % quarter else quarter
        rate = self._value(Setting.RATE_STEPS_S, channel)
        return AxisWay(self._forward(channel, steps), detent, rate)

    def _time(self, run: RunningStep) -> None:
        for part in run.living:
            if part.motion is not None:
                part.end_s = math.inf

    def arrive(self, *, whole: bool) -> RunningStep | None:
        """End the motors' parts of the first step; return the step if it has ended completely."""
        run = self.running[0]
        for part in run.living:
            if part.motion is not None:
                self._leave_part(run, part, whole=whole)
        if run.living:
            return None
        self.running.remove(run)
        return run

    def drop_given(self) -> None:
        """Drop the motors' parts of the steps that the controller has dropped."""
        for run in self.running:
            for part in run.living:
                if part.motion is not None:
                    self._leave_part(run, part, whole=False)
        self.running = [run for run in self.running if run.living]

    def _leave_part(self, run: RunningStep, part: RunningAction, *, whole: bool) -> None:
        part.live = False
        if whole:
            self._end(run, part)
        else:
            self._note_cut(run)

    def _cut(self, run: RunningStep, part: RunningAction, elapsed_s: float) -> None:
        if part.motion is None:  # the controller was told to stop the others
            super()._cut(run, part, elapsed_s)


def no_motor(*_: object) -> None:
    """Do nothing: the controller turns the motors."""
