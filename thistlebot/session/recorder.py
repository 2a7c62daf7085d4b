"""What a session saw, kept for the record and as pictures."""

from collections.abc import Sequence
from pathlib import Path

from thistlebot.session.events import Event, Read, Verified
from thistlebot.session.session import Look


class Recorder:
    """A listener that keeps what the session saw: for the JSON record, and as pictures on demand.

    Args:
        folder: Where to write pictures, or None for none.
        looks: What the session saw, by the number of the look.
    """

    def __init__(self, folder: Path | None, looks: Sequence[Look] = ()) -> None:
        self._folder = folder
        self._looks = looks
        self.verified = False
        self.files: list[Path] = []

    def __call__(self, event: Event) -> None:
        """Take note of one event."""
        match event:
            case Read(look):
                self._save("scan", look)
            case Verified(look, _, solved):
                self.verified = solved
                self._save("verify", look)
            case _:
                pass

    def _save(self, name: str, number: int) -> None:
        if self._folder is not None:
            from thistlebot.session.pictures import save_reading

            look = self._looks[number]
            self.files += save_reading(self._folder, name, look.frames, look.reading)
