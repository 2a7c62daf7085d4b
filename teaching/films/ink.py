"""Dark or light writing on a coloured sticker, whichever is told better from it."""

import colorsys
import re

DARK, LIGHT = "#000", "#fff"
_HSL = re.compile(r"hsl\((\d+), (\d+)%, (\d+)%\)")
_MIDDLE = 0.179
"""The luminance from which black is told better from it than white (WCAG 2, contrast ratio)."""


def ink_on(fill: str) -> str:
    """The colour to write with.

    Args:
        fill: ``#rrggbb`` or ``hsl(h, s%, l%)``.
    """
    if match := _HSL.fullmatch(fill):
        hue, saturation, lightness = map(int, match.groups())
        red, green, blue = colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
    else:
        red, green, blue = (value / 255 for value in bytes.fromhex(fill[1:]))
    luminance = 0.2126 * _linear(red) + 0.7152 * _linear(green) + 0.0722 * _linear(blue)
    return DARK if luminance > _MIDDLE else LIGHT


def _linear(value: float) -> float:
    """One channel of sRGB as light."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
