"""The verb `compare`: what it prints for programs, and what it draws."""

from pathlib import Path

from read_films import FilmReader

from run_thistlebot import records
from teaching.methods.catalogue import PUBLISHED


def test_the_records_are_states_then_methods_then_published_figures() -> None:
    methods = ("bidirectional", "layers")
    state, *rest = records("compare", "--scramble", "R U", "--methods", ",".join(methods))
    assert [attempt["method"] for attempt in state["attempts"]] == [*methods]
    assert [record["method"] for record in rest[:2]] == [*methods]
    assert [record["solved"] for record in rest[:2]] == [1, 1]
    assert rest[0]["mean_htm"] == 2
    beside = [figure for figure in PUBLISHED if figure.beside in methods and not figure.facelets]
    assert beside
    assert [record["source"] for record in rest[2:]] == [figure.source for figure in beside]


def test_two_methods_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "duel.svg"
    given = ("--scramble", "R U F2", "--methods", "bidirectional,backtracking", "--picture", file)
    attempts = records("compare", *given)[0]["attempts"]
    reader = FilmReader(file.read_text(encoding="utf-8"))
    for lane, attempt in enumerate(attempts):
        moves = attempt["moves"].split()
        assert len(reader.cuts(lane)) == 1 + len(moves)
        assert attempt["method"] in reader.texts(0, lane)
        assert str(len(moves)) in " ".join(reader.texts(1.0, lane)).split()
