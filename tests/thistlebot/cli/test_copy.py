"""The verb `copy`: a second cube is read, and the one in the rig is made to look like it."""

import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.moves import FACES, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.orientation import Orientation, facelet_places
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from run_thistlebot import thistlebot
from thistlebot.session.machine import Machine
from vision.live.capture import CAPTURE_ORDER
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

OTHER = random_state(np.random.default_rng(21))


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


def photos(folder: Path, state: CubeState, scheme: Mapping[str, str]) -> Path:
    """Six photos of a cube in some colours."""
    folder.mkdir()
    for face in FACES:
        viewpoint = hand_held_viewpoint(face)
        with VirtualCamera(lambda: state, viewpoint, seed=2, scheme=scheme) as camera:
            cv2.imwrite(str(folder / f"{face}.png"), camera.read().image)
    return folder


def test_letters_are_copied(machines: list[Machine]) -> None:
    letters = OTHER.to_facelets().text
    result = thistlebot("copy", "--facelets", letters, "--virtual", "--seed", "6")
    assert result.exit_code == 0, result.stderr
    assert machines[-1].world.rig.state == OTHER
    assert "verified  the cube was seen as it was to be" in result.stdout


def test_a_cube_that_lies_otherwise_is_copied_colour_by_colour(
    machines: list[Machine], tmp_path: Path
) -> None:
    held = Orientation().turned("x").turned("y")
    scheme = {place: WESTERN_SCHEME[held.face_at(place)] for place in FACES}
    folder = photos(tmp_path / "other", OTHER, scheme)
    result = thistlebot("copy", "--photos", folder, "--virtual", "--seed", "6", "--json")
    assert result.exit_code == 0, result.stderr
    shown = machines[-1].world.rig.state.to_facelets().text
    colours = [WESTERN_SCHEME[shown[each]] for each in facelet_places(held)]
    assert colours == [scheme[letter] for letter in OTHER.to_facelets().text]
    assert json.loads(result.stdout)["target"] == shown != OTHER.to_facelets().text


def test_a_cube_in_other_colours_is_copied_face_by_face(
    machines: list[Machine], tmp_path: Path
) -> None:
    scheme = WESTERN_SCHEME | {"D": "blue", "B": "yellow"}
    folder = photos(tmp_path / "other", OTHER, scheme)
    result = thistlebot("copy", "--photos", folder, "--virtual", "--seed", "6")
    assert result.exit_code == 0, result.stderr
    assert machines[-1].world.rig.state == OTHER


@pytest.mark.parametrize("rig", ["six", pytest.param("three", marks=pytest.mark.exhaustive)])
def test_the_rig_reads_both_cubes(rig: str, machines: list[Machine]) -> None:
    result = thistlebot("copy", "--virtual", "--seed", "3", "--json", "--rig", rig)
    assert result.exit_code == 0, result.stderr
    first, second = (machine.world.rig.state for machine in machines)
    record = json.loads(result.stdout)
    assert first == second
    assert record["target"] == first.to_facelets().text != record["facelets"]


def test_a_cube_in_the_hand_is_copied(tmp_path: Path) -> None:
    film = tmp_path / "faces.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 15, (640, 480))
    for face in CAPTURE_ORDER:
        with VirtualCamera(lambda: OTHER, hand_held_viewpoint(face), seed=1) as camera:
            for _ in range(12):
                writer.write(camera.read().image)
        for _ in range(3):
            writer.write(np.full((480, 640, 3), 140, np.uint8))
    writer.release()
    result = thistlebot("copy", "--hand", "--camera", film, "--dry-run", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["target"] == OTHER.to_facelets().text


def test_without_a_rig_the_moves_are_those_of_a_solved_cube(machines: list[Machine]) -> None:
    letters = OTHER.to_facelets().text
    result = thistlebot("copy", "--facelets", letters, "--dry-run", "--json")
    record = json.loads(result.stdout)
    assert SOLVED.apply(MoveSequence.parse(record["moves"])) == OTHER
    assert record["verified"] is False


REFUSED = {
    "copy --facelets x --photos y": "--photos and --facelets both say what the cube is",
    "copy --facelets x --any-order --virtual": "--any-order goes with --photos, --rgb or --hand",
    "copy --facelets x --dry-run --no-verify": "--verify goes with moves that are turned",
    "copy --facelets x --seed 1": "--seed goes with --virtual",
    "copy --virtual --camera 0": "--camera goes with --hand or a real rig, without --virtual",
    "copy --dry-run": "nobody can say when the cubes are exchanged",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_honoured_is_refused(line: str) -> None:
    result = thistlebot(*line.split())
    assert result.exit_code == 2
    assert REFUSED[line] in " ".join(result.output.split())
