"""The verb `pattern`, and `solve --to`: patterns listed, drawn, told as moves, and made."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.patterns import PATTERNS, find_pattern
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from run_thistlebot import thistlebot
from thistlebot.session.machine import Machine


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> list[Machine]:
    """The machines that are opened."""
    opened: list[Machine] = []
    begin = Machine.__init__

    def remember(self: Machine, *arguments: object, **named: object) -> None:
        opened.append(self)
        begin(self, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Machine, "__init__", remember)
    return opened


def state_of(name: str) -> CubeState:
    found = find_pattern(name)
    assert found is not None
    return found.state


def test_the_list_tells_and_draws_every_pattern(tmp_path: Path) -> None:
    result = thistlebot("pattern", "--json", "--pictures", tmp_path)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["name"] for record in records] == [each.name for each in PATTERNS]
    for record, each in zip(records, PATTERNS, strict=True):
        made = SOLVED.apply(MoveSequence.parse(record["moves"])).to_facelets()
        assert record["facelets"] == made.text == each.state.to_facelets().text
        drawn = ET.parse(record["picture"]).getroot()
        assert len([each for each in drawn.iter() if each.tag.endswith("polygon")]) >= 54
    assert {file.stem for file in tmp_path.iterdir()} == {each.slug for each in PATTERNS}


def test_the_list_shows_a_net_below_each_name() -> None:
    lines = thistlebot("pattern").stdout.splitlines()
    first = lines.index(next(line for line in lines if line.startswith("four spots: ")))
    assert lines[first + 2 : first + 6] == ["      U U U"] * 3 + ["R R R B B B L L L F F F"]


@pytest.mark.parametrize("rig", ["six", "cubotino"])
def test_without_a_camera_the_moves_are_those_of_a_solved_cube(rig: str) -> None:
    asked = ("pattern", "Super-Flip", "--dry-run", "--rig", rig)
    record = json.loads(thistlebot(*asked, "--json").stdout)
    assert record["facelets"] == SOLVED.to_facelets().text
    assert record["target"] == state_of("superflip").to_facelets().text
    assert (record["htm"], "actions" in record) == (20, rig == "cubotino")
    assert record["verified"] is False
    stages = " ".join(stage["moves"] for stage in record["stages"])
    assert SOLVED.apply(MoveSequence.parse(stages)) == state_of("superflip")
    assert ("flip the cube" in thistlebot(*asked).stdout) == (rig == "cubotino")


def test_five_motors_have_moves_of_their_own() -> None:
    result = thistlebot("pattern", "superflip", "--dry-run", "--rig", "five", "--json")
    moves = MoveSequence.parse(json.loads(result.stdout)["moves"])
    assert SOLVED.apply(moves) == state_of("superflip")
    assert "U" not in {move.face for move in moves}


def test_a_pattern_is_made_in_the_virtual_rig(machines: list[Machine]) -> None:
    result = thistlebot("pattern", "cube_in_cube", "--virtual", "--seed", "5")
    assert result.exit_code == 0, result.stderr
    assert machines[0].world.rig.state == state_of("cube in cube")
    assert "verified  the cube was seen as it was to be" in result.stdout
    assert "seen solved" not in result.stdout
    assert "stages    of the cube named anew" in result.stdout


def test_half_turns_of_opposite_faces_are_made_together(machines: list[Machine]) -> None:
    asked = ("solve", "--to", "checkerboard", "--scramble", "", "--virtual", "--no-verify")
    result = thistlebot(*asked)
    assert result.exit_code == 0, result.stderr
    assert "turned    3 steps in" in result.stdout
    assert machines[0].world.rig.state == state_of("checkerboard")


def test_a_cube_that_is_there_already_is_not_turned(machines: list[Machine]) -> None:
    letters = state_of("tetris").to_facelets().text
    result = thistlebot("solve", "--to", "tetris", "--facelets", letters, "--virtual")
    assert result.exit_code == 0, result.stderr
    assert "as it is to be already, no move is needed" in result.stdout
    assert machines[0].world.rig.moves == ()


_STAGES = ("--method", "thistlethwaite")


@pytest.mark.parametrize("way", [(), _STAGES, (*_STAGES, "--strict")])
def test_every_way_to_solve_leads_to_a_target(way: tuple[str, ...]) -> None:
    wanted = random_state_text(8)
    asked = ("solve", "--to", wanted, "--scramble", "R U F2 D'", "--dry-run", "--json", *way)
    record = json.loads(thistlebot(*asked).stdout)
    assert record["target"] == wanted
    made = SOLVED.apply(MoveSequence.parse(f"R U F2 D' {record['moves']}"))
    assert made.to_facelets().text == wanted


def random_state_text(seed: int) -> str:
    return random_state(np.random.default_rng(seed)).to_facelets().text


REFUSED = {
    "pattern superflop": "there is no pattern 'superflop'; there are superflip",
    "pattern --virtual": "the list does not go with --virtual",
    "pattern superflip --pictures x --virtual": "--pictures does not go with --virtual",
    "pattern superflip --dry-run --seed 3": "--seed goes with --virtual",
    "pattern superflip --dry-run --no-verify": "--verify goes with moves that are turned",
    "solve --to superflip --wait": "--wait does not go with --to",
    "solve --to superflip --resume": "--resume does not go with --to",
    "solve --to superflip --states x.txt": "--states does not go with --to",
    "solve --to superflip --cube 2 --dry-run": "--cube 2 does not go with --to",
    "solve --to superflip --centres --virtual": "--to goes with a plain cube, without --centres",
    "solve --to UUU --virtual": "there is no pattern 'UUU'",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_honoured_is_refused(line: str) -> None:
    result = thistlebot(*line.split())
    assert result.exit_code == 2
    assert REFUSED[line] in " ".join(result.output.split())
