"""What looks like the face of a 2×2×2 cube, and what does not."""

import cv2
import numpy as np

from vision.faces.candidates import find_candidates
from vision.faces.pocket_score import pocket_scores
from vision.faces.pocket_squares import propose_squares

COLOURS = [(40, 40, 200), (60, 160, 20), (30, 200, 230), (190, 90, 20)]


def squares(columns: int, rows: int, side: int = 40) -> np.ndarray:
    """Coloured squares with dark lines between them on grey."""
    picture = np.full((240, 320, 3), 120, np.uint8)
    x0, y0 = 160 - columns * side // 2, 120 - rows * side // 2
    cv2.rectangle(picture, (x0 - 3, y0 - 3), (x0 + columns * side, y0 + rows * side), (20,) * 3, -1)
    for column in range(columns):
        for row in range(rows):
            x, y = x0 + column * side, y0 + row * side
            colour = COLOURS[(column + 3 * row) % 4]
            cv2.rectangle(picture, (x, y), (x + side - 4, y + side - 4), colour, -1)
    return picture


def best_score(picture: np.ndarray) -> float:
    candidates = find_candidates(picture)
    places, fits = propose_squares(candidates)
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    return float(pocket_scores(lab, candidates.edges, places, fits).max())


def test_four_squares_look_like_a_face_of_any_size_but_not_four_of_many() -> None:
    for side in (30, 40, 70, 100):
        assert best_score(squares(2, 2, side)) > 2.0
    assert best_score(squares(7, 5)) < 0.0
    places, fits = propose_squares(find_candidates(squares(3, 1)))  # no four regions in a square
    assert (places.shape, fits.shape) == ((0, 4, 2), (0, 3))


def test_uneven_squares_do_not() -> None:
    even = squares(2, 2, 70)
    noise = np.random.default_rng(3).normal(0.0, 45.0, (60, 80, 3))
    grain = cv2.resize(noise, (320, 240), interpolation=cv2.INTER_NEAREST)
    rough = np.clip(even + grain, 0, 255).astype(np.uint8)
    candidates = find_candidates(even)
    places, fits = propose_squares(candidates)
    lab = np.asarray(cv2.cvtColor(rough, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    scores = pocket_scores(lab, find_candidates(rough).edges, places, fits)
    assert scores.max() < best_score(even) - 2.0
