"""What is shown is a pure function of what was told, on the pages Run and By hand."""

from dataclasses import replace
from functools import reduce

import msgspec
import numpy as np
from cubes import cube_after
from even_light import LABS, TRUTH, decode_lab, seen
from hand_video import OTHER
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import SOLVED_FACELETS
from cube.moves import FACES, Move, MoveSequence, htm
from cube.net import WESTERN_SCHEME
from cube.state import SOLVED, CubeState
from frontends.control.view_model import notices
from frontends.control.view_model.by_hand import UNKNOWN, HandPhase, hand_view, net_of_faces
from frontends.control.view_model.notices import Told
from frontends.control.view_model.reducer import after
from frontends.control.view_model.thoughts import thoughts_of
from frontends.control.view_model.view import ShownCube, ShownPlan, ViewModel
from robot.rigs.catalogue import default_rig
from solver.stages.solution import Solution
from thistlebot.errors import StoppedError
from thistlebot.events import Ended, Entered, Executed, Phase, Planned, Turned, Verified
from thistlebot.exit_codes import error_record
from thistlebot.reading.corrections import Corrections
from thistlebot.reading.hand_guide import HandGuide
from thistlebot.reading.hand_steps import HandSteps
from thistlebot.records import ErrorLine, full_reading_record, full_solve_record

MOVES = st.lists(st.builds(Move, st.sampled_from(FACES), st.integers(1, 3)), max_size=12).map(
    lambda moves: MoveSequence(tuple(moves)).simplified()
)


def planned(before: CubeState, moves: MoveSequence) -> Planned:
    solution = Solution(before, moves, before.apply(moves), value=htm(moves))
    program = default_rig().plan(moves)
    return Planned(full_solve_record(before.to_facelets(), solution, program))


def told(view: ViewModel, *all_told: Told) -> ViewModel:
    return reduce(after, all_told, view)


@settings(max_examples=20)
@given(scramble=MOVES, moves=MOVES)
def test_the_cube_follows_each_acknowledged_step(
    scramble: MoveSequence, moves: MoveSequence
) -> None:
    before = SOLVED.apply(scramble)
    view = told(ViewModel("s"), notices.Began("solve", 1, 0.0), planned(before, moves))
    program = default_rig().plan(moves)
    assert list(view.plan.moves) == [str(move) for move in program.moves]
    for done in range(1, len(program.steps) + 1):
        view = after(view, Turned(done, len(program.steps)))
        expected = before.apply(program.moves_of(done)).to_facelets().text
        assert view.cube.facelets == expected
        assert view.cube.moves == tuple(map(str, program.moves_of(done)))
        assert view.executed == done
    view = after(view, Executed(len(program.steps), 1.0))
    assert view.cube.facelets == before.apply(moves).to_facelets().text


def test_given_moves_turn_a_cube_that_nobody_has_read_and_what_is_seen_is_shown_until_then() -> (
    None
):
    colours = ("#ffffff",) * 9 + ("",) * 45
    view = told(ViewModel("s"), notices.Began("solve", 1, 0.0), notices.Glimpsed(colours))
    assert view.look.glimpsed == colours
    view = told(view, notices.Began("turn", 2, 0.0), notices.Laid(("R", "U D'")), Turned(2, 2))
    assert view.look.glimpsed == ()
    assert view.cube.facelets is None
    assert view.cube.moves == ("R", "U", "D'")


def test_a_pattern_that_was_made_is_no_solved_cube() -> None:
    start = cube_after("R U")
    record = full_reading_record(decode_lab(seen(SOLVED_FACELETS, np.random.default_rng(1))))
    view = told(ViewModel("s"), planned(start, MoveSequence.parse("U' R'")))
    assert after(view, Verified(1, record, solved=False, reached=True)).solved == 0
    assert after(view, Verified(1, record, solved=True, reached=True)).solved == 1


