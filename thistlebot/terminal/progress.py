"""Shows a person how an answer shortens while the search goes on.

How the building of tables goes on, where a person looks on.

Shows what each part of a run took: a line of seconds, and a bar to scale.

Shows a session's events to a person while it works.

Looks through a rig's cameras, with progress where the rig moves the cube meanwhile.

Says what a virtual machine did to the cube that it must not do.

Says which stickers a rig's cameras do not see, before any of them looks.
"""

import time
from collections.abc import Sequence
from dataclasses import astuple
from typing import Self

from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from cube.state import SOLVED, CubeState
from solver.stages.solution import Solution
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_views import require_enough_seen, unseen_text
from thistlebot.runs.events import (
    Diagnosed,
    Entered,
    Event,
    Executed,
    GoneOn,
    Looked,
    Phase,
    Planned,
    Read,
    Turned,
    Verified,
)
from thistlebot.runs.run_row import RunTimes
from thistlebot.session.machine import Machine
from thistlebot.solving.solver import Solving
from thistlebot.terminal.screen import Screen
from vision.frame import Frame
from vision.reading import CubeReading


class DropListener:
    """Tells once that a virtual machine dropped the cube, when it has done its work.

    Args:
        machine: The machine; it is a virtual one.
        screen: Where to say it.
    """

    def __init__(self, machine: Machine, screen: Screen) -> None:
        self._machine = machine
        self._screen = screen
        self._told = 0

    def __call__(self, event: Event) -> None:
        """Look at the machine after it moved, and after the cameras looked."""
        if isinstance(event, (Read, Executed, Verified)):
            violations = self._machine.world.rig.violations
            for text in violations[self._told :]:
                self._screen.problem(f"the virtual machine dropped the cube: {text}")
            self._told = len(violations)


def tell_unseen(unseen: Sequence[str], screen: Screen) -> None:
    """Say what no camera sees.

    Args:
        unseen: Names of stickers, as `Machine.unseen_stickers` has them.
        screen: Where to speak.

    Raises:
        UsageError: The cameras see so little that every cube would be in doubt.
    """
    require_enough_seen(unseen)
    if unseen:
        screen.note(unseen_text(unseen))


class Shortening:
    """Solves like `Solving`, and tells the four-stage answer and each shorter one.

    Args:
        solving: Solves.
        screen: Where to tell.
    """

    def __init__(self, solving: Solving, screen: Screen) -> None:
        self._solving, self._screen = solving, screen

    def __call__(self, state: CubeState, target: CubeState = SOLVED) -> Solution:
        """Solve a state.

        Raises:
            SolverError: Face turns cannot lead from the state to the target.
            TableError: Tables cannot be built.
        """
        if target == SOLVED:
            self._tell("stages", self._solving.staged(state), "by four stages")
        began_s = time.monotonic()

        def tell(better: Solution) -> None:
            word = "quicker" if self._solving.objective.timed else "shorter"
            self._tell(word, better, f"after {1000 * (time.monotonic() - began_s):.0f} ms")

        return self._solving(state, target, tell)

    def _tell(self, word: str, found: Solution, how: str) -> None:
        objective = self._solving.objective
        took = f", {objective.value(found.moves) / 1000:.2f} s" if objective.timed else ""
        self._screen.line(f"{word:<9} {len(found.moves)} turns{took} {how}")


class TableProgress:
    """A bar that appears with the first report and goes when it is left.

    Where nobody looks on, one line says what takes time.

    Args:
        screen: Where it stands.
        text: What is being built.
    """

    def __init__(self, screen: Screen, text: str) -> None:
        self._screen, self._text, self._started = screen, text, False
        self._bar = screen.progress(
            TextColumn(text),
            BarColumn(bar_width=30),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
        )
        self._task = self._bar.add_task("", total=1.0)

    def __enter__(self) -> "TableProgress":
        return self

    def __call__(self, share: float) -> None:
        """Report a share, 0..1."""
        if not self._started:
            self._started = True
            self._bar.start()
            if not self._screen.live.is_terminal:
                self._screen.note(self._text)
        self._bar.update(self._task, completed=share)

    def __exit__(self, *_: object) -> None:
        if self._started:
            self._bar.stop()


