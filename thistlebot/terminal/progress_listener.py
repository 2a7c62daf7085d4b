"""Shows the events and the times of a session in the terminal."""

from dataclasses import astuple
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from thistlebot.events import (
    Continued,
    Diagnosed,
    Entered,
    Event,
    Executed,
    Followed,
    Looked,
    Phase,
    Planned,
    Read,
    Reconnected,
    Turned,
    Verified,
)
from thistlebot.terminal.screen import Screen

if TYPE_CHECKING:
    from solver.search.optimal import Depth
    from thistlebot.journal.run_times import RunTimes

BAR_WIDTH = 60
# Name, letter in the bar and colour of each part, in the order of `RunTimes`. Letters distinguish
# the parts without colour.
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


_LATE_S = 0.3
"""A delay of the pictures from which people should know about it."""
_SAYS = {
    Phase.SCAN: "looking at the cube",
    Phase.DECODE: "reading the colours",
    Phase.PLAN: "solving",
    Phase.EXECUTE: "turning",
    Phase.VERIFY: "looking again",
}


class ProgressListener:
    """Prints results as they come, with progress bars below them.

    Args:
        screen: The screen.
        nets: Draw the reading; otherwise the code that prints the moves draws it.
    """

    def __init__(self, screen: Screen, *, nets: bool = True) -> None:
        self._screen = screen
        self._nets = nets
        self._progress = screen.progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TimeElapsedColumn(),
        )
        self._task: TaskID | None = None
        self._otherwise = "unsolved"
        self._failed: list[str] = []

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
                self._otherwise = "missed" if solution.target else "unsolved"
                self._screen.solution(solution)
            case Turned(done, total) if self._task is not None:
                self._progress.update(
                    self._task,
                    completed=done,
                    total=total,
                    description=f"turning {done} of {total}",
                )
            case Continued(done, total):
                self._screen.note(
                    "this program sent nothing for so long that the board stopped; "
                    f"continuing after step {done} of {total}"
                )
            case Reconnected(done, total, lost_s):
                self._screen.note(
                    f"the connection to the board was lost in step {done + 1} of {total}; it is "
                    f"back after {lost_s:.1f} s, and the turns go on"
                )
            case Executed(steps=steps, time_s=time_s):
                self._screen.line(f"turned    {steps} steps in {time_s:.2f} s")
            case Verified(reached=True, solved=solved):
                seen = "solved" if solved else "in the target state"
                corrected = [f"corrected {text}" for text in self._failed]
                told = [f"verified  the camera saw the cube {seen}", *corrected]
                self._screen.line("\n".join(told))
            case Followed(late_s) if late_s is not None and late_s >= _LATE_S:
                self._screen.note(f"the cameras' pictures are {late_s:.1f} s late")
            case Diagnosed(text):
                self._screen.line(f"{self._otherwise:<9} {text}")
                self._failed.append(text)
            case _:
                pass

    def show_proof(self, depth: "Depth") -> None:
        """Show how far a proof is."""
        if self._task is not None:
            told = f"{depth.length} turns: {depth.nodes / 1e6:.0f} million positions"
            if depth.left_s > 1:
                told += f", {depth.left_s:.0f} s left, {depth.next_s:.0f} s for the next number"
            self._progress.update(self._task, completed=depth.share, total=1, description=told)

    def _show_phase(self, phase: Phase) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None
        if phase in _SAYS:
            self._task = self._progress.add_task(_SAYS[phase], total=None)


def print_times(screen: Screen, times: "RunTimes") -> None:
    """Print the time of each part with its letter, and below it the bar of these letters."""
    told = ", ".join(
        f"{letter} {name} {time_s:.2f}"
        for (name, letter, _), time_s in zip(_PARTS, astuple(times), strict=True)
        if time_s >= 0.005
    )
    screen.line(f"clock     {times.total_s:.2f} s: {told}")
    if bar := time_bar(times):
        screen.out.print(Text("          ") + bar)


def time_bar(times: "RunTimes", width: int = BAR_WIDTH) -> Text:
    """Draw the parts to scale; return an empty text for a run that took no time."""
    bar, until_s = Text(), 0.0
    if not times.total_s:
        return bar
    for (_, letter, colour), time_s in zip(_PARTS, astuple(times), strict=True):
        until_s += time_s
        # The ends of the parts are rounded, so that all parts together have the right length.
        length = round(width * until_s / times.total_s) - len(bar)
        bar.append(letter * length, style=f"bold {colour}")
    return bar
