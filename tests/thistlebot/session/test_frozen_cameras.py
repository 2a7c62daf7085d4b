"""Cameras that hang before a rig that turns: nothing is claimed, and nothing goes on."""

from collections.abc import Callable
from itertools import cycle

import pytest
from world import SCRAMBLED

from cube.state import SOLVED
from run_thistlebot import thistlebot, told
from thistlebot.session.machine import Machine
from vision.cameras import proven_camera
from vision.frame import Frame
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


class Hanging(VirtualCamera):
    """Repeats its last picture for ever once it hangs."""

    hangs: Callable[[], bool]
    last: Frame | None = None

    def read(self) -> Frame:
        if self.last is None or not self.hangs():
            self.last = super().read()
        return self.last

    def ask(self) -> Callable[[], Frame]:
        return self.read


@pytest.mark.parametrize("moment", ["before", "while it turns"])
def test_a_camera_that_repeats_its_picture_verifies_nothing(
    moment: str, pty_rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a solved cube that it has shown from the beginning."""
    monkeypatch.setattr(proven_camera, "_PATIENCE_S", 0.3)
    port, rig = pty_rig()
    rig.state = SCRAMBLED
    names = cycle(CORNER_CAMERAS)  # the machine opens them again

    def opened(*_: object) -> Hanging:
        shows = (lambda: SOLVED) if moment == "before" else (lambda: rig.state)
        camera = Hanging(shows, corner_viewpoint(next(names)))
        camera.hangs = (lambda: True) if moment == "before" else (lambda: bool(rig.moves))
        return camera

    monkeypatch.setattr(Machine, "open_camera", opened)
    result = thistlebot("solve", "--rig", "six", "--port", port, "--json")
    assert result.exit_code != 0
    assert any(corner_viewpoint(name).name in told(result).text for name in CORNER_CAMERAS)
    if moment == "before":
        assert rig.moves == ()
    else:
        assert 0 < len(rig.moves) < 30
