"""The progress of building tables, or of other slow work, in the terminal."""

import time

from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from thistlebot.terminal.screen import Screen

LINE_S = 10.0
"""Least time between two lines about slow work without a terminal."""


class TableProgress:
    """A progress bar that appears with the first report and disappears at the end.

    Without a terminal, a line names the slow operation, and further ones tell its share and time.
    """

    def __init__(
        self, screen: Screen, text: str, *, remaining: bool = False, line_s: float = LINE_S
    ) -> None:
        self._screen, self._text, self._line_s = screen, text, line_s
        self._began_s: float | None = None
        self._said_s = 0.0
        self._bar = screen.progress(
            TextColumn(text),
            BarColumn(bar_width=30),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            *((TextColumn("left"), TimeRemainingColumn()) if remaining else ()),
        )
        self._task = self._bar.add_task("", total=1.0)

    def __enter__(self) -> "TableProgress":
        return self

    def __call__(self, share: float) -> None:
        """Report a share, 0..1; 0 if nobody knows it yet."""
        now_s = time.monotonic()
        if self._began_s is None:
            self._began_s = self._said_s = now_s
            self._bar.start()
            if not self._screen.live.is_terminal:
                self._screen.note(self._text)
        elif not self._screen.live.is_terminal and now_s - self._said_s >= self._line_s:
            self._said_s = now_s
            minutes, seconds = divmod(round(now_s - self._began_s), 60)
            done = f"{100 * share:.0f} %, " if share else ""
            self._screen.note(f"{self._text}: {done}{minutes}:{seconds:02}")
        self._bar.update(self._task, completed=share, total=1.0 if share else None)

    def __exit__(self, *_: object) -> None:
        if self._began_s is not None:
            self._bar.stop()
