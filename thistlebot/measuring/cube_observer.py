"""Sees the cube in a rig as a solve does, for calibrations that judge by it."""

from cube.state import CubeState
from thistlebot.looking.reader import Reader


class ReaderObserver:
    """Looks through a reader; see `calibration.motors.CubeObserver`.

    Args:
        reader: The rig's cameras.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def state(self) -> CubeState | None:
        """Return what the cube shows, None when it cannot be read."""
        reading = self._reader.read(self._reader.look())
        self._reader.put_back()
        return None if reading.facelets is None else CubeState.from_facelets(reading.facelets)
