"""What is written on stickers can be read on every colour that puzzles have."""

import pytest

from cube.drawing import colour_of
from cube.net import SCREEN_COLOURS
from teaching.films.ink import DARK, LIGHT, ink_on

HUES = [
    colour_of(str(n), [str(i) for i in range(count)])
    for count in (4, 8, 12, 20)
    for n in range(count)
]


def test_the_better_ink_is_taken() -> None:
    cv2 = pytest.importorskip("cv2")
    numpy = pytest.importorskip("numpy")
    for fill in (*SCREEN_COLOURS.values(), *HUES):
        if fill.startswith("#"):
            rgb = [int(fill[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        else:
            hue, saturation, lightness = (float(n.strip(" %")) for n in fill[4:-1].split(","))
            pixel = numpy.float32([[[hue, lightness / 100, saturation / 100]]])
            rgb = cv2.cvtColor(pixel, cv2.COLOR_HLS2RGB)[0, 0].tolist()
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in rgb]
        light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05
        contrasts = {LIGHT: 1.05 / light, DARK: light / 0.05}
        assert contrasts[ink_on(fill)] >= 4.5, fill
        assert contrasts[ink_on(fill)] >= 0.99 * max(contrasts.values()), fill
