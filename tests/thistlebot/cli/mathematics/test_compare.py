"""The verb `compare`: what it prints for programs, and what it draws."""

from pathlib import Path

from read_films import FilmReader

from cube.moves import MoveSequence
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.state import SOLVED, CubeState
from run_thistlebot import records
from solver.methods.catalogue import PUBLISHED


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
        state = SOLVED.apply(MoveSequence.parse("R U F2"))
        moves = MoveSequence.parse(attempt["moves"]).moves
        cuts = reader.cuts(lane)
        assert reader.stickers(cuts[0], lane) == colours(state)
        assert reader.stickers(1.0, lane) == reader.end(lane) == colours(SOLVED)
        assert attempt["method"] in reader.texts(0, lane)
        assert str(len(moves)) in " ".join(reader.texts(1.0, lane)).split()
        for cut, move in zip(cuts[1:], moves, strict=True):
            state = state.apply(MoveSequence((move,)))
            assert reader.stickers(cut, lane) == colours(state)
    # one clock: as long as both turn, they do so at the same time
    both = zip(reader.cuts(0), reader.cuts(1), strict=False)
    assert all(one == other for one, other in both)


def colours(state: CubeState) -> dict[int, str]:
    letters = state.to_facelets().text
    return {slot: SCREEN_COLOURS[WESTERN_SCHEME[letter]] for slot, letter in enumerate(letters)}
