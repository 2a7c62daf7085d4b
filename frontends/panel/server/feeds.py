"""Live pictures for viewers: only the newest one, and only while somebody watches."""

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial

from frontends.control.outbox import news_event
from frontends.control.shared_pictures import Feeds
from frontends.panel.server.pictures import encode_jpeg
from vision.cameras.camera import Camera, WrappedCamera
from vision.cameras.driver_calls import begun
from vision.errors import CameraError
from vision.frame import Frame

MOST_RATE_HZ = 20.0
"""Maximum rate for a viewer: people need no more, and each picture takes time from the solver."""
MOST_SHOWN_HZ = 40.0
"""Maximum rate for all viewers of a camera: one processor often draws several tabs."""
_PERIOD_S = 1.0 / MOST_RATE_HZ
_YIELD_S = 0.005


class Feed:
    """The pictures of one camera, for the machine first and for viewers in addition.

    Args:
        camera: The camera; no other code reads from it.
        between: Also read it for viewers between the machine's own pictures.
    """

    def __init__(self, camera: Camera, *, between: bool) -> None:
        self._camera = camera
        self._between = between
        self._reading = threading.Lock()
        self._wanted = 0
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._number = 0
        self._picture: tuple[int, bytes] = (0, b"")
        self._encoding = threading.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._closed = False
        self._thread: threading.Thread | None = None

    def take(self) -> Frame:
        """Take a picture for the machine, with priority over viewers."""
        self._wanted += 1
        try:
            with self._reading:
                frame = self._camera.read()
        finally:
            self._wanted -= 1
        self._show(frame)
        return frame

    def ask(self) -> Callable[[], Frame]:
        """Begin to take a picture for the machine, and return a function that waits for it.

        For a recording, it is taken only when awaited, so its pictures keep their order.
        """
        return partial(begun(self.take), None) if self._between else self.take

    def watch(self, wake: Callable[[], None]) -> None:
        """Start watching; ``wake`` is called at each new picture, from any thread."""
        with self._changed:
            self._watchers.append(wake)
            if self._between and self._thread is None:
                self._thread = threading.Thread(target=self._run, name="live view", daemon=True)
                self._thread.start()

    def leave(self, wake: Callable[[], None]) -> None:
        """Stop watching; without viewers, pictures are taken only for the machine."""
        with self._changed:
            if wake in self._watchers:
                self._watchers.remove(wake)

    def newest(self, after: int) -> tuple[int, Frame] | None:
        """Return the newest picture and its number; None if there is none after a number."""
        with self._changed:
            if self._frame is None or self._number <= after:
                return None
            return self._number, self._frame

    def jpeg(self, number: int, frame: Frame) -> bytes:
        """Return a picture as JPEG, encoded once for all viewers."""
        with self._encoding:
            if self._picture[0] != number:
                self._picture = number, encode_jpeg(frame)
            return self._picture[1]

    async def next_jpeg(self, patience_s: float) -> bytes | None:
        """Return the next picture as JPEG; None if none comes in time."""
        news, wake = news_event()
        self.watch(wake)
        try:
            await asyncio.wait_for(news.wait(), patience_s)
        except TimeoutError:
            return None
        finally:
            self.leave(wake)
        found = self.newest(0)
        return None if found is None else await asyncio.to_thread(self.jpeg, *found)

    @property
    def pause_s(self) -> float:
        """Return the interval of pictures for each viewer, which limits the total rate."""
        return len(self._watchers) / MOST_SHOWN_HZ

    def close(self) -> None:
        """Stop taking pictures."""
        self._closed = True

    @property
    def closed(self) -> bool:
        """Return whether the camera will send no more pictures."""
        return self._closed

    def _run(self) -> None:
        due_s = time.monotonic()
        while True:
            with self._changed:
                if self._closed or not self._watchers:
                    self._thread = None
                    return
            if self._wanted:
                time.sleep(_YIELD_S)
                continue
            try:
                with self._reading:
                    frame = self._camera.read_live()
            except CameraError:
                time.sleep(1.0)  # the machine reports the error when it looks
                continue
            self._show(frame)
            due_s = max(due_s, time.monotonic() - _PERIOD_S) + _PERIOD_S
            time.sleep(max(0.0, due_s - time.monotonic()))

    def _show(self, frame: Frame) -> None:
        with self._changed:
            self._frame = frame
            self._number += 1
            watchers = list(self._watchers)
        for wake in watchers:
            wake()


class SharedCamera(WrappedCamera):
    """A camera whose pictures viewers see, too."""

    def __init__(self, camera: Camera, feed: Feed) -> None:
        super().__init__(camera)
        self._feed = feed

    def read(self) -> Frame:
        """Return the next picture of the camera."""
        return self._feed.take()

    def ask(self) -> Callable[[], Frame]:
        """See `Camera.ask`."""
        return self._feed.ask()

    def close(self) -> None:
        """Close the camera."""
        self._feed.close()
        super().close()


class CameraFeeds(Feeds):
    """All cameras for viewers, by number; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._feeds: dict[int, Feed] = {}

    def share(self, number: int, camera: Camera, *, between: bool = True) -> Camera:
        """See `Feeds.share`."""
        feed = Feed(camera, between=between)
        with self._lock:
            if (before := self._feeds.get(number)) is not None:
                before.close()
            self._feeds[number] = feed
        return SharedCamera(camera, feed)

    def get(self, number: int) -> Feed | None:
        """Return the feed of a camera; None if it is not open."""
        with self._lock:
            return self._feeds.get(number)

    def forget(self) -> None:
        """Note that all cameras are being closed."""
        with self._lock:
            for feed in self._feeds.values():
                feed.close()
            self._feeds.clear()
