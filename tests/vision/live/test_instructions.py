"""What a person is told, as a value and in English."""

from cube.net import WESTERN_SCHEME
from vision.live.instructions import Ask, Guidance, Remark, ask_any, ask_face


def test_a_face_is_asked_for_by_its_colour_where_that_is_known() -> None:
    asked = ask_face("U", WESTERN_SCHEME)
    assert (asked.ask, asked.face, asked.colour) == (Ask.FACE, "U", "white")
    assert (asked.top, asked.top_colour) == ("B", "blue")
    assert asked.text == "Show the top face (white centre), blue upwards."
    assert ask_face("D", {}).text == "Show the bottom face, the front face upwards."


def test_a_face_is_asked_for_again_and_others_are_named() -> None:
    asked = ask_face("L", WESTERN_SCHEME, ["R", "B"])
    assert (asked.ask, asked.others) == (Ask.FACE_AGAIN, ("R", "B"))
    assert asked.text.endswith(
        "Tilt it a little otherwise than before. Others that still matter: right, back."
    )
    assert "Others" not in ask_face("L", WESTERN_SCHEME, []).text


def test_where_faces_come_in_any_order_they_are_counted() -> None:
    assert ask_any("", 3).text.endswith("whichever way up (3 of 6 are done).")
    assert "red centre again" in ask_any("red", 6).text


def test_a_remark_stands_before_what_is_asked() -> None:
    asked = ask_face("R", WESTERN_SCHEME)
    known = Guidance(Remark.ALREADY_CAPTURED, "F", instruction=asked)
    assert known.text == f"The front face is captured already. {asked.text}"
    assert Guidance(Remark.CAPTURED, "D").text.endswith("captured. That was the last one.")
    assert Guidance(Remark.CAPTURED, "", instruction=asked).text.startswith(
        "This face is captured."
    )
    guessed = Guidance(Remark.OTHER_FACE, "", "blue", guessed=True, instruction=asked)
    assert guessed.text.startswith("This centre looks blue. Show the right face")
    assert guessed.text.endswith("go on holding it still.")
    assert all(Guidance(remark).text for remark in Remark)
    assert Guidance().text == ""
