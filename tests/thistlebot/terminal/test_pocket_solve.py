"""Photos of a cube of another size are refused by name."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.vision.face_benchmark import middles
from benchmarks.vision.face_conditions import Labelled
from benchmarks.vision.pocket_finding import as_pocket
from cube.moves import MoveSequence
from cube.pocket import PocketState
from cube.random_states import random_state
from run_thistlebot import Refusal, not_refused, record, thistlebot
from thistlebot.exit_codes import ExitCode
from vision.faces.finder import find_face
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Folders with six rendered photos of a 3×3×3 cube, and of what is left without its middle."""
    large, small = tmp_path_factory.mktemp("large"), tmp_path_factory.mktemp("small")
    rng = np.random.default_rng(4)
    facelets = random_state(rng).to_facelets()
    for face in "URFDLB":
        renderer = Renderer(hand_held_viewpoint(face, tilt_deg=8.0), EVEN_LIGHT, WEBCAM, seed=4)
        image = renderer.render(facelets, rng)
        found = find_face(image)
        assert found is not None
        pocket = as_pocket(Labelled(face, image, middles(found)))
        cv2.imwrite(str(large / f"{face}.png"), image)
        cv2.imwrite(str(small / f"{face}.png"), pocket.image)
    return large, small


def test_a_3x3x3_cube_is_not_read_as_a_2x2x2_one(photos: tuple[Path, Path]) -> None:
    result = thistlebot("solve", "--dry-run", "--cube", "2", "--photos", str(photos[0]))
    assert result.exit_code == ExitCode.USAGE
    said = str(result.exception) + result.output
    assert "3×3×3" in said
    assert "--cube 2" in said
    assert str(photos[0]) in said


def test_a_2x2x2_cube_is_not_read_as_a_3x3x3_one(photos: tuple[Path, Path]) -> None:
    result = thistlebot("scan", "--photos", str(photos[1]))
    assert result.exit_code == ExitCode.MISREAD
    assert "--cube 2" in str(result.exception) + result.output


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))


def test_a_small_cube_is_solved_on_paper() -> None:
    text = "yrgyryborgyrobgwwbgobwwo"
    found = record("solve", "--cube", "2", "--facelets", text, "--dry-run")
    moves = MoveSequence.parse(found["moves"])
    assert found["metrics"]["htm"] == len(moves) == 10
    assert PocketState.parse(text).apply(moves).is_solved


def test_what_a_small_cube_cannot_do_is_said(tmp_path: Path) -> None:
    """A rig does not turn it, it has to be given, and one is solved at a time."""
    none, two = tmp_path / "none.jsonl", tmp_path / "two.jsonl"
    none.write_text("")
    two.write_text(2 * (json.dumps({"rgb": [[190, 20, 30]] * 24}) + "\n"))
    rows = (
        (("--scramble", "R U F"), "--dry-run"),
        (("--dry-run",), ""),
        (("--dry-run", "--centres"), "--centres"),
        (("--dry-run", "--states", "states.txt"), "--states"),
        (("--dry-run", "--wait"), "--wait"),
        (("--dry-run", "--threads", "-3"), "--threads"),
        (("--dry-run", "--learn"), "--learn"),
        (("--dry-run", "--rgb", str(none)), "none.jsonl"),
        (("--dry-run", "--rgb", str(two)), "two.jsonl"),
    )
    solve = ("solve", "--cube", "2")
    assert not not_refused(Refusal((*solve, *options), 2, (data,)) for options, data in rows)
