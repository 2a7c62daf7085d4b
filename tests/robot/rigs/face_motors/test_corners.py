"""Angles for each kind of transition: which kind is which, and what a rig file may say."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.rigs.catalogue import default_rig_text
from robot.rigs.face_motors.corners import (
    PAIR_KEYS,
    SINGLE_KEYS,
    Corners,
    FaceTurn,
    Turns,
    transition_key,
)
from robot.rigs.face_motors.mechanism import FaceMotors

KEYS = Corners.__struct_fields__


def turns(text: str) -> Turns:
    """Read turns such as "R+1 L-2"."""
    return tuple(FaceTurn(part[0], int(part[1:])) for part in text.split())


def test_each_transition_has_its_key() -> None:
    keys = {
        ("R+1", "U-1"): "cut",
        ("R-1", "U+2"): "cut",
        ("R+1", "U+1"): "anti_cut",
        ("R-1", "U-2"): "anti_cut",
        ("R+2", "U-1"): "cut_after_half",
        ("R-2", "U-2"): "anti_cut_after_half",
        ("R+1", "U-1 D-2"): "cut_to_pair",
        ("R+1", "U+1 D-1"): "part_cut_to_pair",
        ("R-2", "U-1 D-1"): "anti_cut_to_pair_after_half",
        ("R+1 L+1", "U-1"): "cut_from_pair",
        ("R+1 L-1", "U-1"): "part_cut_from_pair",
        ("R+1 L+2", "U+1"): "anti_cut_from_pair_after_half",
        ("R+1 L+1", "U-1 D-1"): "cut_pairs",
        ("R+1 L+1", "U-1 D+1"): "part_cut_pairs",
        ("R-2 L-2", "U-1 D-1"): "anti_cut_pairs_after_half",
    }
    assert {pair: transition_key(*map(turns, pair)) for pair in keys} == keys


def test_all_transitions_together_have_twenty_two_keys_and_the_file_has_one_more() -> None:
    """SquidCuber's classes; the last key is for opposite faces."""
    quarters = (1, -1, 2, -2)
    sides = [
        [tuple(map(FaceTurn, faces, way)) for way in itertools.product(quarters, repeat=len(faces))]
        for faces in ("R", "RL", "U", "UD")
    ]
    found = {
        transition_key(ending, beginning)
        for ending in sides[0] + sides[1]
        for beginning in sides[2] + sides[3]
    }
    assert len(found) == 22
    assert found == set(SINGLE_KEYS + PAIR_KEYS) == set(KEYS) - {"opposite"}


signed = st.sampled_from((1, -1, 2, -2))


@given(st.lists(signed, min_size=1, max_size=2), st.lists(signed, min_size=1, max_size=2))
def test_a_mirror_changes_no_kind(ending: list[int], beginning: list[int]) -> None:
    def made(sign: int) -> str:
        return transition_key(
            tuple(FaceTurn(face, sign * q) for face, q in zip("RL", ending, strict=False)),
            tuple(FaceTurn(face, sign * q) for face, q in zip("UD", beginning, strict=False)),
        )

    assert made(1) == made(-1)


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


def test_an_angle_out_of_range_is_told_with_key_and_line() -> None:
    for key in KEYS:
        for angle in (-1, 45.1, "nan"):
            text = rig_text(f"\n[corners]\n{key} = {angle}\n")
            line = text.rstrip("\n").count("\n") + 1
            told = rf"^rig, line {line}, corners.{key}: {key} .* 0 .* 45$"
            with pytest.raises(ConfigError, match=told):
                parse_document(text, FaceMotors, "rig")


def test_a_wrong_key_is_told_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match=r"line \d+, corners.anticut.*anti_cut"):
        parse_document(rig_text("\n[corners]\nanticut = 3\n"), FaceMotors, "rig")


def test_the_older_key_means_all_transitions_between_single_turns() -> None:
    rig = parse_document(rig_text("", "overlap_degrees = 12"), FaceMotors, "rig")
    assert rig.angles == Corners(**dict.fromkeys(SINGLE_KEYS, 12.0))


def test_the_older_key_keeps_its_range_and_names_the_table() -> None:
    for degrees in (-1, 16):
        told = rf"line 1, overlap_degrees: .*{degrees}.*\[corners\]"
        with pytest.raises(ConfigError, match=told):
            parse_document(rig_text("", f"overlap_degrees = {degrees}"), FaceMotors, "rig")


def test_both_keys_together_are_refused_with_what_to_write() -> None:
    text = rig_text("\n[corners]\ncut = 30\n", "overlap_degrees = 12")
    with pytest.raises(ConfigError, match=r"line 1, overlap_degrees: .*12.*anti_cut_after_half"):
        parse_document(text, FaceMotors, "rig")


def test_wider_angles_stay_in_range_and_what_waits_goes_on_waiting() -> None:
    corners = Corners(cut=43.0, anti_cut=3.0)
    assert corners.widened(5) == Corners(cut=45.0, anti_cut=8.0)
    assert corners.widened(-5) == Corners(cut=38.0)
