"""Cameras whose stream hangs, before a rig that turns: nothing is claimed, and nothing goes on."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import cv2
import pytest
from network_camera import streaming
from world import SCRAMBLED

from cube.state import SOLVED, CubeState
from run_thistlebot import thistlebot, told
from vision.cameras import proven_camera
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


class Corner:
    """The pictures of one camera, as JPEGs, until it hangs.

    Args:
        name: Of the corner that the camera sees.
        shows: What stands before it.
        hangs: Whether it does by now; then it repeats its last picture for ever.
    """

    def __init__(
        self, name: str, shows: Callable[[], CubeState], hangs: Callable[[], bool]
    ) -> None:
        self._camera = VirtualCamera(shows, corner_viewpoint(name))
        self._hangs = hangs
        self._last = self._next()

    def _next(self) -> bytes:
        return bytes(cv2.imencode(".jpg", self._camera.read().image)[1])

    def __call__(self) -> Iterator[bytes]:
        while True:
            if not self._hangs():
                self._last = self._next()
            yield self._last
            time.sleep(0.02)


@pytest.mark.parametrize("moment", ["before", "while it turns"])
def test_a_camera_that_repeats_its_picture_verifies_nothing(
    moment: str, pty_rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a solved cube that it has shown from the beginning."""
    monkeypatch.setattr(proven_camera, "_PATIENCE_S", 0.3)
    port, rig = pty_rig()
    rig.state = SCRAMBLED
    hangs = (lambda: True) if moment == "before" else (lambda: bool(rig.moves))
    shows = (lambda: SOLVED) if moment == "before" else (lambda: rig.state)
    with ExitStack() as stack:
        corners = [Corner(name, shows, hangs) for name in CORNER_CAMERAS]
        urls = [stack.enter_context(streaming(corner)) for corner in corners]
        cameras = [word for url in urls for word in ("--camera", url)]
        result = thistlebot("solve", "--rig", "six", "--port", port, *cameras, "--json")
    assert result.exit_code != 0
    assert any(url.rpartition("/")[0] in told(result).text for url in urls)
    if moment == "before":
        assert rig.moves == ()
    else:
        assert 0 < len(rig.moves) < 30
