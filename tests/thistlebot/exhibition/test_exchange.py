"""Another cube is put in: a press says so, and none from before."""

import threading

from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.exhibition.exchange import wait_for_exchange
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen


class Pressing(Screen):
    """Presses the button some time after it was asked for."""

    def __init__(self, rig: VirtualRig) -> None:
        super().__init__()
        self._rig = rig
        self.late = threading.Event()

    def line(self, text: str = "") -> None:
        super().line(text)
        threading.Timer(0.4, self._press).start()

    def _press(self) -> None:
        self.late.set()
        self._rig.press_button()


def test_only_a_press_after_the_question_counts() -> None:
    rig = VirtualRig(default_rig())
    with RigDriver(rig, default_rig()) as driver, Keyboard() as keyboard:
        driver.connect()
        rig.press_button()
        screen = Pressing(rig)
        wait_for_exchange(keyboard, screen, driver)
        assert screen.late.is_set()
