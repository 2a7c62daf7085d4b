import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from run_thistlebot import thistlebot
from thistlebot.exit_codes import ExitCode
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_space import lab_to_srgb


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A scan of a made-up cube, with its manifest."""
    truth = random_state(np.random.default_rng(3)).to_facelets()
    labs = np.array([NAMED_COLOURS[WESTERN_SCHEME[letter]] for letter in truth.text])
    rgb = lab_to_srgb(labs + np.random.default_rng(4).normal(0, 1.5, (54, 3)))
    by_face = {face: rgb[9 * i : 9 * i + 9] for i, face in enumerate(FACES)}
    scan = np.concatenate([by_face[face] for face in "ULFRBD"])
    (tmp_path / "scan.json").write_text(
        json.dumps({str(i + 1): list(colour) for i, colour in enumerate(scan)})
    )
    record = {"id": "one", "kind": "rgb_scan", "n": 3, "file": "scan.json", "expected": truth.text}
    (tmp_path / "manifest.json").write_text(json.dumps([record]))
    return tmp_path


def test_a_folder_is_measured_and_the_curve_drawn(folder: Path, tmp_path: Path) -> None:
    plot = tmp_path / "curve.svg"
    run = thistlebot("bench", "vision", folder, "--repeats", 1, "--json", "--plot", plot)
    assert run.exit_code == 0, run.output
    records = {r.get("condition"): r for r in map(json.loads, run.output.splitlines())}
    assert records["clean"]["right"] == records["clean"]["accepted"] == 1.0
    assert records["clean"]["wrong_accepted"] == 0.0
    assert records["turned, clean"]["right"] == 1.0
    assert records["corner twisted"]["accepted"] == 0.0
    assert plot.read_text().startswith("<svg")


def test_a_part_is_measured_alone(folder: Path, tmp_path: Path) -> None:
    run = thistlebot("bench", "vision", folder, "--repeats", 1, "--json", "--part", "mistakes")
    assert run.exit_code == 0, run.output
    records = [json.loads(line) for line in run.output.splitlines()]
    assert {"mistake", "caution"} == {key for record in records for key in record} & {
        "mistake",
        "caution",
        "condition",
        "curves",
    }
    run = thistlebot("bench", "vision", folder, "--part", "mistakes", "--plot", tmp_path / "a.svg")
    assert run.exit_code == ExitCode.USAGE
    assert "add --part scans" in run.output


@pytest.mark.parametrize("content", [None, "no JSON", '{"1": [1, 2]}', "[]"])
def test_a_scan_that_is_missing_or_damaged_is_named(folder: Path, content: str | None) -> None:
    if content is None:
        (folder / "scan.json").unlink()
    else:
        (folder / "scan.json").write_text(content)
    run = thistlebot("bench", "vision", folder)
    assert run.exit_code == ExitCode.NO_DEVICE
    assert "scan.json" in run.output


def test_boxes_that_are_missing_or_damaged_are_named(folder: Path) -> None:
    cv2.imwrite(str(folder / "rig.png"), np.zeros((9, 9, 3), np.uint8))
    record = {"id": "one", "kind": "two_corner_cameras", "file": "rig.png", "boxes": "boxes.txt"}
    (folder / "manifest.json").write_text(json.dumps([record | {"expected": ""}]))
    for content in (None, "1 2 3 4\n1 2 3\n"):
        if content is not None:
            (folder / "boxes.txt").write_text(content)
        run = thistlebot("bench", "vision", folder)
        assert run.exit_code == ExitCode.NO_DEVICE
        assert "boxes.txt" in run.output


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    run = thistlebot("bench", "vision", tmp_path)
    assert run.exit_code == ExitCode.NO_DEVICE
    assert "manifest" in run.output


def test_a_record_without_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps([{"kind": "single_face_photo"}, {}]))
    run = thistlebot("bench", "vision", tmp_path)
    assert run.exit_code == ExitCode.NO_DEVICE
    assert "record 2 has no kind" in run.output
