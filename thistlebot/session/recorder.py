"""The looks of a session, stored for the record and as pictures."""

from collections.abc import Sequence
from pathlib import Path

from thistlebot.events import Diagnosed, Event, Read, Verified
from thistlebot.reading.reader import Look


class Recorder:
    """A listener that stores the looks of a session: for the JSON record, and as pictures.

    The pictures of the first look after the turns are called ``verify``, those of the second one
    ``verify2``, and so on.

    Args:
        folder: Folder for the pictures, or None.
        looks: The looks of the session, by their numbers.

    Attributes:
        verified: Whether the last look saw the cube at its target.
        went_wrong: The diagnoses of all looks that did not.
        files: The written pictures.
    """

    def __init__(self, folder: Path | None, looks: Sequence[Look] = ()) -> None:
        self._folder = folder
        self._looks = looks
        self._verified = 0
        self.verified = False
        self.went_wrong: list[str] = []
        self.files: list[Path] = []

    def __call__(self, event: Event) -> None:
        """Process one event."""
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
