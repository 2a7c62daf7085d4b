"""The ways to propose what the six colours look like, before the laws of the cube are asked."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.colours.guesses.k_means import cluster_colours
from vision.colours.nine_each import nearest_medians

Array = NDArray[np.float64]


class Classifier(Protocol):
    """Proposes the six colours of a cube from all its stickers.

    What it proposes is the first of several starts of `vision.colours.colour_fit`.
    """

    def __call__(self, colours: Array, seeds: Array) -> Array:
        """Return the proposed colours, (6, 3) encoded sRGB 0..1, index in URFDLB.

        Args:
            colours: (54, 3) encoded sRGB 0..1 of the stickers; NaN where not seen.
            seeds: (6, 3) the colours as the centres or a profile tell them.
        """


CLASSIFIERS: Mapping[str, Classifier] = MappingProxyType(
    {
        "k-means": cluster_colours,
        "nine each": nearest_medians,
    }
)
"""Name to classifier; a new one is a module of its own and a line here."""

DEFAULT_CLASSIFIER = CLASSIFIERS["k-means"]
