"""What cannot be asked for is said in one message, with the right exit code."""

from pathlib import Path

import pytest

from cube.facelets import SOLVED_FACELETS
from run_thistlebot import thistlebot


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("run", "R U Q"), 2, "'Q' at character 5"),
        (("run", "--dry-run", "R x"), 0, "moves R"),  # held otherwise, and nothing to be turned
        (
            ("solve", "--scramble", "R", "--facelets", SOLVED_FACELETS.text),
            2,
            "both say what the cube is",
        ),
        (("solve", "--rig", "nowhere.toml", "--dry-run"), 2, "nowhere.toml"),
        (("solve", "--profile", "none", "--virtual"), 2, "no colour profile 'none'"),
        (("solve", "--states", "nowhere.txt"), 5, "nowhere.txt"),
        (("scan", "--photos", "nowhere"), 5, "nowhere"),
        (("scan", "--camera", "nowhere.mp4"), 5, "nowhere.mp4 does not exist"),
        (("run", "R", "--port", "nowhere"), 5, "nowhere"),
        (("scan", "picture.png"), 2, "write --face or --frame"),
        (("scan", "--rgb", "nowhere.jsonl"), 5, "nowhere.jsonl"),
        (
            ("solve", "--wait", "--facelets", SOLVED_FACELETS.text),
            2,
            "--wait does not go with --facelets",
        ),
        (("solve", "--wait", "--resume", "--virtual"), 2, "--wait does not go with --resume"),
        (("solve", "--resume", "--rgb", "a.jsonl"), 2, "--resume does not go with --rgb"),
        (("solve", "--states", "a.txt", "--virtual", "--wait"), 2, "--wait and --virtual"),
        (("solve", "--scramble", "R", "--order", "URFDLB"), 2, "--order goes with --facelets"),
        (("solve", "--scramble", "R", "--dry-run", "--learn"), 2, "--learn goes with"),
        (("solve", "--scramble", "R", "--dry-run", "--save", "here"), 2, "--save goes with"),
        (("solve", "--method", "thistlethwaite", "--threads", "2"), 2, "--threads goes with"),
        (("solve", "--method", "thistlethwaite", "--budget-ms", "9"), 2, "or --strict"),
        (("calibrate", "colours", "--profile", "a/b", "--virtual"), 2, "no name for a profile"),
        (("calibrate", "colours", "--scheme", "white,pink", "--virtual"), 2, "--scheme"),
        (("solve", "--scramble", "R", "--dry-run", "--scheme", "a"), 2, "name each of"),
        (("scan", "--virtual", "--scheme", "white,red"), 2, "name each of"),
        (("explain", SOLVED_FACELETS.text, "--scheme", "white,pink"), 2, "--scheme"),
        (("frobnicate",), 2, "No such command"),
    ],
)
def test_usage(
    args: tuple[str, ...], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = thistlebot(*args)
    assert said in " ".join(result.output.split())
    assert result.exit_code == code
    assert "Traceback" not in result.output
