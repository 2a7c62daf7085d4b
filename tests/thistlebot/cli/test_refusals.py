"""What cannot be asked for: one message that names it, the right exit code, and nothing is written.

A row is a command line and, behind the bar, what its message has to name; most are in refusals.txt.
"""

import json
import shlex
from pathlib import Path

import pytest
from cubes import SUPERFLIP, TWISTED

from cube.facelets import SOLVED_FACELETS
from cube.state import CubeState
from prepared import ROOT
from run_thistlebot import Refusal, not_refused, record, thistlebot
from thistlebot.exit_codes import ExitCode

SOLVED = SOLVED_FACELETS.text
CROSS = "????U????????R????????F?????D?DDD?D?????L????????B????"
SWAPPED = CubeState(tuple(range(8)), (0,) * 8, (1, 0, *range(2, 12)), (0,) * 12)


def exchanged(a: int, b: int) -> str:
    """The solved cube with two stickers exchanged."""
    text = list(SOLVED)
    text[a], text[b] = text[b], text[a]
    return "".join(text)


USAGE = (
    Path(__file__)
    .with_name("refusals.txt")
    .read_text(encoding="utf-8")
    .format(
        DATA=ROOT / "robot" / "data",
        SOLVED=SOLVED,
        SUPERFLIP=SUPERFLIP,
        CROSS=CROSS,
        CUT=SOLVED[:-1],
        STRANGE=f"X{SOLVED[1:]}",
    )
)

UNSOLVABLE = f"""
solve --virtual --facelets R{SOLVED[1:]}                        | U R 8 10
solve --virtual --facelets {exchanged(8, 9)}                    |
solve --virtual --facelets {TWISTED.to_facelets().text}         | URF
solve --virtual --facelets {exchanged(5, 10)}                   | UR
solve --virtual --facelets {SWAPPED.to_facelets().text}         | UR UF
"""

NO_DEVICE = """
solve --states nowhere.txt                                      | nowhere.txt
solve --states . --dry-run                                      | .
scan --photos nowhere                                           | nowhere
scan --camera nowhere.mp4                                       | nowhere.mp4
scan --rgb nowhere.jsonl                                        | nowhere.jsonl
run R --port nowhere                                            | nowhere
solve --scramble R --port nowhere                               | nowhere
solve --hand --camera 987                                       | 987
school puzzle balls --faces nowhere --random 9                   | nowhere
history import nowhere.zip                                      | nowhere.zip
bench vision .                                                  | manifest
"""


@pytest.mark.parametrize(
    ("rows", "code"),
    [(USAGE, ExitCode.USAGE), (UNSOLVABLE, ExitCode.UNSOLVABLE), (NO_DEVICE, ExitCode.NO_DEVICE)],
)
def test_what_cannot_be_asked_for_is_named_and_changes_nothing(
    rows: str, code: ExitCode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    table = []
    for row in rows.strip().splitlines():
        line, _, data = row.rpartition("|")
        table.append(Refusal(tuple(shlex.split(line)), code, tuple(shlex.split(data))))
    wrong = not_refused(table)
    assert not wrong, "\n".join(map(str, wrong))
    assert list(here.iterdir()) == []


def test_explain_names_the_law_and_refuses_as_solve_does() -> None:
    for line in UNSOLVABLE.strip().splitlines():
        facelets = line.split()[3]
        result = thistlebot("school", "explain", facelets, "--json")
        assert result.exit_code == ExitCode.UNSOLVABLE
        assert json.loads(result.stdout)["problems"]
    assert record("school", "explain", SUPERFLIP)["orbit"] == 0


def test_a_refusal_is_an_error_record_too() -> None:
    for line in (
        "solve --cube 9",
        "school learn nope",
        "frobnicate",
        "run R --frobnicate",
        "school explain UU",
    ):
        result = thistlebot(*line.split(), "--json")
        (printed,) = result.stdout.splitlines()
        error = json.loads(printed)["error"]
        assert error["exit_code"] == result.exit_code == ExitCode.USAGE
        assert error["type"]
        assert error["text"] in " ".join(result.stderr.replace("│", " ").split())
        assert thistlebot(*line.split()).stdout == ""
