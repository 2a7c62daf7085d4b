"""Lessons: every method performed on the virtual rig ends verified; steps say what they are for."""

from itertools import product
from pathlib import Path

import pytest
from cubes import cube_after
from faulty_rig import Faults
from sitting import sitting
from sticker_cube import FACES, pieces, turn
from translated import english_in_russian, english_left
from world import World

from cube.moves import ALL_MOVES, MoveSequence
from cube.net import text_net
from cube.state import SOLVED
from run_thistlebot import record, records, thistlebot
from solver.tables import TableStore
from teaching.cli.learn import pause_s
from teaching.lesson import Lesson, ToldStep
from teaching.methods.catalogue import ENTRIES, NAMES, load_method
from thistlebot.errors import NotVerifiedError
from thistlebot.exit_codes import ExitCode

SCRAMBLE = "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'"
pytestmark = pytest.mark.usefixtures("simulated_time")


def lesson(name: str, store: TableStore, scramble: str, faults: Faults | None = None) -> tuple:
    """A lesson on the virtual rig in simulated time, the rig and what was told."""
    state, told = cube_after(scramble), list[ToldStep]()
    world = World(state=state, faults=faults)
    teacher = Lesson(
        load_method(name, store),
        world.mechanism,
        tell=told.append,
        driver=world.ready(),
        checker=world.reader,
        pause_s=0.5,
        rest=world.clock.sleep,
    )
    return teacher, state, world.rig, told


def test_without_a_method_all_are_listed() -> None:
    names = [each["name"] for each in records("school", "learn")]
    assert names == [*(entry.name for entry in ENTRIES), "five-stages"]
    assert thistlebot("school", "learn", "--seed", 1).exit_code == ExitCode.USAGE


@pytest.mark.parametrize("name", ["layers", "thistlethwaite-five"])
def test_a_method_performed_on_the_virtual_rig_ends_verified(name: str, store: TableStore) -> None:
    teacher, state, rig, told = lesson(name, store, SCRAMBLE)
    made = teacher.run(state)
    assert rig.state == SOLVED
    assert rig.slips == 0
    steps = MoveSequence(tuple(move for each in told for move in each.step.moves))
    assert rig.moves == steps.moves  # turned as told, one by one
    assert [each.step for each in told] == list(made.steps)
    assert state.apply(steps) == SOLVED


def test_a_face_that_slips_is_seen(store: TableStore) -> None:
    teacher, state, rig, _ = lesson("backtracking", store, "R U F2", Faults(slip_at_move=2))
    with pytest.raises(NotVerifiedError):
        teacher.run(state)
    # The face that lost steps stands off its detent, and stops the one that crosses it.
    assert (rig.slips, rig.jams) == (2, 1)


def test_a_lesson_is_turned_in_the_virtual_rig_when_none_is_configured() -> None:
    first, *_, end = records("school", "learn", "bidirectional", "--seed", 4)
    assert end["verified"]
    assert first["moves"]
    assert set(first["pieces"]) <= set(first["moving"])


def test_on_a_terminal_each_step_waits_for_a_key() -> None:
    """A program that reads the steps presses none."""
    command = ("school", "learn", "thistlethwaite", "--dry-run", "--scramble", SCRAMBLE)
    with sitting(*command, "--json") as person:
        assert person.leave() == 0
    with sitting(*command) as person:
        for number, key in ((1, " "), (2, "q")):
            person.wait_for(f"{number} of 4 .* to quit")
            person.type(key)
        assert person.leave() == ExitCode.STOPPED
    assert "3 of 4" not in person.seen


def test_only_who_looks_on_is_waited_for() -> None:
    """As the help of --pause says; what is piped does not rest."""
    assert pause_s(None, watched=True) == 0.5
    assert pause_s(None, watched=False) == 0
    assert pause_s(0.0, watched=True) == 0
    assert pause_s(2.0, watched=False) == 2


def test_a_lesson_as_text_says_how_to_hold_the_cube() -> None:
    told = thistlebot("school", "learn", "layers", "--dry-run", "--scramble", "R U").stdout
    before = cube_after("R U").to_facelets().text
    hold, _, rest = told.partition("\n")
    assert hold.startswith("hold      ")
    assert rest.startswith(f"{text_net(before)}\n")
    assert f"\n\n{text_net(SOLVED.to_facelets().text)}\nmoves " in told
    text = thistlebot(
        "school", "learn", "thistlethwaite-five", "--dry-run", "--scramble", SCRAMBLE
    ).stdout
    assert all(part in text for part in ("1 of 5", "180", "Φ3", "δ"))
    assert "verified" not in text


