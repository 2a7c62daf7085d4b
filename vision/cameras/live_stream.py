"""Pictures of a network stream that are never older than the question."""

import threading

import cv2
import numpy as np
from numpy.typing import NDArray


class LiveStream:
    """Takes every picture of a stream as it comes, and keeps none.

    What nobody reads waits in the sender, in the network and in FFmpeg, dozens of pictures long; it
    would be read first, and would show the cube before the last turns.

    Args:
        capture: The opened stream; nobody else reads from it.
    """

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture
        self._changed = threading.Condition()
        self._asked = 0
        self._image: NDArray[np.uint8] | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._take_pictures, daemon=True, name="stream")
        self._thread.start()

    def next_image(self, timeout_s: float) -> NDArray[np.uint8] | None:
        """Return a picture that came after this was called; None when the stream has ended.

        Raises:
            TimeoutError: None came in time.
        """
        with self._changed:
            self._asked += 1
            self._image = None
            self._changed.wait_for(lambda: self._image is not None or self._ended, timeout_s)
            if self._image is None and not self._ended:
                raise TimeoutError(f"no picture within {timeout_s:g} s")
            return self._image

    def close(self, timeout_s: float) -> bool:
        """Stop taking pictures.

        Returns:
            Whether the stream may be released: nobody waits inside the driver any more.
        """
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _take_pictures(self) -> None:
        answered = 0
        while not self._ended:
            asked = self._asked  # before the picture begins to come
            came, image = self._capture.grab(), None
            if came and asked > answered:
                came, image = self._capture.retrieve()
            with self._changed:
                self._ended = self._ended or not came
                if image is not None and asked == self._asked:
                    self._image = np.asarray(image, dtype=np.uint8)
                    answered = asked
                self._changed.notify_all()