def test_after_an_error_the_cube_is_no_longer_sure_and_a_new_run_forgets_it() -> None:
    view = msgspec.structs.replace(ViewModel("s"), cube=ShownCube(SOLVED_FACELETS.text, sure=True))
    error = error_record(StoppedError("stopped"))
    view = told(
        view,
        notices.Began("scramble", 1, 5.0),
        notices.Laid(("R",)),
        Entered(Phase.STOPPED),
        Ended(error),
        notices.Finished("scramble", 1, 6.0, ErrorLine(error)),
    )
    assert not view.cube.sure
    assert view.attention.kind == "stopped"
    assert (view.job, view.last_job, view.ended_s) == ("", "scramble", 6.0)
    assert after(view, notices.Began("solve", 2, 7.0)).attention is None


READING = decode_lab(LABS)
START = HandGuide().start


def test_before_the_first_picture_nothing_is_known_then_faces_are_drawn_as_they_look() -> None:
    view = hand_view(HandPhase.SCAN, "webcam", step=START)
    assert (view.net.facelets, view.captured, view.way) == (UNKNOWN, (), None)
    assert (view.told.instruction.face, view.wanted) == ("F", "F")
    assert not view.corrected.possible
    colours = ("white", "red", "green", "", "blue", "red", "white", "orange", "yellow")
    net = net_of_faces({"F": colours}, None)
    assert net.facelets[18:27] == "URF?BRULD"
    assert net.facelets.count("?") == 46
    assert net_of_faces({"F": colours}, OTHER).facelets[18:27] == "DRB?FRDLU"


def test_a_reading_is_shown_with_corrections_until_something_was_turned() -> None:
    corrections = Corrections.of(READING)
    view = hand_view(HandPhase.SCAN, "webcam", step=START, corrections=corrections, refused="no")
    assert (view.net.facelets, view.net.accepted) == (TRUTH.text, True)
    assert len(view.net.confidence) == 54
    assert (view.corrected.possible, view.corrected.refused) == (True, "no")
    told = corrections.turn("F", 1)
    corrected = hand_view(HandPhase.SCAN, "webcam", step=START, corrections=told).corrected
    assert corrected.count == 1
    assert [each.facelet for each in corrected.changes] == [each.facelet for each in told.changes]
    steps = HandSteps.of(SOLVED.to_facelets(), MoveSequence.parse("R U"), WESTERN_SCHEME)
    for made, possible in ((steps, True), (steps.next(), False)):
        view = hand_view(HandPhase.TURN, "webcam", step=START, corrections=corrections, steps=made)
        assert view.corrected.possible is possible
        assert (view.way.done, view.way.moves) == (made.done, ("R", "U"))


def view_of(state: CubeState, plan: ShownPlan | None = None) -> ViewModel:
    return ViewModel("server", cube=ShownCube(state.to_facelets().text), plan=plan or ShownPlan())


def test_one_turn_is_counted_a_broken_law_is_told_and_no_cube_is_not_thought_about() -> None:
    counts = {
        "F": [4, 4, 2, 1, 2, 8],  # a quarter turn about the first axis flips its four edges
        "R": [0, 4, 2, 1, 2, 8],  # about the second one it twists corners
        "U": [0, 0, 0, 1, 4, 8],  # about the third it takes corners out of the reach of halves
        "U2": [0, 0, 0, 0, 0, 8],
    }
    found = {}
    for moves in counts:
        thoughts = thoughts_of(view_of(cube_after(moves)))
        found[moves] = [gauge.left for gauges in thoughts.stages for gauge in gauges]
    assert found == counts
    thoughts = thoughts_of(view_of(replace(SOLVED, edge_orientation=(1, *(0,) * 11))))
    assert thoughts.orbit.edge_flip == 1
    assert thoughts_of(ViewModel("server")) is None
    wrong = "R" + SOLVED_FACELETS.text[1:]
    assert thoughts_of(ViewModel("server", cube=ShownCube(wrong))) is None


def test_marks_of_an_older_reading_are_on_no_later_picture() -> None:
    marked = told(ViewModel("test"), notices.Seen(0, 1, (((),),)))
    assert marked.look.marks
    for later in (notices.Began("solve", 2, 0.0, False), Entered(Phase.EXECUTE)):
        assert not after(marked, later).look.marks
    assert after(marked, Entered(Phase.DECODE)).look.marks
