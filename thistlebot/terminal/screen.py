"""The output in the terminal: nets, readings, solutions, progress.

Results go to standard output, progress and messages to standard error; colours only to a terminal.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from cube.facelets import Facelets, facelets_text
from cube.moves import FACES
from cube.net import WESTERN_SCHEME, colour_net, has_colours, text_net
from thistlebot.output import printable, wrapped

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from robot.rigs.program import RigProgram
    from thistlebot.records import ReadingRecord, SolutionRecord

_BETWEEN_NETS = 4


class Screen:
    """The terminal, or its replacement.

    Args:
        quiet: Print nothing: the output of the command is for a program.
        guides: Print instructions to standard error all the same, for a user who must act.
    """

    def __init__(self, *, quiet: bool = False, guides: bool = False) -> None:
        self.out = Console(highlight=False, quiet=quiet, soft_wrap=True)
        self.err = Console(stderr=True, highlight=False, quiet=quiet and not guides)
        # Progress moves out of the way of other output on the same console.
        self.live = self.out if self.out.is_terminal and not quiet else self.err
        # If both go to the terminal, messages use the console that makes room for them.
        self._messages = self.live if self.err.is_terminal else self.err

    def line(self, text: str = "") -> None:
        """Print a result."""
        self.out.print(escape(self._fitted(text, self.out)))

    def note(self, text: str) -> None:
        """Print a message about the work; not part of the result."""
        self._messages.print(
            f"[dim]{escape(self._fitted(text, self._messages))}[/]", soft_wrap=True
        )

    def problem(self, text: str) -> None:
        """Print what went wrong; the program continues."""
        told = self._fitted(f"problem   {text}", self._messages).removeprefix("problem")
        self._messages.print(f"[bold red]problem[/]{escape(told)}", soft_wrap=True)

    @staticmethod
    def _fitted(text: str, console: Console) -> str:
        """Break lines for a terminal; other programs and files get them whole."""
        text = printable(text)
        return wrapped(text, console.width) if console.is_terminal else text

    def progress(self, *columns: "ProgressColumn") -> "Progress":
        """Return a progress bar below the printed lines, shown only on a terminal."""
        from rich.progress import Progress

        return Progress(
            *columns, console=self.live, transient=True, disable=not self.live.is_terminal
        )

    def net(self, facelets: Facelets, scheme: Mapping[str, str] | None = None) -> None:
        """Print the net, in colour if possible."""
        self.out.print(self._drawn(facelets.text, scheme or WESTERN_SCHEME))

    def nets(self, named: Mapping[str, str], scheme: Mapping[str, str]) -> None:
        """Print nets below their names, side by side if the terminal is wide enough.

        Args:
            named: The stickers of each, for `cube.net.text_net`.
            scheme: The colour name of each of their letters; other names are not painted.
        """
        self.beside({name: self._drawn(stickers, scheme) for name, stickers in named.items()})

    def beside(self, named: Mapping[str, Text]) -> None:
        """Print drawings below their names, side by side if the terminal is wide enough."""
        blocks = [[Text(name), *drawn.split("\n")] for name, drawn in named.items()]
        wide = max(line.cell_len for block in blocks for line in block) + _BETWEEN_NETS
        if wide * len(blocks) - _BETWEEN_NETS > self.out.width:
            rows = [line for block in blocks for line in block]
        else:
            for line in (line for block in blocks[:-1] for line in block):
                line.pad_right(wide - line.cell_len)
            rows = [Text().join(lines) for lines in zip(*blocks, strict=True)]
        self.out.print(Text("\n").join(rows), soft_wrap=True)

    def _drawn(self, stickers: str, scheme: Mapping[str, str]) -> Text:
        painted = self.out.is_terminal and self.out.color_system and not self.out.no_color
        if painted and has_colours(scheme):
            return Text.from_ansi(colour_net(stickers, scheme))
        return Text(text_net(stickers))

    def reading(self, reading: "ReadingRecord", *, net: bool = True) -> None:
        """Print a reading and its confidence.

        Args:
            reading: One with stickers and proposal, as in an event.
            net: Draw the net of an accepted reading; others are always drawn.
        """
        from vision.colours.scheme import looks_mirrored  # which imports numpy

        if net or not reading.accepted:
            shown = reading.facelets or reading.proposal
            self.net(Facelets(shown), reading.scheme or None)
        margin = float("inf") if reading.margin is None else reading.margin
        if reading.accepted:
            self.line(f"reading   {reading.best}")
            self.line(f"{reading.state:<9} margin {margin:.1f}, {reading.elapsed_ms:.0f} ms")
            if reading.unseen:
                told = facelets_text(reading.unseen)
                self.line(f"not seen  {told}; the other stickers determine them")
            for repair in reading.repairs:
                if repair.looked:
                    self.line(f"repair    {repair.text}")
            if looks_mirrored([reading.scheme.get(face, "") for face in FACES]):
                self.note(
                    "these are the usual colours in mirrored order: if your cube is not like that, "
                    "the pictures are mirrored, and the moves would scramble it. Turn off "
                    "mirroring in the camera's settings, then scan again"
                )
            return
        self.line(f"likeliest {reading.best} (not accepted: margin {margin:.1f})")
        self.line(f"state     {reading.state}")
        if reading.unseen:
            self.line(f"not seen  {facelets_text(reading.unseen)}")
        if reading.mistake:  # it also breaks laws, but this says enough
            self.line(f"mistake   {reading.mistake.text}")
        for problem in reading.problems if not reading.mistake else ():
            self.line(f"problem   {problem.text}")
        for other in reading.alternatives:
            self.line(f"or        {other}")
        if reading.reread:
            self.line(f"show again: {', '.join(reading.reread)}")

    def actions(self, program: "RigProgram") -> None:
        """Print the actions of a machine that handles the cube; nothing for motors on faces."""
        if program.handles_cube:
            self.line(f"actions   {len(program.steps)}")
            for step in program.steps:
                moves = f"  {step.moves}" if step.moves.moves else ""
                self.line(f"{step.start_s:8.2f} s  {step.does}{moves}")

    def solution(self, solution: "SolutionRecord", *, by_hand: bool = False) -> None:
        """Print the moves by stage, their number and the rig's time.

        A search need not go by stages: those without a move are left out, and a single one too.

        Args:
            solution: The solution, as in an event.
            by_hand: A person turns, in any time.
        """
        wanted = "in the target state" if solution.target else "solved"
        if not solution.moves:
            self.line(f"already {wanted}, no moves needed")
            return
        stages = tuple(stage for stage in solution.stages if stage.moves)
        names = max(9, *(len(stage.name) for stage in stages), 0)
        width = max(len(stage.moves) for stage in stages)
        for stage in stages if len(stages) > 1 else ():
            self.line(f"{stage.name:<{names}} {stage.moves:{width}}  ({len(stage.moves.split())})")
        if solution.of_inverse:
            self.line(
                "stages    of the inverse cube, each as short as possible there; their "
                "moves, undone"
            )
            self.line("          in reverse order, solve this cube, half turns first")
        if solution.target:
            self.line("stages    relative to the target, as if it were the solved cube")
        self.line(f"moves     {solution.moves}")
        unknown = by_hand or solution.time_s is None
        predicted = "" if unknown else f"; predicted {solution.time_s:.2f} s on this rig"
        self.line(
            f"length    {solution.htm} turns (HTM), {solution.qtm} quarter turns (QTM), "
            f"{solution.axial_htm} with opposite faces together (axial){predicted}"
        )
        if solution.proven:
            self.line("proven    no solution has fewer turns")
        elif solution.excluded is not None:
            self.line(f"excluded  every solution of {solution.excluded} turns or fewer")
