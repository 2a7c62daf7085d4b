"""Live pictures: written once for all who look on, and not too many for all together."""

import threading

import pytest

from cube.state import SOLVED
from thistlebot.panel.server.feeds import MOST_SHOWN_HZ, CameraFeeds, Feed
from vision.frame import Frame
from vision.virtual.viewpoints import corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


@pytest.fixture
def feed() -> Feed:
    feeds = CameraFeeds()
    feeds.share(0, VirtualCamera(lambda: SOLVED, corner_viewpoint("A")), between=False)
    found = feeds.get(0)
    assert found is not None
    return found


def test_a_picture_is_written_once_for_all_watchers(feed: Feed) -> None:
    feed.take()
    found = feed.newest(0)
    assert found is not None
    first = feed.jpeg(*found)
    assert first.startswith(b"\xff\xd8")
    assert feed.jpeg(*found) is first
    feed.take()
    later = feed.newest(found[0])
    assert later is not None
    assert feed.jpeg(*later) != first  # its noise is its own


def test_many_watchers_share_the_pictures(feed: Feed) -> None:
    watchers = [lambda: None for _ in range(8)]
    for count, wake in enumerate(watchers, 1):
        feed.watch(wake)
        assert count / feed.pause_s == pytest.approx(MOST_SHOWN_HZ)
    for wake in watchers:
        feed.leave(wake)
    assert feed.pause_s == 0


def test_a_picture_that_the_machine_asked_for_is_shown(feed: Feed) -> None:
    picture = feed.ask()
    assert feed.newest(0) is None  # a recording: it is taken when it is waited for
    frame = picture()
    assert feed.newest(0) == (1, frame)


def test_cameras_that_are_watched_take_their_pictures_at_the_same_time() -> None:
    meeting = threading.Barrier(2)

    class Meeting(VirtualCamera):
        def read(self) -> Frame:
            meeting.wait(30.0)
            return super().read()

    feeds = CameraFeeds()
    shared = [
        feeds.share(number, Meeting(lambda: SOLVED, corner_viewpoint("A"))) for number in range(2)
    ]
    pictures = [camera.ask() for camera in shared]
    frames = [picture() for picture in pictures]
    for number, frame in enumerate(frames):
        feed = feeds.get(number)
        assert feed is not None
        assert feed.newest(0) == (1, frame)
