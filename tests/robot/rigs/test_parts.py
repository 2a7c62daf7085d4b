"""What the parts of each shipped machine are for, and where they are."""

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


def test_every_part_is_known_by_what_the_actions_do() -> None:
    parts = {name: named_rig(name).parts for name in NAMES}
    assert {n: {p.name: (p.role, p.side) for p in each} for n, each in parts.items()} == ROLES
    for each in parts.values():
        assert len({(part.drive, part.channel) for part in each}) == len(each)
