"""Angles for each kind of transition: which kind is which, and what a rig file may say."""

import itertools

import pytest

from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.rigs.catalogue import default_rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import SINGLE_KEYS, Corners, FaceTurn, Turns, transition_key

KEYS = Corners.__struct_fields__
TRANSITIONS = {
    "R+1 to U-1": "cut",
    "R-1 to U+2": "cut",
    "R+1 to U+1": "anti_cut",
    "R-1 to U-2": "anti_cut",
    "R+2 to U-1": "cut_after_half",
    "R-2 to U-2": "anti_cut_after_half",
    "R+1 to U-1 D-2": "cut_to_pair",
    "R+1 to U+1 D-1": "part_cut_to_pair",
    "R-2 to U-1 D-1": "anti_cut_to_pair_after_half",
    "R+1 L+1 to U-1": "cut_from_pair",
    "R+1 L-1 to U-1": "part_cut_from_pair",
    "R+1 L+2 to U+1": "anti_cut_from_pair_after_half",
    "R+1 L+1 to U-1 D-1": "cut_pairs",
    "R+1 L+1 to U-1 D+1": "part_cut_pairs",
    "R-2 L-2 to U-1 D-1": "anti_cut_pairs_after_half",
}


def turns(text: str, sign: int = 1) -> Turns:
    """Read turns such as "R+1 L-2"."""
    return tuple(FaceTurn(part[0], sign * int(part[1:])) for part in text.split())


def test_each_transition_has_its_key_and_its_mirror_the_same() -> None:
    for sign in (1, -1):
        assert {
            text: transition_key(*(turns(side, sign) for side in text.split(" to ")))
            for text in TRANSITIONS
        } == TRANSITIONS


def test_faces_of_one_axis_have_an_angle_of_their_own() -> None:
    corners = Corners(cut=30.0, anti_cut=30.0, opposite=40.0)
    assert corners.angle_deg(turns("U+1"), turns("D-1")) == 40.0
    assert corners.angle_deg(turns("U+1"), turns("U+1")) == 0.0
    assert corners.angle_deg(turns("U+1 D+1"), turns("D+1")) == 0.0


def rig_text(table: str, before: str = "") -> str:
    return f"{before}\n" + default_rig_text().replace("[corners]\n", "") + table


def test_a_rig_file_keeps_the_angles() -> None:
    rig = parse_document(rig_text("\n[corners]\ncut = 33\nanti_cut_pairs = 7.5\n"), FaceMotors, "r")
    assert rig.angles == Corners(cut=33.0, anti_cut_pairs=7.5)
    assert rig.angles.widest_deg == 33.0
    # The older key means all transitions between single turns.
    rig = parse_document(rig_text("", "overlap_degrees = 12"), FaceMotors, "rig")
    assert rig.angles == Corners(**dict.fromkeys(SINGLE_KEYS, 12.0))


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_document(text, FaceMotors, "rig")
    return str(caught.value)


def test_wrong_angles_are_told_with_key_and_line() -> None:
    for key, angle in itertools.product(KEYS, (-1, 45.1, "nan")):
        text = rig_text(f"\n[corners]\n{key} = {angle}\n")
        line = text.rstrip("\n").count("\n") + 1
        said = refusal(text)
        assert said.startswith(f"rig, line {line}, corners.{key}: "), said
        assert str(angle) in said
        assert " 45" in said
    said = refusal(rig_text("\n[corners]\nanticut = 3\n"))
    assert "corners.anticut" in said
    assert "anti_cut" in said
    for degrees in (-1, 16):  # the older key keeps its range and names the table
        said = refusal(rig_text("", f"overlap_degrees = {degrees}"))
        assert said.startswith("rig, line 1, overlap_degrees: ")
        assert str(degrees) in said
        assert "[corners]" in said
    said = refusal(rig_text("\n[corners]\ncut = 30\n", "overlap_degrees = 12"))
    assert said.startswith("rig, line 1, overlap_degrees: ")
    assert "anti_cut_after_half" in said
