"""`pattern`, `solve --to` and `copy`: a cube is made to look as it should."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from cubes import cube, cube_after
from hand_video import photograph
from world import Agenda

from cube.moves import FACES, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.orientation import Orientation, facelet_places
from cube.patterns import PATTERNS
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import record, thistlebot
from thistlebot.cli.solve.like import wait_for_exchange
from thistlebot.session.machine import Machine
from thistlebot.session.target import Target
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen

pytestmark = pytest.mark.usefixtures("simulated_time")


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> list[Machine]:
    """Every machine that a command opens."""
    opened: list[Machine] = []
    begin = Machine.__init__

    def remember(self: Machine, *arguments: object, **named: object) -> None:
        opened.append(self)
        begin(self, *arguments, **named)

    monkeypatch.setattr(Machine, "__init__", remember)
    return opened


def test_the_list_tells_and_draws_every_pattern(tmp_path: Path) -> None:
    result = thistlebot("pattern", "--json", "--pictures", tmp_path)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["name"] for each in records] == [each.name for each in PATTERNS]
    for told, each in zip(records, PATTERNS, strict=True):
        made = cube_after(told["moves"]).to_facelets()
        assert told["facelets"] == made.text == each.state.to_facelets().text
        drawn = ET.parse(told["picture"]).getroot()
        assert len([each for each in drawn.iter() if each.tag.endswith("polygon")]) >= 54
    assert {file.stem for file in tmp_path.iterdir()} == {each.slug for each in PATTERNS}
    lines = thistlebot("pattern").stdout.splitlines()
    first = lines.index(next(line for line in lines if line.startswith("four spots: ")))
    assert lines[first + 2 : first + 6] == ["      U U U"] * 3 + ["R R R B B B L L L F F F"]


@pytest.mark.parametrize("rig", ["six", "cubotino", "five"])
def test_without_a_camera_the_moves_are_those_of_a_solved_cube(rig: str) -> None:
    wanted = Target.of("superflip")
    told = record("pattern", "Super-Flip", "--dry-run", "--rig", rig)
    assert told["facelets"] == SOLVED.to_facelets().text
    assert told["target"] == wanted.facelets.text
    assert told["verified"] is False
    stages = MoveSequence.parse(" ".join(stage["moves"] for stage in told["stages"]))
    assert SOLVED.apply(stages) == wanted.state
    if rig == "five":
        assert "U" not in {move.face for move in stages}
    else:
        assert (told["htm"], "actions" in told) == (20, rig == "cubotino")


def test_half_turns_are_made_together_and_a_cube_that_is_there_already_is_left_so(
    machines: list[Machine],
) -> None:
    asked = ("solve", "--to", "checkerboard", "--scramble", "", "--virtual")
    lines = thistlebot(*asked).stdout.splitlines()
    assert [line for line in lines if line.startswith("turned    3 ")]
    assert [line for line in lines if line.startswith("verified  ")]
    assert machines[-1].world.rig.state == Target.of("checkerboard").state
    letters = Target.of("tetris").facelets.text
    told = record("solve", "--to", "tetris", "--facelets", letters, "--virtual")
    assert (told["moves"], told["verified"]) == ("", True)
    there, back = machines[-1].world.rig.moves  # they only show that the cameras follow
    assert back == there.inverse()


def test_every_way_to_solve_leads_to_a_target() -> None:
    wanted = cube(8).to_facelets().text
    stages = ("--method", "thistlethwaite")
    for way in (("--budget-ms", 50), stages, ("--method", "thistlethwaite-strict")):
        asked = ("solve", "--to", wanted, "--scramble", "R U F2 D'", "--dry-run", *way)
        told = record(*asked)
        assert told["target"] == wanted
        made = cube_after(f"R U F2 D' {told['moves']}")
        assert made.to_facelets().text == wanted


OTHER = cube(21)
OTHER_LETTERS = OTHER.to_facelets().text


def test_a_cube_that_lies_otherwise_is_copied_colour_by_colour(
    machines: list[Machine], tmp_path: Path
) -> None:
    held = Orientation().turned("x").turned("y")
    scheme = {place: WESTERN_SCHEME[held.face_at(place)] for place in FACES}
    folder = photograph(tmp_path / "other", OTHER, scheme=scheme)
    told = record("solve", "--to", folder, "--virtual", "--seed", "6")
    shown = machines[-1].world.rig.state.to_facelets().text
    colours = [WESTERN_SCHEME[shown[each]] for each in facelet_places(held)]
    assert colours == [scheme[letter] for letter in OTHER_LETTERS]
    assert told["target"] == shown != OTHER_LETTERS
    assert told["verified"]


def test_the_rig_reads_both_cubes(machines: list[Machine]) -> None:
    told = record("solve", "--to", "rig", "--virtual", "--seed", "3")
    first, second = (machine.world.rig.state for machine in machines)
    assert first == second
    assert told["target"] == first.to_facelets().text != told["facelets"]


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
