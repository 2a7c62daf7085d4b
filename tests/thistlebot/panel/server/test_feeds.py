"""Live pictures: written once for all who look on, and not too many for all together."""

import pytest

from cube.state import SOLVED
from thistlebot.panel.server.feeds import MOST_SHOWN_HZ, CameraFeeds, Feed
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
