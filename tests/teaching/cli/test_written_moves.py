"""Moves as people write them mean the same to every command and to Python, or are refused.

`tests/cube/notation` has all forms, and `tests/puzzles/algebra` those of other puzzles.
"""

import pytest

import thistlebot as library
from cube.errors import NotationError
from cube.held_moves import read_moves
from cube.state import SOLVED
from run_thistlebot import records, thistlebot, told
from thistlebot.exit_codes import ExitCode

pytestmark = pytest.mark.usefixtures("simulated_time")
FORMS = (
    ("[R, U]", "R U R' U'"),
    ("[RU2,R'DF]", "R U2 R' D F U2 R' F' D' R"),
    ("F (R U R’ U’)x3 F’ // thrice", "F R U R' U' R U R' U' R U R' U' F'"),
    ("1. [u] M' Rw2 [F: D]", "F B' F2 U R U'"),
)
REFUSED = ("[R U] F", "TR U", "A|B|C", "(R U) x2 F")
COMMANDS = {
    "run": "run --virtual --dry-run",
    "solve": "solve --dry-run --budget-ms 20 --scramble",
    "learn": "school learn fridrich --dry-run --scramble",
    "compare": "school compare --methods fridrich --jobs 1 --scramble",
    "word": "school word",
    "puzzle": "school puzzle 3x3x3 --scramble",
    "puzzle --to": "school puzzle 3x3x3 --limit 0 --solve bidirectional --to",
    "lesson": "school lesson sums --try",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reads_forms_by_its_command_line(name: str) -> None:
    command = COMMANDS[name].split()
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


def test_python_reads_the_same_forms() -> None:
    for text, moves in FORMS:
        state = SOLVED.apply(read_moves(moves))
        assert library.Cube.scrambled(text).state == library.Cube().turned(text).state == state
    for text in REFUSED:
        with pytest.raises(NotationError):
            library.Cube.scrambled(text)
