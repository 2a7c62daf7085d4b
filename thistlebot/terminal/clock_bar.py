"""Shows what each part of a run took: a line of seconds, and a bar to scale."""

from dataclasses import astuple

from rich.text import Text

from thistlebot.journal.run_row import RunTimes
from thistlebot.terminal.screen import Screen

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
