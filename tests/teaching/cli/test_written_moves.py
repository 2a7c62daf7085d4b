"""Moves as people write them mean the same to every command and to Python, or are refused."""

from collections.abc import Callable

import pytest
from written_moves import written_moves

import thistlebot as library
from cube.errors import NotationError
from cube.held_moves import read_moves
from cube.state import SOLVED, CubeState
from puzzles.kinds.catalogue import puzzle_named
from run_thistlebot import records, thistlebot, told
from teaching.puzzles_as_typed import WordReader, made_by
from teaching.worksheets.figures import word
from thistlebot.exit_codes import ExitCode
from thistlebot.session.cube_source import CubeSource

pytestmark = pytest.mark.usefixtures("simulated_time")
CUBE = puzzle_named("3x3x3")
READER = WordReader(CUBE)


def scrambled(text: str) -> CubeState | None:
    typed = CubeSource(scramble=text).typed()
    return None if typed is None else typed.state


READERS: dict[str, Callable[[str], CubeState | None]] = {
    "run, HTTP": lambda text: SOLVED.apply(read_moves(text)),
    "solve, learn": scrambled,
    "Python": lambda text: library.Cube.scrambled(text).state,
    "Python, turned": lambda text: library.Cube().turned(text).state,
    "word": lambda text: READER.read(text).cube,
    "lesson": lambda text: word(text).cube,
    "puzzle": lambda text: made_by(CUBE, text).state,
    "puzzle supercube": lambda text: made_by(puzzle_named("supercube"), text).state.cube,
    "puzzle slice": lambda text: made_by(puzzle_named("slice"), text).state,
}


def test_every_reader_understands_each_form_or_refuses_it() -> None:
    wrong = []
    for text, moves in written_moves():
        meant = None if moves is None else SOLVED.apply(read_moves(moves))
        for name, read in READERS.items():
            if (name, text) == ("puzzle slice", "Rs"):
                continue  # it has this turn
            try:
                found = read(text)
            except NotationError:
                found = None
            if found != meant:
                wrong.append((name, text))
    assert not wrong


FORMS = (
    ("[R, U]", "R U R' U'"),
    ("[RU2,R'DF]", "R U2 R' D F U2 R' F' D' R"),
    ("F (R U R’ U’)x3 F’ // thrice", "F R U R' U' R U R' U' R U R' U' F'"),
    ("1. [u] M' Rw2 [F: D]", "F B' F2 U R U'"),
)
REFUSED = ("[R U] F", "TR U", "A|B|C", "(R U) x2 F")
COMMANDS = {
    "run": ("run", "--virtual", "--dry-run"),
    "solve": ("solve", "--dry-run", "--budget-ms", "20", "--scramble"),
    "learn": ("learn", "fridrich", "--dry-run", "--scramble"),
    "compare": ("compare", "--methods", "fridrich", "--jobs", "1", "--scramble"),
    "word": ("word",),
    "puzzle": ("puzzle", "3x3x3", "--scramble"),
    "puzzle --to": ("puzzle", "3x3x3", "--limit", "0", "--solve", "bidirectional", "--to"),
    "lesson": ("lesson", "sums", "--try"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reads_forms_by_its_command_line(name: str) -> None:
    command = COMMANDS[name]
    for text, moves in FORMS:
        state = SOLVED.apply(read_moves(moves))
        if name == "puzzle --to":  # no move leads from one to the other
            (found,) = records(*command, text, "--scramble", moves)
            assert found["moves"] == "", text
            continue
        told_of = {
            key: value for each in records(*command, text)[::-1] for key, value in each.items()
        }
        made = told_of.get("tried", told_of)["moves"]
        if name in {"word", "lesson"}:
            assert SOLVED.apply(read_moves(made if name == "word" else " ".join(made))) == state
        else:
            assert told_of["state" if name == "puzzle" else "facelets"] == state.to_facelets().text
    for text in REFUSED:
        error = told(thistlebot(*command, text, "--json"))
        assert error.exit_code == ExitCode.USAGE, text
