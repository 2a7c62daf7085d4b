"""Rigs by name: what is known, and a solve on machines that handle the cube."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.catalogue import NAMES, rig_text
from robot.rigs.mechanism import Mechanism
from robot.virtual.cubes.turned_cube import parts_of
from robot.virtual.machine_parts import MachineParts
from run_thistlebot import thistlebot
from thistlebot.session.machine import Machine

SCRAMBLE = MoveSequence.parse("R U F2")
FACELETS = SOLVED.apply(SCRAMBLE).to_facelets().text


def test_the_known_rigs_are_listed() -> None:
    said = thistlebot("rigs").stdout
    lines = said.splitlines()
    assert [line.split()[0] for line in lines[::2]] == list(NAMES)
    assert all(Path(line.strip()).is_file() for line in lines[1::2])
    assert "cubotino       CUBOTino: a holder that turns the cube" in said
    records = [json.loads(line) for line in thistlebot("rigs", "--json").stdout.splitlines()]
    assert [record["name"] for record in records] == list(NAMES)
    assert {record["name"]: record["faces"] for record in records}["five"] == "RFDLB"
    assert all(record["description"].endswith(".") for record in records)
    assert [record["picture"] for record in records] == [line.strip() for line in lines[1::2]]
    assert {"name": "cover", "servo": 1, "places": ["closed", "open", "flipped"]} in records[2][
        "parts"
    ]


def test_the_pictures_in_the_documents_are_those_of_the_rigs(tmp_path: Path) -> None:
    shown = thistlebot("rigs", "--pictures", tmp_path, "--json").stdout.splitlines()
    for line in shown:
        drawn = Path(json.loads(line)["picture"])
        kept = Path(__file__).parents[3] / "docs" / "pictures" / "rigs" / drawn.name
        assert drawn.read_text() == kept.read_text(), "`make pictures` draws them anew"
    assert len(shown) == len(NAMES)


def test_a_rig_of_ones_own_is_drawn_with_all_its_parts(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        rig_text("mindcub3r")
        .replace("table", "plate <1>")
        .replace("[variables.plate <1>]", '[variables."plate <1>"]')
        .replace("{ plate <1> =", '{ "plate <1>" =')
    )
    done = thistlebot("rigs", "--rig", file, "--pictures", tmp_path)
    assert done.exit_code == 0, done.stderr
    assert "plate <1>, motor 0\n" in done.stdout
    drawn = ET.parse(tmp_path / "mine.svg")
    told = [element.text for element in drawn.iter() if element.tag.endswith("text")]
    assert {"plate <1>, motor 0", "arm, servo 0: away, holding, pulled"} <= set(told)


def test_a_dry_run_prints_what_the_machine_would_do() -> None:
    result = thistlebot("solve", "--rig", "cubotino", "--facelets", FACELETS, "--dry-run")
    assert result.exit_code == 0, result.stderr
    assert "moves     F2 U' R'" in result.stdout
    assert "flip the cube\n" in result.stdout
    assert "turn the lowest layer  U'\n" in result.stdout


def test_a_record_tells_what_the_machine_does() -> None:
    asked = ("--rig", "cubotino", "--facelets", FACELETS, "--dry-run", "--json")
    record = json.loads(thistlebot("solve", *asked).stdout)
    actions = record["actions"]
    assert MoveSequence.parse(record["moves"]) == SCRAMBLE.inverse()
    made = MoveSequence.parse(" ".join(each["moves"] for each in actions))
    assert SOLVED.apply(SCRAMBLE).apply(made) == SOLVED
    assert actions[-1]["start_s"] + actions[-1]["time_s"] == pytest.approx(record["time_s"])
    assert sum(each["time_s"] for each in actions) == pytest.approx(record["time_s"])


def test_six_motors_have_no_actions() -> None:
    asked = ("--rig", "six", "--facelets", FACELETS, "--dry-run")
    assert "actions" not in json.loads(thistlebot("solve", *asked, "--json").stdout)
    assert "actions" not in thistlebot("solve", *asked).stdout


def test_moves_that_are_given_are_made_by_the_machine() -> None:
    result = thistlebot("run", "D", "--rig", "cubotino", "--dry-run")
    told = "    0.00 s  close the cover\n    0.30 s  turn the lowest layer  D\nhold "
    assert told in result.stdout


@pytest.mark.usefixtures("simulated_time")
@pytest.mark.parametrize("rig", ["three", "cubotino-fast"])
def test_a_virtual_machine_solves_its_cube(rig: str, monkeypatch: pytest.MonkeyPatch) -> None:
    machines: list[Machine] = []
    begin = Machine.__init__

    def remember(self: Machine, *arguments: object, **named: object) -> None:
        machines.append(self)
        begin(self, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Machine, "__init__", remember)
    asked = ("--rig", rig, "--scramble", "F D", "--virtual", "--no-verify")
    result = thistlebot("solve", *asked)
    assert result.exit_code == 0, result.stderr
    virtual = machines[0].world.rig
    assert virtual.state == SOLVED
    assert virtual.moves
    assert virtual.violations == ()


@pytest.mark.usefixtures("simulated_time")
def test_a_machine_that_drops_the_cube_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow_parts_of(rig: Mechanism) -> MachineParts:
        parts = parts_of(rig)
        for arm in parts.servos:
            arm.speed_us_s = 900.0
        return parts

    monkeypatch.setattr("robot.virtual.virtual_rig.parts_of", slow_parts_of)
    result = thistlebot("solve", "--rig", "cubotino-fast", "--scramble", "B", "--virtual")
    assert result.exit_code == 3
    assert "the virtual machine dropped the cube: no action moves" in " ".join(
        result.stderr.split()
    )


def test_a_name_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    result = thistlebot("solve", "--rig", "cubotin", "--scramble", "R", "--dry-run")
    assert result.exit_code == 2
    assert "these are six, five, cubotino" in " ".join(result.stderr.split())
    assert thistlebot("run", "R", "--rig", str(tmp_path / "six"), "--dry-run").exit_code == 2


def test_motors_are_measured_only_where_they_can_be_written_down() -> None:
    for rig in ("cubotino", "six"):
        result = thistlebot("calibrate", "motors", "--rig", rig, "--virtual")
        assert result.exit_code == 2
        told = " ".join(result.stderr.split())
        assert f"{rig} is no file" in told
        assert f"`thistlebot init --rig {rig}` makes one" in told


@pytest.mark.parametrize(("rig", "loaded"), [("six", "[]"), ("three", "['scipy']")])
def test_only_a_machine_that_plans_loads_scipy(rig: str, loaded: str) -> None:
    script = (
        "import sys; from thistlebot.__main__ import main\n"
        f"sys.argv = ['thistlebot', 'run', 'R', '--rig', '{rig}', '--dry-run', '--json']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "finally: print([m for m in ('scipy',) if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.endswith(f"{loaded}\n"), done.stdout[-300:] + done.stderr
