from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry.light import Light
from vision.geometry.scene import Turn, blocks
from vision.geometry.shading import box_of, light_on_side
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint


def seen_sides(pinhole, turn):
    return [
        side
        for block in blocks(turn)
        for side in block.sides
        if side.seen_from(pinhole.position_mm)
    ]


@settings(max_examples=6, deadline=None)
@given(
    camera=st.sampled_from(sorted(CORNER_CAMERAS)),
    size=st.tuples(st.integers(90, 330), st.integers(90, 250)),
    face=st.sampled_from("URFDLB"),
    angle_deg=st.floats(-180.0, 180.0),
    coupled=st.booleans(),
)
def test_a_part_of_the_picture_is_lit_as_in_the_whole(camera, size, face, angle_deg, coupled):
    pinhole = replace(corner_viewpoint(camera).pinhole, size=size, focal_px=300.0)
    whole = slice(0, size[1]), slice(0, size[0])
    for side in seen_sides(pinhole, Turn(face, angle_deg)):
        box = box_of(pinhole, side)
        for part, all_of_it in zip(
            light_on_side(pinhole, side, Light(), coupled, box),
            light_on_side(pinhole, side, Light(), coupled, whole),
            strict=True,
        ):
            assert part == pytest.approx(all_of_it[box], abs=1e-5)
