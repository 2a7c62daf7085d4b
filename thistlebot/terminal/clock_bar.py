"""Shows the time of each part of a run: a line of seconds, and a bar to scale."""

from dataclasses import astuple

from rich.text import Text

from thistlebot.journal.run_row import RunTimes
from thistlebot.terminal.screen import Screen

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


def print_times(screen: Screen, times: RunTimes) -> None:
    """Print the time of each part with its letter, and below it the bar of these letters."""
    told = ", ".join(
        f"{letter} {name} {time_s:.2f}"
        for (name, letter, _), time_s in zip(_PARTS, astuple(times), strict=True)
        if time_s >= 0.005
    )
    screen.line(f"clock     {times.total_s:.2f} s: {told}")
    if bar := time_bar(times):
        screen.out.print(Text("          ") + bar)


def time_bar(times: RunTimes, width: int = BAR_WIDTH) -> Text:
    """Draw the parts to scale; return an empty text for a run that took no time.

    Args:
        times: The time of each part.
        width: Number of letters for the whole time.
    """
    bar, until_s = Text(), 0.0
    if not times.total_s:
        return bar
    for (_, letter, colour), time_s in zip(_PARTS, astuple(times), strict=True):
        until_s += time_s
        # The ends of the parts are rounded, so that all parts together have the right length.
        length = round(width * until_s / times.total_s) - len(bar)
        bar.append(letter * length, style=f"bold {colour}")
    return bar
