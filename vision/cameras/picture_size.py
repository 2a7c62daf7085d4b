"""The maximum size of a picture: decoding larger ones would take all memory and minutes."""

from collections.abc import MutableMapping

MOST_PIXELS = 1 << 25
"""More pixels than the photos of most cameras have, and 0.1 GB when decoded."""


def limit_pixels(environment: MutableMapping[str, str]) -> None:
    """Tell OpenCV the limit through the environment, which it reads once, at import."""
    environment.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
