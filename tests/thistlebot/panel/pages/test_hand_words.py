"""The page By hand says all in three languages."""

import pytest

from thistlebot.control.showing.hand_view import Asked, Changed, Followed, Told, Way
from thistlebot.looking.turn_watch import Sight
from thistlebot.panel.pages.hand_words import (
    changes_text,
    hold_text,
    sight_text,
    told_text,
    turn_text,
)
from thistlebot.words.words import LANGUAGES, load_words
from vision.live.instructions import Ask, Remark

EN, FR, RU = (load_words(language) for language in ("en", "fr", "ru"))
ASKED = Asked(Ask.FACE, "F", "green", "U", "white")
WAY = Way("white", "green", True, ("R", "L", "L'", "U2"), (1,), 0, "")
SCHEME = dict(zip("URFDLB", ("white", "red", "green", "yellow", "orange", "blue"), strict=True))


def test_which_face_to_show() -> None:
    told = Told(asked=ASKED)
    assert told_text(told, EN) == "Show the front face (green centre), white upwards."
    assert told_text(told, FR) == "Montrez la face avant (centre vert), blanc vers le haut."
    assert told_text(told, RU) == "Покажите: передняя грань (центр зелёный), сверху белый."
    again = Told(asked=Asked(Ask.FACE_AGAIN, "F", "green", "U", "white", ("R",)))
    assert "Tilt it a little" in told_text(again, EN)
    assert "right face" in told_text(again, EN)
    assert told_text(Told(asked=Asked(Ask.FACE, "F", top="U")), EN) == (
        "Show the front face, the top face upwards."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_remark_and_every_sight_has_words(language: str) -> None:
    words = load_words(language)
    for remark in Remark:
        text = told_text(Told(remark, "F", "blue", guessed=True, asked=ASKED), words)
        assert text
        assert "{" not in text
    for sight in Sight:
        for show in (("R",), ()):
            text = sight_text(Followed(True, sight, "F", "U'", show), words)
            assert text or sight in (Sight.SEEN, Sight.OTHER)
            assert "{" not in text
    for turn in range(len(WAY.moves)):
        assert turn_text(Way("white", "green", True, WAY.moves, (1,), turn, ""), words)


def test_how_to_hold_it_and_what_to_turn() -> None:
    assert hold_text(WAY, EN) == "Hold the cube so: white up, green towards you."
    guessed = Way("white", "green", False, (), (), 0, "")
    assert hold_text(guessed, EN).endswith("Those are the usual colours.")
    assert turn_text(WAY, EN) == "Turn the right face a quarter turn clockwise."
    put_right = Way("white", "green", True, WAY.moves, (1,), 2, "")
    assert turn_text(put_right, EN).startswith("You turned L. This turn puts it right:")
    over = Way("white", "green", True, WAY.moves, (), 4, "")
    assert turn_text(over, EN) == ""


def test_what_a_correction_changed() -> None:
    changes = (Changed("U8", "U", "D", told=False), Changed("U1", "U", "F", told=True))
    assert changes_text(changes, SCHEME, EN) == "Changed: U1 is green, so U8 is yellow"
    assert changes_text((), SCHEME, EN) == ""


def test_a_camera_that_sees_nothing_leaves_the_taps() -> None:
    assert sight_text(Followed(lost="gone"), EN).startswith("The camera gives no more pictures")
    assert sight_text(Followed(on=False), EN).startswith("Tap Next")
    asked = sight_text(Followed(True, Sight.UNTELLABLE, "F", show=("R", "U")), EN)
    assert "show me the right face" in asked
