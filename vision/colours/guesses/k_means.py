"""The six colours as the middles of the clusters that the stickers form."""

import warnings
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Array = NDArray[np.float64]


def cluster_colours(colours: Array, seeds: Array) -> Array:
    """Move the seeds to the middles of clusters; see `guesses.seeding.Proposer`.

    scikit-learn's Lloyd iterations, started once from the seeds: cluster i stays the colour of face
    i.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    seen = colours[np.isfinite(colours).all(axis=1)]
    if len(seen) < 6:
        return seeds
    # One thread: handing 54 points to more costs far longer than the sums.
    with _thread_pools().limit(limits=1), warnings.catch_warnings():
        # Fewer distinct colours than clusters (a picture of a wall): the seeds simply stay.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(n_clusters=6, init=seeds, n_init=1, max_iter=50).fit(seen)
    return np.asarray(found.cluster_centers_, dtype=np.float64)


@cache
def _thread_pools() -> "ThreadpoolController":
    """Find the pools of threads once: the search takes longer than a clustering."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
