"""The cheapest way to share things out: stickers to colours, pieces to places.

A transportation problem, which OpenCV solves for the distance between histograms. SciPy's solver of
assignments would do as well, but it takes longer to import than a cube takes to read.
"""

import cv2
import numpy as np
from numpy.typing import NDArray


def cheapest_assignment(costs: NDArray[np.float64], times: int = 1) -> NDArray[np.intp]:
    """Give each row a column, and each column as many rows as it takes, at the least total cost.

    Args:
        costs: (rows, columns) finite; sums are compared with a precision of six digits.
        times: Each column takes so many rows; rows ≤ columns · times.

    Returns:
        (rows,) column of each row.
    """
    rows, columns = costs.shape
    supply = np.ones((rows, 1), np.float32)
    demand = np.full((columns, 1), times, np.float32)
    _, _, flow = cv2.EMD(supply, demand, cv2.DIST_USER, np.ascontiguousarray(costs, np.float32))
    return np.asarray(np.asarray(flow).argmax(axis=1), dtype=np.intp)
