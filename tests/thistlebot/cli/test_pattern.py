"""The verb `pattern`, and `solve --to`: patterns listed, drawn, told as moves, and made."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from world import cube

from cube.moves import MoveSequence
from cube.notations import parse_partial
from cube.patterns import PATTERNS
from cube.state import SOLVED
from run_thistlebot import record, thistlebot
from thistlebot.session.machine import Machine
from thistlebot.session.target import Target

pytestmark = pytest.mark.usefixtures("simulated_time")


def test_the_list_tells_and_draws_every_pattern(tmp_path: Path) -> None:
    result = thistlebot("pattern", "--json", "--pictures", tmp_path)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["name"] for each in records] == [each.name for each in PATTERNS]
    for told, each in zip(records, PATTERNS, strict=True):
        made = SOLVED.apply(MoveSequence.parse(told["moves"])).to_facelets()
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


def test_a_pattern_is_made_in_the_virtual_rig(machines: list[Machine]) -> None:
    asked = ("cube_in_cube", "--virtual", "--seed", "5")
    assert record("pattern", *asked)["verified"]
    assert machines[0].world.rig.state == Target.of("cube in cube").state
    lines = thistlebot("pattern", *asked).stdout.splitlines()
    assert [line for line in lines if line.startswith("verified  ")]


def test_half_turns_of_opposite_faces_are_made_together(machines: list[Machine]) -> None:
    asked = ("solve", "--to", "checkerboard", "--scramble", "", "--virtual", "--no-verify")
    assert "turned    3 " in thistlebot(*asked).stdout
    assert machines[0].world.rig.state == Target.of("checkerboard").state


def test_a_cube_that_is_there_already_is_not_turned(machines: list[Machine]) -> None:
    letters = Target.of("tetris").facelets.text
    told = record("solve", "--to", "tetris", "--facelets", letters, "--virtual")
    assert (told["moves"], told["verified"]) == ("", True)
    assert machines[0].world.rig.moves == ()


def test_every_way_to_solve_leads_to_a_target() -> None:
    wanted = cube(8).to_facelets().text
    stages = ("--method", "thistlethwaite")
    for way in (("--budget-ms", 50), stages, (*stages, "--strict")):
        asked = ("solve", "--to", wanted, "--scramble", "R U F2 D'", "--dry-run", *way)
        told = record(*asked)
        assert told["target"] == wanted
        made = SOLVED.apply(MoveSequence.parse(f"R U F2 D' {told['moves']}"))
        assert made.to_facelets().text == wanted


CROSS = "????U????????R??R?????F??F??D?DDD?D?????L??L?????B??B?"


@pytest.mark.parametrize("rig", ["six", "cubotino"])
def test_stickers_that_do_not_matter_leave_the_choice_of_the_target(
    machines: list[Machine], rig: str
) -> None:
    """A machine that flips the cube reads it in another orientation at the end."""
    told = record("solve", "--to", CROSS, "--virtual", "--seed", "3", "--rig", rig)
    assert (told["proven"], told["verified"]) == (True, True)
    assert told["htm"] <= 8
    reached = Target.of(told["target"])
    assert parse_partial(CROSS).fits(reached.facelets)
    assert machines[0].world.rig.state.to_facelets() == reached.facelets
