"""How the building of tables goes on, where a person looks on."""

from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

from thistlebot.terminal.screen import Screen


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
