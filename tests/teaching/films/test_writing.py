"""The ending of a file's name says what is written."""

from pathlib import Path

import pytest

from cube.state import SOLVED
from teaching.films.film import Film
from teaching.films.lesson_film import lesson_film
from teaching.films.writing import require_picture, write_film
from teaching.methods.method import Walk
from thistlebot.errors import UsageError


@pytest.fixture
def film() -> Film:
    return lesson_film(Walk("layers", SOLVED, (), 0.0), "Nothing to do")


def test_an_ending_is_a_kind_and_others_are_refused(film: Film, tmp_path: Path) -> None:
    for name in ("a.png", "a", "a.svg.gz"):
        for refused in (
            lambda name=name: require_picture(tmp_path / name),
            lambda name=name: write_film(tmp_path / name, film),
        ):
            with pytest.raises(UsageError, match=r"\.svg.*\.html"):
                refused()
    for name, start in (("a.svg", "<svg"), ("a.HTML", "<!doctype html>")):
        require_picture(tmp_path / name)
        assert not (tmp_path / name).exists()
        write_film(tmp_path / name, film)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert len(list(tmp_path.iterdir())) == 2
