"""What a session saw, kept for the record and as pictures."""

from collections.abc import Sequence
from pathlib import Path

from thistlebot.events import Diagnosed, Event, Read, Verified
from thistlebot.reading.reader import Look


class Recorder:
    """A listener that keeps what the session saw: for the JSON record, and as pictures on demand.

    The pictures of the first look after the turns are called ``verify``, those of the second one
    ``verify2``, and so on.

    Args:
        folder: Where to write pictures, or None for none.
        looks: What the session saw, by the number of the look.

    Attributes:
        verified: Whether the last look saw the cube as it was to be.
        went_wrong: What went wrong each time that it was not.
        files: The pictures written.
    """

    def __init__(self, folder: Path | None, looks: Sequence[Look] = ()) -> None:
        self._folder = folder
        self._looks = looks
        self._verified = 0
        self.verified = False
        self.went_wrong: list[str] = []
        self.files: list[Path] = []

    def __call__(self, event: Event) -> None:
        """Take note of one event."""
        match event:
            case Read(look):
                self._save("scan", look)
            case Verified(look, reached=reached):
                self.verified = reached
                self._verified += 1
                self._save(f"verify{self._verified if self._verified > 1 else ''}", look)
            case Diagnosed(text):
                self.went_wrong.append(text)
            case _:
                pass

    def _save(self, name: str, number: int) -> None:
        if self._folder is not None:
            from thistlebot.reading.pictures import save_reading

            look = self._looks[number]
            self.files += save_reading(self._folder, name, look.frames, look.reading)
