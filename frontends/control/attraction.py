"""An idle machine attracts visitors: it scrambles its solved cube, and solves it."""

from dataclasses import replace

from cube.facelets import SOLVED_FACELETS
from frontends.control.commands import Command, Scramble
from frontends.control.job_context import JobContext
from frontends.control.jobs.assistant import show_opened
from frontends.control.jobs.solving import scramble, session_for
from frontends.control.task import Task
from frontends.control.worker import WorkerSetup
from thistlebot.errors import UsageError

SHOWN_S = 1.0
"""Time for which people see the cube that the machine scrambled."""


class Attraction:
    """Begins a demonstration when no job has run for some time and the cube is seen solved."""

    def __init__(self, minutes: float) -> None:
        self._quiet_s = 60.0 * minutes
        self._run = -1
        self._since_s = 0.0
        self._task = Task("attract", Scramble(), self._perform)

    def added_to(self, setup: WorkerSetup) -> WorkerSetup:
        """Return the settings of a worker that also does this."""
        return replace(setup, opened=self._opened, idle=self._idle)

    def _opened(self, context: JobContext) -> None:
        """Refuse a machine that would have to move a cube which has not been read.

        Raises:
            UsageError: Nothing would tell what is in it.
        """
        if not context.machine.scan.moves_nothing:
            raise UsageError(
                "a demonstration needs cameras that see the whole cube at once, but this rig would "
                "have to move a cube that has not been read: leave --attract out"
            )
        show_opened(context)
        self._since_s = context.machine.clock.now_s()

    def _idle(self, context: JobContext) -> Task | None:
        """Return the demonstration when it is time for it."""
        now_s, run = context.machine.clock.now_s(), context.hub.view.run
        if run != self._run:
            self._run, self._since_s = run, now_s
        waits = context.hub.view.attention is not None  # for a person
        if waits or now_s - self._since_s < self._quiet_s:
            return None
        self._since_s = now_s
        look = context.glance()
        solved = look is not None and look.reading.facelets == SOLVED_FACELETS
        return self._task if solved else None

    def _perform(self, context: JobContext, _command: Command) -> None:
        scramble(context, Scramble())
        context.machine.clock.sleep(SHOWN_S)
        context.clock.press()
        session_for(context, None).run()
