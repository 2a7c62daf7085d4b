"""When a film does what: in order, with rests between chapters, on one clock side by side."""

from dataclasses import replace
from itertools import pairwise

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from solver.methods.catalogue import load_method
from solver.methods.method import walk
from thistlebot.pictures.film import Film
from thistlebot.pictures.lesson_film import lesson_film
from thistlebot.pictures.timing import CLOSING_S, OPENING_S, clock_of


@pytest.fixture(scope="module")
def film() -> Film:
    state = SOLVED.apply(MoveSequence.parse("R U F2 D' L B U2"))
    return lesson_film(walk(load_method("layers"), state), "layers")


def test_turns_follow_each_other(film: Film) -> None:
    (lane,), clock = film.lanes, clock_of(film)
    (times,) = clock.lanes
    assert len(times.begins) == len(times.changes) == len(lane.frames)
    assert times.begins[1] >= OPENING_S
    ends = {chapter.last for chapter in lane.chapters}
    for number, (one, other) in enumerate(pairwise(times.begins[1:]), start=1):
        rest = other - one - times.turn_s
        assert (rest > 0.5) == (number in ends)
        assert rest > -1e-9
    for begin, change in zip(times.begins[1:], times.changes[1:], strict=True):
        assert begin < change < begin + times.turn_s
    firsts = [0, *(chapter.last for chapter in lane.chapters[:-1])]
    for start, first in zip(times.chapters[1:], firsts[1:], strict=True):
        assert times.begins[first] + times.turn_s < start < times.begins[first + 1]
    assert clock.total_s >= times.end_s + CLOSING_S


def test_several_run_without_rests_at_the_same_time(film: Film) -> None:
    lane = film.lanes[0]
    short = replace(lane, frames=lane.frames[:4], chapters=(replace(lane.chapters[0], last=3),))
    one, other = clock_of(Film("two", "", (lane, short))).lanes
    assert one.begins[:4] == other.begins
    gaps = [b - a for a, b in pairwise(one.begins[1:])]
    assert max(gaps) - min(gaps) < 1e-9


@pytest.mark.parametrize("times", [5, 50])
def test_a_long_film_runs_more_quickly(film: Film, times: int) -> None:
    lane = film.lanes[0]
    frames = (*lane.frames, *(lane.frames[1:] * times))
    last = len(frames) - 1
    long = replace(lane, frames=frames, chapters=(replace(lane.chapters[0], last=last),))
    before, after = clock_of(film).lanes[0], clock_of(replace(film, lanes=(long,))).lanes[0]
    assert 0.1 < after.turn_s < before.turn_s
