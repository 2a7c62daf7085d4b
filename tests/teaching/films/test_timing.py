"""When a film does what, and what is written by the ending of its file."""

from itertools import pairwise
from pathlib import Path

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from teaching.films.film import CLOSING_S, OPENING_S, Film, clock_of
from teaching.films.lesson_film import lesson_film
from teaching.films.writing import require_picture, write_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import Walk, walk
from thistlebot.errors import UsageError


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


@pytest.fixture
def empty() -> Film:
    return lesson_film(Walk("layers", SOLVED, (), 0.0), "Nothing to do")


def test_an_ending_is_a_kind_and_others_are_refused(empty: Film, tmp_path: Path) -> None:
    for name in ("a.png", "a", "a.svg.gz"):
        for refused in (
            lambda name=name: require_picture(tmp_path / name),
            lambda name=name: write_film(tmp_path / name, empty),
        ):
            with pytest.raises(UsageError, match=r"\.svg.*\.html"):
                refused()
    for name, start in (("a.svg", "<svg"), ("a.HTML", "<!doctype html>")):
        require_picture(tmp_path / name)
        assert not (tmp_path / name).exists()
        write_film(tmp_path / name, empty)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert len(list(tmp_path.iterdir())) == 2
