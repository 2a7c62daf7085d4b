"""Pictures of methods side by side: what was counted is shown, and who failed says why."""

import re

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from teaching.comparison import MethodAttempt, StateTrial
from teaching.comparison_report import duel, require_few
from teaching.methods.catalogue import load_method
from teaching.methods.method import walk
from thistlebot.errors import UsageError

SCRAMBLE = "R U F2 D'"
STATE = SOLVED.apply(MoveSequence.parse(SCRAMBLE))
FACELETS = STATE.to_facelets().text


def turns(film, lane: int) -> list[str]:
    return [frame.move for frame in film.lanes[lane].frames[1:]]


def test_the_steps_are_those_of_the_method() -> None:
    made = walk(load_method("layers"), STATE)
    attempt = MethodAttempt("layers", str(made.moves), made.cpu_ms)
    film = duel(StateTrial(FACELETS, (attempt, attempt)))
    for number, lane in enumerate(film.lanes):
        assert [chapter.caption for chapter in lane.chapters] == [s.caption for s in made.steps]
        assert turns(film, number) == [str(move) for step in made.steps for move in step.moves]
        assert {str(lane.turns), str(len(made.moves))} <= set(re.findall(r"\d+", lane.verdict))
    assert FACELETS in film.subtitle


def test_what_was_counted_is_shown_though_the_method_finds_another_way() -> None:
    moves = "D F2 U' R L L'"
    trial = StateTrial(FACELETS, (MethodAttempt("layers", moves, 1.0),) * 2)
    film = duel(trial, several=True)
    assert film.title != duel(trial).title
    assert turns(film, 0) == moves.split()
    assert [chapter.name for chapter in film.lanes[0].chapters] == ["all at once"]


def test_who_fails_stands_still_and_says_why() -> None:
    failed = MethodAttempt("backtracking", None, 0.0, "this cube is farther from solved")
    solved = MethodAttempt("bidirectional", str(MoveSequence.parse(SCRAMBLE).inverse()), 1.0)
    still, moving = duel(StateTrial(FACELETS, (failed, solved))).lanes
    assert (still.turns, moving.turns) == (0, 4)
    assert still.verdict == failed.problem
    assert still.frames[0].looks == moving.frames[0].looks != moving.frames[-1].looks
    assert still.frames[0].levels == moving.frames[0].levels


def test_there_is_room_for_two_to_four() -> None:
    for count in (2, 4):
        require_few(("layers",) * count)
    for count in (1, 5):
        with pytest.raises(UsageError, match=str(count)):
            require_few(("layers",) * count)
