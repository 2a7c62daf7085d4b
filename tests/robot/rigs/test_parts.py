"""What the parts of each shipped machine are for, and where they are."""

import pytest

from robot.rigs.catalogue import NAMES, named_rig

ROLES = {
    "six": {face: ("shaft", face) for face in "URFDLB"},
    "five": {face: ("shaft", face) for face in "RFDLB"},
    "cubotino": {"holder": ("shaft", "D"), "cover": ("arm", "B")},
    "cubotino-fast": {"holder": ("shaft", "D"), "cover": ("arm", "B")},
    "mindcub3r": {"table": ("shaft", "D"), "arm": ("arm", "B")},
    "claws": {f"{s}-angle": ("shaft", s) for s in "RF"}
    | {f"{s}-fingers": ("claw", s) for s in "RF"},
    "four-claws": {f"{s}-angle": ("shaft", s) for s in "RFLB"}
    | {f"{s}-claw": ("claw", s) for s in "RFLB"},
    "three": {"upper": ("shaft", "U"), "lower": ("shaft", "D"), "front": ("shaft", "F")},
}


@pytest.mark.parametrize("name", NAMES)
def test_every_part_is_known_by_what_the_actions_do(name: str) -> None:
    parts = named_rig(name).parts
    assert {part.name: (part.role, part.side) for part in parts} == ROLES[name]
    assert len({(part.drive, part.channel) for part in parts}) == len(parts)
