"""The verb `bench vision`, its measures, and the ways in which it spoils a picture."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from cubes import cube, cube_after
from even_light import COLOURS, seen

from benchmarks.vision import mistakes
from benchmarks.vision.colour_benchmark import measure_turned
from benchmarks.vision.labelled_colours import Scan
from benchmarks.vision.mistakes import another_cube
from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES
from cube.state import SOLVED, CubeState
from run_thistlebot import records, thistlebot
from thistlebot.exit_codes import ExitCode
from vision.colours.colour_spaces import lab_to_srgb
from vision.reading import MARGIN_THRESHOLD, ReadingState


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A scan of a made-up cube, with its manifest."""
    truth = cube(3).to_facelets()
    rgb = lab_to_srgb(seen(truth, np.random.default_rng(4), 1.5))
    by_face = {face: rgb[9 * i : 9 * i + 9] for i, face in enumerate(FACES)}
    scan = np.concatenate([by_face[face] for face in "ULFRBD"])
    (tmp_path / "scan.json").write_text(
        json.dumps({str(i + 1): list(colour) for i, colour in enumerate(scan)})
    )
    record = {"id": "one", "kind": "rgb_scan", "n": 3, "file": "scan.json", "expected": truth.text}
    (tmp_path / "manifest.json").write_text(json.dumps([record]))
    return tmp_path


def test_a_folder_is_measured(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = {name: mistakes.MISTAKES[name] for name in ("none", "turned by 90°", "exchanged")}
    monkeypatch.setattr(mistakes, "MISTAKES", some)
    told = records("bench", "vision", folder, "--repeats", 1)
    found = {each.get("condition"): each for each in told}
    assert found["clean"]["right"] == found["clean"]["accepted"] == 1.0
    assert found["clean"]["wrong_accepted"] == 0.0
    assert found["turned, clean"]["right"] == 1.0
    for broken in ("corner twisted", "edge flipped", "edges swapped"):
        assert (found[broken]["right"], found[broken]["accepted"]) == (1.0, 0.0)
        assert found[broken]["suspected"] == 1.0
    shown = [each for each in told if "mistake" in each]
    assert {each["wrong_accepted"] for each in shown} == {0}
    assert {each["accepted"] for each in shown if each["mistake"].startswith("none")} == {1.0}
    named = [each["named"] for each in shown if each["n"] > each["hidden"]]
    assert np.mean(named) >= 0.8
    (chosen,) = (each for each in told if each.get("chosen"))
    assert (chosen["least_margin"], chosen["wrong"]) == (MARGIN_THRESHOLD, 0.0)


def test_what_is_missing_or_damaged_is_named(folder: Path) -> None:
    """A scan, boxes, and a record in the manifest."""

    def refused(*named: str) -> None:
        run = thistlebot("bench", "vision", folder)
        assert run.exit_code == ExitCode.NO_DEVICE
        assert all(part in run.stderr for part in named)

    (folder / "scan.json").unlink()
    refused("scan.json")
    for content in ("no JSON", '{"1": [1, 2]}', "[]"):
        (folder / "scan.json").write_text(content)
        refused("scan.json")
    cv2.imwrite(str(folder / "rig.png"), np.zeros((9, 9, 3), np.uint8))
    record = {"id": "one", "kind": "two_corner_cameras", "file": "rig.png", "boxes": "boxes.txt"}
    (folder / "manifest.json").write_text(json.dumps([record | {"expected": ""}]))
    refused("boxes.txt")
    (folder / "boxes.txt").write_text("1 2 3 4\n1 2 3\n")
    refused("boxes.txt")
    (folder / "manifest.json").write_text(json.dumps([{"kind": "single_face_photo"}, {}]))
    refused("manifest", "2")


RGB = lab_to_srgb(COLOURS)


def scan_of(state: CubeState) -> Scan:
    text = state.to_facelets().text
    return Scan("drawn", RGB[[FACES.index(letter) for letter in text]], text)


def test_a_cube_that_turned_faces_leave_open_is_right_when_it_is_called_ambiguous() -> None:
    cross = scan_of(cube_after("F2 L2 F2 L2"))
    found = [one for one in measure_turned([cross], 1, 0) if one.condition == "turned, clean"]
    assert {one.state for one in found} == {ReadingState.AMBIGUOUS}
    assert all(one.right and not one.accepted for one in found)


def test_another_cube_has_the_colours_of_the_scan() -> None:
    rgb, text = another_cube(scan_of(SOLVED), np.random.default_rng(2))
    assert examine(Facelets(text)).solvable  # with the colours of the scan
    assert np.abs(rgb - RGB[[FACES.index(letter) for letter in text]]).max() < 12
