"""What a person sees in the terminal: nets, readings, solutions, progress.

Results go to standard output, progress and messages to standard error; colour only on a terminal.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from cube.facelets import Facelets
from cube.metrics import axial_htm, htm, qtm
from cube.net import WESTERN_SCHEME, colour_net, text_net
from robot.rigs.program import RigProgram
from solver.stages.solution import Solution
from vision.reading import CubeReading

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


class Screen:
    """The terminal, or whatever stands in for it."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.out = Console(highlight=False, quiet=quiet, soft_wrap=True)
        self.err = Console(stderr=True, highlight=False, quiet=quiet)
        # Progress moves out of the way of what its own console prints.
        self.live = self.out if self.out.is_terminal else self.err
        # Where both go to the terminal, messages go where progress makes room for them.
        self._messages = self.live if self.err.is_terminal else self.err

    def line(self, text: str = "") -> None:
        """Print a result."""
        self.out.print(escape(text))

    def note(self, text: str) -> None:
        """Say something about the work; not part of the result."""
        self._messages.print(f"[dim]{escape(text)}[/]")

    def problem(self, text: str) -> None:
        """Say what went wrong; the program goes on."""
        self._messages.print(f"[bold red]problem[/]   {escape(text)}", soft_wrap=True)

    def progress(self, *columns: "ProgressColumn") -> "Progress":
        """Return a progress bar that stands below what is printed, and only on a terminal."""
        from rich.progress import Progress

        return Progress(
            *columns, console=self.live, transient=True, disable=not self.live.is_terminal
        )

    def net(self, facelets: Facelets, scheme: Mapping[str, str] | None = None) -> None:
        """Print the net, in colour where there is colour."""
        if self.out.is_terminal and self.out.color_system and not self.out.no_color:
            self.out.print(Text.from_ansi(colour_net(facelets, scheme or WESTERN_SCHEME)))
        else:
            self.out.print(text_net(facelets), markup=False)

    def reading(self, reading: CubeReading, scheme: Mapping[str, str] | None = None) -> None:
        """Print what was read and how sure it is.

        Args:
            reading: The reading.
            scheme: Colour name of each face, by default what the centres show.
        """
        self.net(reading.facelets or reading.proposal, scheme or dict(reading.scheme) or None)
        if reading.accepted:
            self.line(f"reading   {reading.best.text}")
            self.line(
                f"{reading.state.value:<9} margin {reading.margin:.1f}, {reading.elapsed_ms:.0f} ms"
            )
            for repair in reading.repairs:
                self.line(f"repair    {repair.text}")
            return
        self.line(f"likeliest {reading.best.text} (not trusted: margin {reading.margin:.1f})")
        self.line(f"state     {reading.state.value}")
        for problem in reading.problems:
            self.line(f"problem   {problem.text}")
        for other in reading.alternatives:
            self.line(f"or        {other.text}")
        if reading.reread:
            self.line(f"show again: {', '.join(reading.reread)}")

    def solution(
        self, solution: Solution, program: RigProgram, *, five_stages: bool = False
    ) -> None:
        """Print the moves by stage, their number and the time that the rig will take."""
        stages = solution.five_stages if five_stages else solution.stages
        names = max(len(stage.name) for stage in stages)
        moves = solution.moves
        if not len(moves):
            self.line("solved already, no move is needed")
            return
        width = max(len(str(stage.moves)) for stage in stages)
        for stage in stages:
            text = f"{stage.moves!s:{width}}" if len(stage.moves) else f"{'–':{width}}"
            self.line(f"{stage.name:<{max(names, 9)}} {text}  ({len(stage.moves)})")
        self.line(f"moves     {moves}")
        self.line(
            f"length    {htm(moves)} HTM, {qtm(moves)} QTM, {axial_htm(moves)} axial; "
            f"predicted {program.time_s:.2f} s on this rig"
        )