BAR_WIDTH = 60
# Name, letter in the bar and colour of each part, in the order of `RunTimes`. Letters tell the
# parts apart where there is no colour.
_PARTS = (
    ("look", "l", "cyan"),
    ("read", "r", "blue"),
    ("solve", "s", "magenta"),
    ("turn", "T", "green"),
    ("rest", "w", "yellow"),
    ("look again", "l", "cyan"),
    ("read again", "r", "blue"),
    ("between", ".", "bright_black"),
)


def print_times(screen: Screen, times: RunTimes) -> None:
    """Print what each part took, and the bar below it."""
    told = ", ".join(
        f"{name} {time_s:.2f}"
        for (name, _, _), time_s in zip(_PARTS, astuple(times), strict=True)
        if time_s >= 0.005
    )
    screen.line(f"clock     {times.total_s:.2f} s: {told}")
    if bar := time_bar(times):
        screen.out.print(Text("          ") + bar)


def time_bar(times: RunTimes, width: int = BAR_WIDTH) -> Text:
    """Draw the parts to scale; empty for a run that took no time.

    Args:
        times: What each part took.
        width: Letters that stand for the whole time.
    """
    bar, until_s = Text(), 0.0
    if not times.total_s:
        return bar
    for (_, letter, colour), time_s in zip(_PARTS, astuple(times), strict=True):
        until_s += time_s
        # What is rounded is where a part ends, so that all parts together are as long as the whole.
        length = round(width * until_s / times.total_s) - len(bar)
        bar.append(letter * length, style=f"bold {colour}")
    return bar


_SAYS = {
    Phase.SCAN: "looking at the cube",
    Phase.DECODE: "reading the colours",
    Phase.PLAN: "solving",
    Phase.EXECUTE: "turning",
    Phase.VERIFY: "looking again",
}


class ProgressListener:
    """Prints results as they come; progress stands below them while something is going on.

    Args:
        screen: Where to print.
        five_stages: Report the five stages of S2 instead of the four.
        nets: Draw what was read; without, whoever tells the moves draws it.
    """

    def __init__(self, screen: Screen, *, five_stages: bool = False, nets: bool = True) -> None:
        self._screen = screen
        self._nets = nets
        self._five_stages = five_stages
        self._progress = screen.progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TimeElapsedColumn(),
        )
        self._task: TaskID | None = None
        self._otherwise = "unsolved"

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def __call__(self, event: Event) -> None:
        """Show one event."""
        match event:
            case Entered(phase):
                self._show_phase(phase)
            case Looked(done, total) if self._task is not None and total > 1:
                self._progress.update(
                    self._task,
                    completed=done,
                    total=total,
                    description=f"look {done} of {total}",
                )
            case Read(reading=reading):
                self._screen.reading(reading, net=self._nets)
            case Planned(solution):
                self._otherwise = "missed" if "target" in solution else "unsolved"
                self._screen.solution(solution, five_stages=self._five_stages)
            case Turned(done, total) if self._task is not None:
                self._progress.update(
                    self._task,
                    completed=done,
                    total=total,
                    description=f"turning {done} of {total}",
                )
            case GoneOn(done, total):
                self._screen.note(
                    f"this program was silent for so long that the board had stopped; it goes on "
                    f"after step {done} of {total}"
                )
            case Executed(steps=steps, time_s=time_s):
                self._screen.line(f"turned    {steps} steps in {time_s:.2f} s")
            case Verified(reached=True, solved=solved):
                seen = "solved" if solved else "as it was to be"
                self._screen.line(f"verified  the cube was seen {seen}")
            case Diagnosed(text):
                self._screen.line(f"{self._otherwise:<9} {text}")
            case _:
                pass

    def _show_phase(self, phase: Phase) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None
        if phase in _SAYS:
            self._task = self._progress.add_task(_SAYS[phase], total=None)


def read_rig(reader: RigReader, screen: Screen) -> tuple[CubeReading, tuple[Frame, ...]]:
    """Read the cube, and leave its layers as they were.

    Args:
        reader: The rig's cameras.
        screen: Where progress is shown.

    Raises:
        ThistlebotError: A camera or the rig failed.
    """
    with ProgressListener(screen) as listener:
        listener(Entered(Phase.SCAN))
        reader.on_stop = lambda done, total: listener(Looked(done, total))
        frames = reader.look()
        reading = reader.read(frames)
        reader.put_back()
    return reading, frames
