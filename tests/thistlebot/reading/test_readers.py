"""Ways to look at a cube without a camera, whose colours are told or in the profile."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from world import World

from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from documents.errors import UnwritableError
from robot.rigs.catalogue import default_rig
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.pictures import save_reading, write_png
from thistlebot.reading.reader import RecordedCamera
from thistlebot.reading.readers import ColourReader
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_views import RigScan, known_scheme
from thistlebot.reading.scan_file import scan_lines
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.profile import ColourProfile
from vision.colours.scheme import JAPANESE_SCHEME
from vision.errors import CameraError
from vision.frame import Frame
from vision.read_photos import read_views
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import FRAME_TIME_S, VirtualCamera

COLOURS = {"U": (230, 230, 225), "R": (190, 25, 45), "F": (10, 150, 70)}
COLOURS |= {"D": (240, 205, 10), "L": (250, 110, 20), "B": (10, 70, 170)}


def test_a_file_of_colours_is_read_without_pictures(tmp_path: Path) -> None:
    facelets = random_state(np.random.default_rng(5)).to_facelets()
    file = tmp_path / "scan.jsonl"
    file.write_text(json.dumps({"rgb": [COLOURS[letter] for letter in facelets.text]}) + "\n")
    reader = ColourReader(file, None)
    assert reader.look() == ()
    assert reader.read(reader.look()).facelets == facelets
    with pytest.raises(AssertionError):
        reader.read((Frame(np.zeros((2, 2, 3), np.uint8), "a camera"),))


def test_cameras_look_again_in_other_exposures_when_the_cube_is_in_doubt() -> None:
    state = random_state(np.random.default_rng(6))
    with ExitStack() as stack:
        cameras = [
            stack.enter_context(VirtualCamera(lambda: state, corner_viewpoint(name), seed=i))
            for i, name in enumerate(CORNER_CAMERAS)
        ]
        reader = RigReader(RigScan(default_rig(), default_views()), cameras)
        frames = reader.look()
        dark = tuple(Frame((frame.image * 0.04).astype(np.uint8), "dark") for frame in frames)
        assert not read_views(dark, default_views()).accepted
        assert reader.read(dark).facelets == state.to_facelets()
        usual = frames[0].image.mean()
        assert reader.look()[0].image.mean() == pytest.approx(usual, rel=0.02)


SCAN = json.dumps({"rgb": [[10.0, 20.0, 30.0]] * 54})


def test_one_reading_that_is_accepted_is_enough_unless_a_line_is_no_scan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scans.jsonl"
    for lines, code in (
        (["accepted"], ExitCode.DONE),
        (["refused"], ExitCode.MISREAD),
        (["refused", "accepted", "refused"], ExitCode.DONE),
        (["accepted", "no scan"], ExitCode.USAGE),
    ):
        file.write_text("".join("{}\n" if line == "no scan" else f"{SCAN}\n" for line in lines))
        left = [line for line in lines if line != "no scan"]
        texts = iter(left)

        def read(_: object, texts: Iterator[str] = texts) -> tuple[bool, str]:
            text = next(texts)
            return text == "accepted", text

        assert scan_lines(file, read, 54, as_json=False) == code
        said = capsys.readouterr().out.splitlines()
        assert [line for line in said if line in lines] == left
        assert len(said) == len(lines)


HALL = ColourProfile(
    name="hall",
    created="2026-01-01",
    scheme=JAPANESE_SCHEME,
    colours={face: NAMED_COLOURS[name] for face, name in JAPANESE_SCHEME.items()},
)


def test_the_owner_or_the_profile_knows_and_a_contradiction_names_both() -> None:
    assert known_scheme(None, None) is None
    assert known_scheme(WESTERN_SCHEME, None) == WESTERN_SCHEME
    assert known_scheme(None, HALL) == JAPANESE_SCHEME
    assert known_scheme(JAPANESE_SCHEME, HALL) == JAPANESE_SCHEME
    with pytest.raises(UsageError) as said:
        known_scheme(WESTERN_SCHEME, HALL)
    for part in (
        "--scheme white,red,green,yellow,orange,blue",
        "white,red,green,blue,orange,yellow",
        "'hall'",
        "thistlebot calibrate colours --profile NAME --scheme white,",
    ):
        assert part in str(said.value)


def test_a_picture_is_written_as_it_is(tmp_path: Path) -> None:
    image = np.random.default_rng(1).integers(0, 256, (9, 12, 3), dtype=np.uint8)
    file = tmp_path / "new" / "one.png"
    write_png(file, image)
    assert np.array_equal(cv2.imread(str(file)), image)
    with pytest.raises(UnwritableError):
        write_png(file / "one.png", image)  # which is no folder


def test_each_camera_has_a_picture_of_its_own(tmp_path: Path) -> None:
    reader = World().reader
    frames = reader.look()
    files = save_reading(tmp_path, "scan", frames, reader.read(frames))
    assert [file.name for file in files] == ["scan-1.png", "scan-2.png"]
    for file, frame in zip(files, frames, strict=True):
        drawn = cv2.imread(str(file))
        assert drawn is not None
        assert drawn.shape == frame.image.shape
        assert not np.array_equal(drawn, frame.image)  # the reading is drawn over it


class Bench(World):
    """The six-motor rig, whose reader looks through recorded cameras."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[tuple[int, Frame | str]] = []
        cameras = [
            RecordedCamera(camera, lambda frame, number=number: self.taken.append((number, frame)))
            for number, camera in enumerate(self.cameras)
        ]
        self.reader = self.seen_by(cameras)


def test_pictures_are_taken_together_and_written_down_in_order() -> None:
    bench = Bench()
    began_s = bench.clock.now_s()
    frames = bench.reader.glance()
    assert bench.clock.now_s() - began_s <= 2 * FRAME_TIME_S  # as long as one camera takes at most
    assert bench.taken == list(enumerate(frames))
    assert bench.reader.read_glance(frames).facelets == bench.rig.state.to_facelets()


def test_nothing_is_written_down_behind_a_camera_that_failed() -> None:
    bench = Bench()
    bench.cameras[0].close()
    with pytest.raises(CameraError) as failed:
        bench.reader.pictures()
    assert bench.taken == [(0, str(failed.value))]
