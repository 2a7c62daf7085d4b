"""`calibrate colours` and `calibrate check`: the scores of pairs of colours."""

import json
from pathlib import Path

import msgspec
import pytest

from documents.typed_toml import load_document, save_document
from run_thistlebot import thistlebot
from vision.colours.profile import ColourProfile


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("THISTLEBOT_CONFIG_DIR", str(tmp_path))
    file = tmp_path / "profiles" / "hall.toml"
    done = thistlebot("calibrate", "colours", "--virtual", "--output", file)
    assert done.exit_code == 0, done.stderr
    assert "pass      every pair has 3 or more" in done.stdout
    return file


def test_colours_tell_their_pairs_as_json(tmp_path: Path) -> None:
    done = thistlebot("calibrate", "colours", "--virtual", "--json")
    record = json.loads(done.stdout)
    assert len(record["pairs"]) == 15
    assert record["pairs"][0]["colours"] == ["white", "red"]
    assert all(pair["passed"] for pair in record["pairs"])


def test_a_good_profile_passes(profile: Path) -> None:
    done = thistlebot("calibrate", "check", "--profile", "hall")
    assert done.exit_code == 0
    rows = done.stdout.splitlines()
    assert rows[0].split() == ["pairs", "red", "green", "yellow", "orange", "blue"]
    assert [len(row.split()) for row in rows[1:6]] == [6, 5, 4, 3, 2]
    assert "!" not in done.stdout
    assert "\x1b" not in done.stdout


def test_a_pair_that_lies_close_fails_with_a_mark_and_a_word(profile: Path) -> None:
    known = load_document(profile, ColourProfile)
    lightness, a, b = known.colours["R"]
    colours = known.colours | {"L": (lightness, a - 2.0, b + 2.0)}
    save_document(profile, msgspec.structs.replace(known, colours=colours))
    done = thistlebot("calibrate", "check", "--profile", "hall")
    assert done.exit_code == 3
    assert done.stdout.count("!") == 1
    assert "red and orange may be exchanged" in " ".join(done.stderr.split())
    done = thistlebot("calibrate", "check", "--profile", "hall", "--json")
    assert done.exit_code == 3
    record = json.loads(done.stdout)
    assert record["passed"] is False
    assert [pair["colours"] for pair in record["pairs"] if not pair["passed"]] == [
        ["red", "orange"]
    ]


def test_no_profile_is_a_matter_of_configuration(profile: Path) -> None:
    done = thistlebot("calibrate", "check", "--profile", "stage")
    assert done.exit_code == 2
    assert "there are hall" in " ".join(done.stderr.split())
