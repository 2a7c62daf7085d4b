"""What the page By hand shows, out of what guides, corrects and follows a person."""

import numpy as np
from even_light import decode_lab, seen

from cube.moves import Move, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED
from thistlebot.control.showing.hand_story import SteadySight, follow_of, hand_view, net_of_faces
from thistlebot.control.showing.hand_view import UNKNOWN, HandPhase
from thistlebot.looking.corrections import Corrections
from thistlebot.looking.hand_guide import HandGuide
from thistlebot.looking.hand_steps import HandSteps
from thistlebot.looking.turn_watch import Sight, WatchStep

TRUTH = random_state(np.random.default_rng(1)).to_facelets()
READING = decode_lab(seen(TRUTH, np.random.default_rng(1)))
START = HandGuide().start


def test_before_the_first_picture_nothing_is_known() -> None:
    view = hand_view(HandPhase.SCAN, "webcam", step=START)
    assert (view.net.facelets, view.captured, view.way) == (UNKNOWN, (), None)
    assert view.told.asked is not None
    assert (view.told.asked.face, view.wanted) == ("F", "F")
    assert not view.corrected.possible


def test_captured_faces_are_drawn_by_what_their_stickers_look_like() -> None:
    colours = ("white", "red", "green", "", "blue", "red", "white", "orange", "yellow")
    net = net_of_faces({"F": colours}, None)
    assert net.facelets[18:27] == "URF?BRULD"
    assert net.facelets.count("?") == 46
    other = dict(zip("URFDLB", ("yellow", "red", "blue", "white", "orange", "green"), strict=True))
    assert net_of_faces({"F": colours}, other).facelets[18:27] == "DRB?FRDLU"


def test_a_reading_is_shown_with_its_doubts_and_corrections() -> None:
    corrections = Corrections.of(READING)
    view = hand_view(HandPhase.SCAN, "webcam", step=START, corrections=corrections, refused="no")
    assert (view.net.facelets, view.net.accepted) == (TRUTH.text, True)
    assert len(view.net.confidence) == 54
    assert view.corrected.possible
    assert view.corrected.refused == "no"
    told = corrections.turn("F", 1)
    view = hand_view(HandPhase.SCAN, "webcam", step=START, corrections=told)
    assert view.corrected.count == 1
    assert [each.facelet for each in view.corrected.changes] == [
        each.facelet for each in told.changes
    ]


def test_nothing_is_corrected_once_something_was_turned() -> None:
    steps = HandSteps.of(SOLVED.to_facelets(), MoveSequence.parse("R U"), WESTERN_SCHEME)
    corrections = Corrections.of(READING)
    for made, possible in ((steps, True), (steps.next(), False)):
        view = hand_view(HandPhase.TURN, "webcam", step=START, corrections=corrections, steps=made)
        assert view.corrected.possible is possible
        assert view.way is not None
        assert (view.way.done, view.way.moves) == (made.done, ("R", "U"))
    stray = steps.put_right(Move.parse("L"))
    way = hand_view(HandPhase.TURN, "webcam", step=START, steps=stray).way
    assert way is not None
    assert (way.strays, way.moves[0]) == ((0,), "L")


def test_a_sight_is_shown_when_it_lasts() -> None:
    steady = SteadySight()
    flicker = [WatchStep(Sight.UNCHANGED, "F"), WatchStep(Sight.MOVING)]
    for number in range(10):
        steady.take(flicker[number % 2])
    assert steady.shown.sight is Sight.NOTHING
    for _ in range(3):
        steady.take(WatchStep(Sight.OTHER, "F", made=Move.parse("U'")))
    followed = follow_of(steady, on=True, lost="")
    assert (followed.sight, followed.face, followed.made) == ("other", "F", "U'")
    assert follow_of(steady, on=False, lost="").sight == ""
