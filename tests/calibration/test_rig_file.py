"""Values changed in a rig file, comments kept."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.rig_file import with_camera, with_flipped, with_rig, with_swapped
from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig, default_rig_text, named_rig, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import Corners
from robot.rigs.motor import Motor

MOTORS = st.dictionaries(
    st.sampled_from("URFDLB"),
    st.builds(
        Motor,
        channel=st.just(0),
        direction=st.sampled_from((1, -1)),
        rate_steps_s=st.integers(50, 50_000),
        acceleration_steps_s2=st.integers(1_000, 20_000_000),
    ),
)


def remarks(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


@settings(max_examples=10)
@given(MOTORS)
def test_the_new_text_is_the_new_rig_with_its_comments(changed: dict[str, Motor]) -> None:
    rig = default_rig()
    motors = {
        face: msgspec.structs.replace(motor, channel=rig.motors[face].channel)
        for face, motor in changed.items()
    }
    made = msgspec.structs.replace(rig, motors=rig.motors | motors)
    text = with_rig(default_rig_text(), made)
    assert parse_document(text, FaceMotors, "new") == made
    assert remarks(text) == remarks(default_rig_text())


def test_missing_keys_and_tables_are_added_and_remarks_stay() -> None:
    text = 'name = "mine"\n[motors.U]  # the top\nchannel = 3 # third\n'
    changed = {"U": Motor(channel=2, direction=-1), "R": Motor(channel=1)}
    rig = msgspec.structs.replace(parse_document(text, FaceMotors, "old"), motors=changed)
    made = with_rig(text, rig)
    assert parse_document(made, FaceMotors, "new").motors == changed
    assert "channel = 2 # third" in made
    assert "# the top" in made


def turning_at(text: str, **angles: float) -> str:
    rig = parse_document(text, FaceMotors, "old")
    made = msgspec.structs.replace(rig, corners=Corners(**angles))
    return with_rig(text, made)


def test_angles_are_written_into_their_table_in_order_and_the_older_key_gives_way_to_it() -> None:
    angles = {"cut": 33.0, "anti_cut": 28.5, "opposite": 33.1}
    text = turning_at(default_rig_text(), **angles)
    assert parse_document(text, FaceMotors, "new").corners == Corners(**angles)
    assert "[corners]\ncut = 33.0\nanti_cut = 28.5\nopposite = 33.1\n" in text
    again = turning_at(text, **angles | {"cut": 30.0})
    assert parse_document(again, FaceMotors, "new").corners == Corners(**angles | {"cut": 30.0})
    assert again.count("cut = 30.0") == 1
    text = (
        'name = "mine"\n'
        "[motors.U]\nchannel = 3\n[corners] # measured\ncut_after_half = 18\ncut = 22\n"
    )
    made = turning_at(text, cut=18.0, cut_pairs=20.0)
    assert parse_document(made, FaceMotors, "new").corners == Corners(cut=18.0, cut_pairs=20.0)
    assert "[corners] # measured" in made
    assert "cut_after_half" not in made
    assert turning_at(text, cut=18.0) == text
    motor = "[motors.U]\nchannel = 3\n"
    for corners in ("overlap_degrees = 3", "corners.anti_cut = 3", "corners = { anti_cut = 3 }"):
        made = turning_at(f'name = "mine"\n{corners}\n{motor}', cut=20.0)
        assert parse_document(made, FaceMotors, "new").corners == Corners(cut=20.0)
        assert "overlap_degrees" not in made


def test_a_camera_gets_its_device_and_wrong_files_are_not_touched() -> None:
    text = 'name = "mine"\n[[cameras]]\nview = "a.toml"\n[[cameras]] # below\ndevice = 1 # old\n'
    made = parse_document(with_camera(with_camera(text, 0, "/dev/video2"), 1, 3), dict, "new")
    assert [each["device"] for each in made["cameras"]] == ["/dev/video2", 3]
    assert "3 # old" in with_camera(text, 1, 3)
    with pytest.raises(ConfigError):
        with_rig("name = 3\n", default_rig())


def test_a_motor_is_flipped_and_nothing_else_and_what_is_no_motor_is_named() -> None:
    before = default_rig()
    text = with_rig(default_rig_text(), with_flipped(before, "F"))
    made = parse_document(text, FaceMotors, "it")
    assert made.motors["F"].direction == -before.motors["F"].direction
    assert {**made.motors, "F": before.motors["F"]} == before.motors
    assert parse_document(with_rig(text, with_flipped(made, "F")), FaceMotors, "it") == before
    with pytest.raises(NotPossibleError, match=r"X.*U, R, F, D, L, B"):
        with_flipped(before, "X")
    rig = named_rig("mindcub3r")
    text = with_rig(rig_text("mindcub3r"), with_flipped(rig, "table"))
    machine = parse_document(text, ActionMachine, "it")
    assert machine.motors["table"].direction == -rig.motors["table"].direction


PULSES = st.lists(st.integers(50, 250).map(lambda n: 10 * n), min_size=3, max_size=3, unique=True)
PULSES = PULSES.map(sorted)  # the servo passes its places in their order


@settings(max_examples=10)
@given(st.sampled_from(["cubotino", "mindcub3r", "claws", "four-claws"]), PULSES, st.data())
def test_a_machine_is_written_with_its_comments(
    name: str, pulses: list[int], data: st.DataObject
) -> None:
    text = rig_text(name)
    rig = parse_document(text, ActionMachine, name)
    variables = dict(rig.variables)
    for part, variable in variables.items():
        if len(variable.pulse_us) == 3:
            variables[part] = msgspec.structs.replace(variable, pulse_us=tuple(pulses))
        if variable.motor is not None:
            direction = data.draw(st.sampled_from((1, -1)))
            turned = msgspec.structs.replace(variable.motor, direction=direction, microsteps=4)
            variables[part] = msgspec.structs.replace(variable, motor=turned)
        if variable.steps:
            steps = (0, pulses[0], pulses[0] + 7)
            variables[part] = msgspec.structs.replace(variables[part], steps=steps)
    rules = [
        msgspec.structs.replace(rule, time_ms=tuple(each + 10 for each in rule.time_ms))
        if data.draw(st.booleans())
        else rule
        for rule in rig.actions
    ]
    made = msgspec.structs.replace(rig, variables=variables, actions=tuple(rules))
    written = with_rig(text, made)
    assert parse_document(written, ActionMachine, "new") == made
    assert remarks(written) == remarks(text)
    assert with_rig(written, rig).count("direction = 1") == written.count("direction = ")


def test_two_motors_exchange_their_channels() -> None:
    rig = default_rig()
    swapped = parse_document(
        with_rig(default_rig_text(), with_swapped(rig, "R", "F")), FaceMotors, "t"
    )
    assert swapped.motors["R"].channel == rig.motors["F"].channel
    assert with_swapped(swapped, "F", "R") == rig
    with pytest.raises(NotPossibleError, match="X"):
        with_swapped(rig, "R", "X")


def test_the_actuator_of_an_action_is_turned_round() -> None:
    rig = named_rig("cubotino")
    flipped = with_flipped(rig, "turn the cube")
    text = with_rig(rig_text("cubotino"), flipped)
    assert parse_document(text, ActionMachine, "t").variables["holder"].pulse_us == (
        2400,
        1500,
        600,
    )
    assert with_flipped(flipped, "turn the cube") == rig
