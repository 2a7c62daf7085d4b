"""Looks through a rig's cameras, with progress where the rig moves the cube meanwhile."""

from thistlebot.looking.rig_reader import RigReader
from thistlebot.runs.events import Entered, Looked, Phase
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.screen import Screen
from vision.frame import Frame
from vision.reading import CubeReading


def read_rig(reader: RigReader, screen: Screen) -> tuple[CubeReading, tuple[Frame, ...]]:
    """Read the cube, and leave its layers as they were.

    Args:
        reader: The rig's cameras.
        screen: Where progress is shown.

    Raises:
        ThistlebotError: A camera or the rig failed.
    """
    with ProgressListener(screen) as listener:
        listener(Entered(Phase.SCAN))
        reader.on_stop = lambda done, total: listener(Looked(done, total))
        frames = reader.look()
        reading = reader.read(frames)
        reader.put_back()
    return reading, frames
