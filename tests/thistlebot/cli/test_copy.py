"""The verb `copy`: a second cube is read, and the one in the rig is made to look like it."""

from pathlib import Path

import pytest
from hand_video import photograph
from hand_video import record as film
from world import Agenda, cube

from cube.moves import FACES, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.orientation import Orientation, facelet_places
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import record
from thistlebot.cli.copy import wait_for_exchange
from thistlebot.session.machine import Machine
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from vision.live.capture import CAPTURE_ORDER

pytestmark = pytest.mark.usefixtures("simulated_time")
OTHER = cube(21)
LETTERS = OTHER.to_facelets().text


def test_a_cube_that_lies_otherwise_is_copied_colour_by_colour(
    machines: list[Machine], tmp_path: Path
) -> None:
    held = Orientation().turned("x").turned("y")
    scheme = {place: WESTERN_SCHEME[held.face_at(place)] for place in FACES}
    folder = photograph(tmp_path / "other", OTHER, scheme=scheme)
    told = record("copy", "--photos", folder, "--virtual", "--seed", "6")
    shown = machines[-1].world.rig.state.to_facelets().text
    colours = [WESTERN_SCHEME[shown[each]] for each in facelet_places(held)]
    assert colours == [scheme[letter] for letter in LETTERS]
    assert told["target"] == shown != LETTERS
    assert told["verified"]


@pytest.mark.parametrize("rig", ["six", pytest.param("three", marks=pytest.mark.exhaustive)])
def test_the_rig_reads_both_cubes(rig: str, machines: list[Machine]) -> None:
    told = record("copy", "--virtual", "--seed", "3", "--rig", rig)
    first, second = (machine.world.rig.state for machine in machines)
    assert first == second
    assert told["target"] == first.to_facelets().text != told["facelets"]


def test_a_cube_in_the_hand_is_copied(tmp_path: Path) -> None:
    film(tmp_path / "faces.avi", OTHER, CAPTURE_ORDER)
    told = record("copy", "--hand", "--camera", tmp_path / "faces.avi", "--dry-run")
    assert told["target"] == LETTERS


def test_without_a_rig_the_moves_are_those_of_a_solved_cube() -> None:
    told = record("copy", "--facelets", LETTERS, "--dry-run")
    assert SOLVED.apply(MoveSequence.parse(told["moves"])) == OTHER
    assert told["verified"] is False


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
