"""`calibrate colours` and `calibrate check`: the scores of pairs of colours."""

import json
from pathlib import Path

import msgspec
import pytest

from documents.typed_toml import load_document, save_document
from run_thistlebot import record, thistlebot
from thistlebot.exit_codes import ExitCode
from vision.colours.profile import ColourProfile

pytestmark = pytest.mark.usefixtures("simulated_time")


def test_a_profile_is_made_checked_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pair that lies close fails, with a mark."""
    monkeypatch.setenv("THISTLEBOT_CONFIG_DIR", str(tmp_path))
    file = tmp_path / "profiles" / "hall.toml"
    made = record("calibrate", "colours", "--virtual", "--seed", "5", "--output", file)
    assert len(made["pairs"]) == 15
    assert made["pairs"][0]["colours"] == ["white", "red"]
    assert all(pair["passed"] for pair in made["pairs"])
    asked = ("solve", "--virtual", "--profile", "hall", "--seed", "5", "--budget-ms", 50)
    assert record(*asked)["verified"] is True
    check = ("calibrate", "check", "--profile", "hall")
    done = thistlebot(*check)
    assert done.exit_code == 0
    rows = done.stdout.splitlines()
    assert rows[0].split()[1:] == ["red", "green", "yellow", "orange", "blue"]
    assert [len(row.split()) for row in rows[1:6]] == [6, 5, 4, 3, 2]
    assert "!" not in done.stdout
    assert "\x1b" not in done.stdout

    known = load_document(file, ColourProfile)
    lightness, a, b = known.colours["R"]
    colours = known.colours | {"L": (lightness, a - 2.0, b + 2.0)}
    save_document(file, msgspec.structs.replace(known, colours=colours))
    done = thistlebot(*check)
    assert done.exit_code == ExitCode.MISREAD
    assert done.stdout.count("!") == 1
    assert all(colour in done.stderr for colour in ("red", "orange"))
    checked = json.loads(thistlebot(*check, "--json").stdout)
    assert checked["passed"] is False
    assert [pair["colours"] for pair in checked["pairs"] if not pair["passed"]] == [
        ["red", "orange"]
    ]
    missing = thistlebot("calibrate", "check", "--profile", "stage")
    assert missing.exit_code == ExitCode.USAGE
    assert "hall" in missing.stderr
