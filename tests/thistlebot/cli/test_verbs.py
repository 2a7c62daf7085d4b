"""Verbs that read, solve and turn, by their command line: what they print for a program."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from cubes import SUPERFLIP, cube, cube_after
from hand_video import photograph
from serial.tools import list_ports

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.pocket import PocketState, rotations
from run_thistlebot import Refusal, not_refused, record, thistlebot
from thistlebot.exit_codes import ExitCode

pytestmark = pytest.mark.usefixtures("simulated_time")


@pytest.fixture
def no_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", list)


def test_photos_to_moves_and_photos_that_are_none_or_of_another_size(tmp_path: Path) -> None:
    state = cube(11)
    folder = photograph(tmp_path / "photos", state)
    stages = ("--method", "thistlethwaite")  # what a search finds may be a single one
    result = thistlebot("solve", "--photos", folder, "--dry-run", *stages)
    assert result.exit_code == 0, result.output
    assert all(part in result.stdout for part in (state.to_facelets().text, "G0>G1"))
    small = photograph(tmp_path / "small", cube(4), pocket=True)
    rows = (
        Refusal(("solve", "--dry-run", "--cube", 2, "--photos", folder), 2, ("--cube 2", "photos")),
        Refusal(("scan", "--photos", small), 3, ("--cube 2",)),
    )
    assert not not_refused(rows)
    kept = (folder / "R.png").read_bytes()
    grey = cv2.imencode(".png", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
    for content, code, data in (
        (None, ExitCode.NO_DEVICE, "R"),
        (kept[:50], ExitCode.NO_DEVICE, "R.png"),
        (grey, ExitCode.MISREAD, "R.png"),
    ):
        (folder / "R.png").unlink(missing_ok=True)
        if content is not None:
            (folder / "R.png").write_bytes(content)
        result = thistlebot("solve", "--virtual", "--photos", folder)
        assert result.exit_code == code, result.output
        assert data in " ".join(result.stderr.split())
        assert "turned" not in result.stdout


def test_states_of_a_file(tmp_path: Path) -> None:
    """Its lines are counted as an editor counts them."""
    file = tmp_path / "states.txt"
    flipped = list(SOLVED_FACELETS.text)
    flipped[5], flipped[10] = flipped[10], flipped[5]
    file.write_text(f"{SUPERFLIP}\n{SOLVED_FACELETS.text}\n{''.join(flipped)}\n")
    result = thistlebot("solve", "--states", file, "--json")
    superflip, solved, wrong = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == ExitCode.UNSOLVABLE
    assert superflip["htm"] > 0
    assert (solved["moves"], solved["htm"], solved["time_s"]) == ("", 0, 0.0)
    assert wrong["exit_code"] == ExitCode.UNSOLVABLE
    piped = thistlebot("solve", "--states", "-", "--json", typed=f"{SUPERFLIP}\n")
    assert json.loads(piped.stdout)["moves"] == superflip["moves"]
    file.write_text("\ufeff" + SOLVED_FACELETS.text + "\n\nnonsense\n")
    run = thistlebot("solve", "--states", file)
    assert run.exit_code == ExitCode.USAGE
    assert "3" in run.stdout.splitlines()[-1].partition(":")[0].split()


def test_scan_virtual_saves_pictures(tmp_path: Path) -> None:
    told = record("scan", "--virtual", "--save", tmp_path / "out")
    assert told["facelets"] == SOLVED_FACELETS.text
    assert len(told["stickers"]) == 54
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["scan-1.png", "scan-2.png"]


def test_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thistlebot.cli.demo._BUDGET_MS", 20.0)
    result = thistlebot("demo", "--pictures", tmp_path / "pictures", "--seed", "1")
    assert result.exit_code == 0, result.output
    first = [line.split()[0] for line in result.stdout.splitlines() if line.strip()]
    assert first.count("turned") == 2, "the scramble, and the solve"
    assert "shorter" not in first, "time is what this rig minimises"
    assert first.index("stages") < first.index("moves") < first.index("verified")
    assert len(list((tmp_path / "pictures").glob("*.png"))) == 4


# Moves that are given: turned, or only told.


@pytest.mark.usefixtures("no_ports")
def test_a_dry_run_tells_the_moves_and_needs_no_board() -> None:
    told = record("run", "R L U2", "--dry-run")
    assert (told["moves"], told["executed"]) == ("R L U2", False)
    assert record("run", "R x", "--dry-run")["moves"] == "R"  # held otherwise, not turned
    refused = thistlebot("run", "R L U2")
    assert refused.exit_code == ExitCode.NO_DEVICE
    advice = ["add --virtual, or --dry-run" in refused.stderr]
    advice += ["--virtual" in thistlebot(*verb).stderr for verb in (("try", "R"), ("align",))]
    assert advice == [True, True, False], "align has neither option"
    assert "\nhold " in f"\n{thistlebot('run', 'R', '--dry-run').stdout}"
    told = record("run", "R L U2", "--virtual")
    assert (told["htm"], told["axial_htm"], told["executed"]) == (3, 2, True)
    turned = thistlebot("run", "R U", "--virtual").stdout
    assert turned.count("turned    2 ") == 1
    assert "hold" not in turned


def test_a_scramble_shows_what_it_makes_of_a_solved_cube() -> None:
    for rig in ("five", "six"):
        asked = ("scramble", "--dry-run", "--seed", "4", "--rig", rig)
        told = record(*asked)
        assert told["htm"] > 10
        made = cube_after(told["moves"]).to_facelets()
        assert told["facelets"] == made.text
        assert set(told["moves"]) <= set("URFDLB2' ") - ({"U"} if rig == "five" else set())
    assert told == record(*asked)


# Solve: which board it takes, and what needs none.


@pytest.mark.usefixtures("no_ports")
def test_without_a_board_no_virtual_one_is_taken_instead_and_the_next_step_is_named() -> None:
    for options, named in (
        ((), "thistlebot solve --hand"),
        (("--scramble", "R"), "--virtual"),
        (("--wait",), "--virtual"),
        (("--rig", "six"), "--virtual"),
    ):
        result = thistlebot("solve", *options, "--json")
        assert result.exit_code == ExitCode.NO_DEVICE
        error = json.loads(result.stdout)["error"]
        assert error["type"] == "PortMissingError"
        assert named in " ".join(error["text"].split())
        assert ("--hand" in error["text"]) == (not options)


def test_a_small_cube_is_solved_on_paper_by_its_letters_or_moves() -> None:
    text = "yrgyryborgyrobgwwbgobwwo"
    found = record("solve", "--cube", "2", "--facelets", text, "--dry-run")
    moves = MoveSequence.parse(found["moves"])
    assert found["metrics"]["htm"] == len(moves) == 10
    assert PocketState.parse(text).apply(moves) in rotations()
    typed = ("solve", "--cube", "2", "--dry-run", "--scramble")
    assert record(*typed, "[R, U]x2")["facelets"] == record(*typed, "RUR'U'RUR'U'")["facelets"]
