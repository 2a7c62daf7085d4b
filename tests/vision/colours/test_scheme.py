"""Schemes that are told, and those that cubes are sold with."""

from cube.net import WESTERN_SCHEME
from vision.colours.scheme import JAPANESE_SCHEME, centre_order, looks_mirrored, scheme_rotations

SWAPPED = {**WESTERN_SCHEME, "L": "red", "R": "orange"}


def test_only_a_mirror_image_of_the_cube_nets_mirrored_and_centres_come_as_it_is_held() -> None:
    western, swapped = tuple(WESTERN_SCHEME.values()), tuple(SWAPPED.values())
    assert not looks_mirrored(western)
    assert not looks_mirrored(tuple(JAPANESE_SCHEME.values()))
    assert all(looks_mirrored(held) for held in scheme_rotations(swapped))
    assert not any(looks_mirrored(held, SWAPPED) for held in scheme_rotations(swapped))
    assert looks_mirrored(western, SWAPPED)
    odd = {**WESTERN_SCHEME, "U": "red", "R": "white"}
    assert not looks_mirrored(tuple(odd.values()))
    assert centre_order()[:2] == ("white", "green")
    assert centre_order(JAPANESE_SCHEME)[-1] == "blue"
