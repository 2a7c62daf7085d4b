"""What a person is told, as a value and in English."""

from cube.net import WESTERN_SCHEME
from vision.live.instructions import Ask, ask_any, ask_face


def test_a_face_is_asked_for_by_its_colour_where_that_is_known() -> None:
    asked = ask_face("U", WESTERN_SCHEME)
    assert (asked.ask, asked.face, asked.colour) == (Ask.FACE, "U", "white")
    assert (asked.top, asked.top_colour) == ("B", "blue")
    again = ask_face("L", WESTERN_SCHEME, ["R", "B"])
    assert (again.ask, again.others) == (Ask.FACE_AGAIN, ("R", "B"))
    for each, named in (
        (asked, ("top", "white", "blue")),
        (ask_face("D", {}), ("bottom", "front")),
        (again, ("left", "orange", "white", "right", "back")),
        (ask_any("", 3), ("3",)),
        (ask_any("red", 6), ("red",)),
    ):
        assert all(name in each.text for name in named), each.text
        assert ("right" in each.text) == (each is again)
