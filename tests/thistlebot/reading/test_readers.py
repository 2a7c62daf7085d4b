"""Ways to look at a cube: without cameras, and with those of rigs that move it before them."""

import json
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from cubes import cube
from world import World

from cube.moves import MoveSequence
from cube.net import WESTERN_SCHEME
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig
from robot.rigs.program import RigProgram
from thistlebot.errors import StoppedError, UsageError
from thistlebot.reading.recorded_reader import RecordedCamera
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.reading.scan_file import parse_scan
from thistlebot.reading.schemes import known_scheme
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.profile import ColourProfile
from vision.colours.scheme import JAPANESE_SCHEME
from vision.errors import CameraError
from vision.frame import Frame
from vision.read_photos import read_views
from vision.reading import CubeReading
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import FRAME_TIME_S, VirtualCamera


def test_cameras_look_again_in_other_exposures_when_the_cube_is_in_doubt() -> None:
    state = cube(6)
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


def test_values_up_to_1_are_refused() -> None:
    scan = {"rgb": [[0.2, 0.5, 1.0]] * 54}
    with pytest.raises(UsageError, match=r"scans\.jsonl:3\b"):
        parse_scan(json.dumps(scan), "scans.jsonl:3")
    scan["rgb"][7] = [3.0, 0.5, 1.0]
    assert len(parse_scan(json.dumps(scan), "scans.jsonl:3")) == 54


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


def test_pictures_are_taken_together_and_written_down_in_order_until_a_camera_fails() -> None:
    world, taken = World(), list[tuple[int, Frame | str]]()
    cameras = [
        RecordedCamera(camera, lambda frame, number=number: taken.append((number, frame)))
        for number, camera in enumerate(world.cameras)
    ]
    reader, began_s = world.seen_by(cameras), world.clock.now_s()
    frames = reader.glance()
    assert world.clock.now_s() - began_s <= 2 * FRAME_TIME_S  # as long as one camera takes at most
    assert taken == list(enumerate(frames))
    assert reader.read_glance(frames).facelets == world.rig.state.to_facelets()
    taken.clear()
    world.cameras[0].close()
    with pytest.raises(CameraError) as failed:
        reader.pictures()
    assert taken == [(0, str(failed.value))]


MACHINES = ("six", "five", "cubotino", "mindcub3r", "claws", "three")


class Scanned(World):
    def __init__(self, rig: str, state: CubeState = SOLVED, **rest: Any) -> None:
        super().__init__(lambda _: pytest.fail("nothing is solved"), rig, state, **rest)

    def scan(self) -> CubeReading:
        return self.reader.read(self.reader.look())


@pytest.mark.parametrize("name", MACHINES)
def test_each_rig_reads_a_cube_and_continues_from_where_the_scan_ended(name: str) -> None:
    machine = Scanned(name, cube(11))
    reading = machine.scan()
    assert reading.accepted
    assert reading.facelets == cube(11).to_facelets()
    assert machine.rig.moves == ()  # only the whole cube was moved
    assert machine.rig.violations == ()
    again = machine.scan()  # named as before, although the cube lies in another way
    assert again.facelets == cube(11).to_facelets()


def test_five_faces_are_enough_where_they_tell_the_sixth() -> None:
    reader = Scanned("cubotino", cube(0)).reader
    frames = reader.look()
    assert len(frames) == 5
    assert len(reader.read(frames).unseen) == 8  # and the centre, which is what is left


def test_a_rig_that_may_not_move_says_so_and_a_part_in_the_way_hides_the_cube() -> None:
    machine = Scanned("cubotino")
    still = RigReader(RigScan(machine.mechanism, machine.virtual.views), machine.cameras)
    with pytest.raises(UsageError):
        still.look()
    driver = machine.ready()
    (camera,) = machine.cameras
    free = camera.read().image
    steps = machine.mechanism.plan(MoveSequence.parse("R F U")).steps
    closing = next(step for step in steps if step.does == "close the cover")
    driver.run(RigProgram((closing,), driver.pose))
    assert np.abs(camera.read().image.astype(int) - free).mean() > 5.0


def test_stops_are_told() -> None:
    """Six of them, where the sixth colour is nowhere but on the sixth face."""
    machine = Scanned("cubotino-fast")
    told: list[tuple[int, int]] = []
    seen: list[int] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))
        colours = machine.reader.glimpsed().reshape(6, 9, 3)
        seen.append(np.count_nonzero(~np.isnan(colours).any(axis=(1, 2))))

    machine.reader.on_stop = tell
    assert machine.scan().facelets == SOLVED.to_facelets()
    assert [done for done, _ in told] == seen == [1, 2, 3, 4, 5, 6]
    assert told[-1] == (6, 6)


def test_a_person_who_stops_a_scan_is_told_how_the_machine_stands() -> None:
    machine = Scanned("cubotino")
    session = machine.session()
    pauses = iter(range(100))
    sleep = machine.clock.sleep

    def interrupted(duration_s: float) -> None:
        sleep(duration_s)
        if next(pauses) == 40:
            raise KeyboardInterrupt

    machine.clock.sleep = interrupted
    with pytest.raises(StoppedError, match=r"\d+ "):
        session.run()
