"""How large a picture may be: beyond that, decoding would take all memory and minutes."""

from collections.abc import MutableMapping

MOST_PIXELS = 1 << 25
"""More than the photos of most cameras have, and 0.1 GB when decoded."""


def limit_pixels(environment: MutableMapping[str, str]) -> None:
    """Tell OpenCV, which looks into the environment once, when it is imported."""
    environment.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
