"""A second reading of the same cube: it confirms what one reading must not claim alone."""

from dataclasses import replace

from vision.reading import CubeReading, ReadingState


def confirm(first: CubeReading, second: CubeReading) -> CubeReading:
    """Hold a reading of new pictures against an earlier one that suspected a mis-assembled cube.

    Args:
        first: The earlier reading.
        second: A reading of other pictures of the same cube.

    Returns:
        The second reading; its state is mis-assembled when both suspect the very same stickers, and
        it asks again when it is trusted where the first one was not.
    """
    if first.suspicion is None:
        return second
    if second.suspicion is not None and second.suspicion.facelets == first.suspicion.facelets:
        return replace(second, state=ReadingState.MISASSEMBLED, reread=())
    return second
