"""What a session saw, kept for the record and as pictures."""

from pathlib import Path

from thistlebot.session.events import CubeRead, Event, Verified
from vision.frame import Frame
from vision.reading import CubeReading


class Recorder:
    """Keeps what the session saw: for the JSON record, and as pictures when asked to."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.verified = False
        self.files: list[Path] = []

    def __call__(self, event: Event) -> None:
        """Take note of one event."""
        match event:
            case CubeRead(frames, reading):
                self._save("scan", frames, reading)
            case Verified(frames, reading, solved):
                self.verified = solved
                self._save("verify", frames, reading)
            case _:
                pass

    def _save(self, name: str, frames: tuple[Frame, ...], reading: CubeReading) -> None:
        if self._folder is not None:
            from thistlebot.session.pictures import save_reading

            self.files += save_reading(self._folder, name, frames, reading)
