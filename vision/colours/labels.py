"""Between facelets as letters and as colour indices."""

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES


def labels_of(facelets: Facelets) -> NDArray[np.intp]:
    """Return the colour of each sticker, (54,) index in URFDLB."""
    return np.array([FACES.index(letter) for letter in facelets.text], dtype=np.intp)


def facelets_of(labels: NDArray[np.intp]) -> Facelets:
    """Return the facelets of (54,) colour indices."""
    return Facelets("".join(FACES[int(label)] for label in labels))
