"""A live camera's frames share the copies among them."""

import numpy as np
import pytest

from vision.faces.copies import COPIES
from vision.faces.finder import search_copies
from vision.live import face_watch
from vision.live.face_watch import FaceWatch

NOTHING = np.full((480, 640, 3), 127, np.uint8)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Which copies were searched, frame by frame."""
    frames: list[list[int]] = []

    def told(image, limit_s, order):
        frames.append([])

        def watched():
            for number in order:
                frames[-1].append(number)
                yield number

        found = search_copies(image, limit_s, watched())
        del frames[-1][found[2] :]  # one more is asked for before the time is seen to be over
        return found

    monkeypatch.setattr(face_watch, "search_copies", told)
    return frames


def test_a_slow_computer_searches_all_copies_in_turn_and_a_quick_one_all_in_one_frame(
    searches: list[list[int]],
) -> None:
    assert FaceWatch(limit_s=60.0).find(NOTHING) is None
    assert searches == [list(range(len(COPIES)))]
    searches.clear()
    watch = FaceWatch(limit_s=0.0)
    for _ in range(2 * len(COPIES) - 2):
        assert watch.find(NOTHING) is None
    assert searches[::2] == [[0]] * (len(COPIES) - 1)
    assert searches[1::2] == [[number] for number in range(1, len(COPIES))]
