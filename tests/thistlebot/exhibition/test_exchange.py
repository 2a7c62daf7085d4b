"""Another cube is put in: a press says so, and none from before."""

from world import Agenda

from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.cli.copy import wait_for_exchange
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen


def test_only_a_press_after_the_question_counts() -> None:
    clock = Agenda()
    rig = VirtualRig(default_rig(), clock)
    late: list[float] = []

    class Pressing(Screen):
        """Presses the button some time after it was asked for."""

        def line(self, _text: str = "") -> None:
            clock.later(0.2, lambda: late.append(clock.now_s()), rig.press_button)

    with RigDriver(rig, default_rig(), clock) as driver, Keyboard(wanted=False) as keyboard:
        driver.connect()
        rig.press_button()
        wait_for_exchange(keyboard, Pressing(), driver)
        assert late