def test_s2s_example_shows_each_stage_before_and_after_and_is_turned() -> None:
    text = thistlebot("school", "learn", "five-stages", "--example", "--dry-run").stdout
    words = " ".join(text.split())
    assert f"{SCRAMBLE} (S2)" in words
    assert "8 → 0" in words
    assert words.count(" → 0, ") == 7
    assert words.count("before after") == 5  # side by side
    assert "U2 R F2 D2 L B2" in words
    assert "length 37 HTM in 5 steps" in words
    *stages, end = records("school", "learn", "five-stages", "--example", "--virtual")
    assert (end["scramble"], end["source"], end["verified"]) == (SCRAMBLE, "S2", True)
    assert [stage["after"] for stage in stages[:-1]] == [stage["before"] for stage in stages[1:]]
    ends = stages[0]["before"], stages[-1]["after"]
    assert ends == (end["facelets"], SOLVED.to_facelets().text)
    assert all(goal["after"] == 0 for stage in stages for goal in stage["goals"])
    plain = record("school", "learn", "five-stages", "--scramble", SCRAMBLE, "--dry-run")
    assert plain["method"] == "thistlethwaite-five"


DISTRIBUTIONS = (
    (1, 2, 25, 202, 620, 900, 285, 13),
    (1, 2, 17, 134, 1065, 8190, 54694, 267576, 560568, 187204, 3114),
    (1, 2, 9, 36, 124, 530, 1806, 3732, 5158, 7070, 7218, 3202, 488, 24),
    (1, 6, 27, 120, 519, 1932, 6484, 20310, 55034, 113892, 178495, 179196, 89728, 16176, 1488, 144),
)
"""The cosets of each stage of Thistlethwaite's chain by their distance from its goal."""


def test_a_lesson_tells_where_the_cube_lies_in_each_stage() -> None:
    command = ("school", "learn", "thistlethwaite", "--dry-run", "--scramble", SCRAMBLE)
    *steps, _ = records(*command)
    assert [tuple(step["place"]["counts"]) for step in steps] == list(DISTRIBUTIONS)
    assert [step["place"]["distance"] for step in steps] == [
        len(step["moves"].split()) for step in steps
    ]
    shown = thistlebot(*command).stdout
    for step in steps:
        place = step["place"]
        alike, cosets = place["counts"][place["distance"]], sum(place["counts"])
        assert f"{alike:,} of {cosets:,}".replace(",", " ") in shown
    assert shown.count("this cube") == len(steps)


def test_the_first_distribution_is_that_of_flipped_edges_counted_by_hand() -> None:
    """Of stickers in space: edges are marked on U or D, else on F or B. Turns carry the marks."""
    edges = [places for faces, places in pieces().items() if len(faces) == 2]
    marked = [min(places, key=lambda place: "UDFBRL".index(FACES[place // 9])) for places in edges]
    layer, counts = {frozenset(marked)}, []
    seen = set(layer)
    while layer:
        counts.append(len(layer))
        layer = {
            frozenset(turn(str(move))[place] for place in marks)
            for marks, move in product(layer, ALL_MOVES)
        } - seen
        seen |= layer
    assert tuple(counts) == DISTRIBUTIONS[0]


def test_in_another_language_no_english_is_left(tmp_path: Path) -> None:
    """Of the table of words, nor in a film; the records for programs stay as they are."""
    dry, film = ("--dry-run", "--scramble", SCRAMBLE), tmp_path / "film.html"
    tables = ("learn", "method", "cube.", "lesson.wrote", "lesson.before", "lesson.after")
    names = " ".join((*NAMES, "five-stages"))
    for command in (
        (),
        ("layers", *dry),
        ("thistlethwaite", *dry),
        ("fridrich", *dry),
        ("five-stages", "--example", "--dry-run"),
    ):
        assert english_left("school", "learn", *command, tables=tables, names=names) == []
    thistlebot("school", "learn", "layers", *dry, "--picture", film, "--language", "ru")
    assert english_in_russian(film, ("film",)) == set()
