"""What cannot be asked for: one message that names it, the right exit code, and nothing is written.

A row is a command line and, behind the bar, what its message has to name.
"""

import json
import shlex
from pathlib import Path

import pytest

from cube.facelets import SOLVED_FACELETS
from cube.state import CubeState
from run_thistlebot import Refusal, not_refused, record, thistlebot
from thistlebot.exit_codes import ExitCode

SOLVED = SOLVED_FACELETS.text
SUPERFLIP = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
TWISTED = CubeState(tuple(range(8)), (1,) + (0,) * 7, tuple(range(12)), (0,) * 12)
SWAPPED = CubeState(tuple(range(8)), (0,) * 8, (1, 0, *range(2, 12)), (0,) * 12)


def exchanged(a: int, b: int) -> str:
    """The solved cube with two stickers exchanged."""
    text = list(SOLVED)
    text[a], text[b] = text[b], text[a]
    return "".join(text)


CROSS = "????U????????R????????F?????D?DDD?D?????L????????B????"

USAGE = f"""
frobnicate                                                      | frobnicate
run R --frobnicate                                              | --frobnicate
tables frobnicate                                               | frobnicate
explain                                                         | facelets
run "R U Q"                                                     | Q 5
run "R Q2" --dry-run                                            | Q2 M E S
solve --cube 9                                                  | --cube
solve --to {CROSS} --scramble R --dry-run --objective qtm       | --objective
solve --to {CROSS} --scramble R --dry-run --method thistlethwaite | --method
solve --scramble R --facelets {SOLVED}                          | --scramble --facelets
solve --rig nowhere.toml --dry-run                              | nowhere.toml
solve --rig cubotin --scramble R --dry-run                      | six five cubotino
run R --rig nowhere/six --dry-run                               | nowhere/six
solve --profile none --virtual                                  | none
scan picture.png                                                | --face --frame
solve --wait --facelets {SOLVED}                                | --wait --facelets
solve --wait --resume --virtual                                 | --wait --resume
solve --resume --rgb a.jsonl                                    | --resume --rgb
solve --states a.txt --virtual --wait                           | --wait --virtual
solve --scramble R --order URFDLB                               | --order --facelets
solve --scramble R --dry-run --learn                            | --learn
solve --scramble R --dry-run --save here                        | --save
solve --method thistlethwaite --threads 2                       | --threads
solve --optimal --objective qtm --dry-run --scramble R          | --optimal qtm
solve --optimal --memory 100MB --dry-run --scramble R           | --memory 128MB
solve --optimal --wait --virtual                                | --wait --optimal
solve --optimal --centres U1 --virtual --dry-run                | --optimal --centres
solve --all --dry-run --scramble R                              | --all --optimal
solve --method thistlethwaite --budget-ms 9                     | --strict
solve --virtual --sound bell                                    | --sound --wait
solve --virtual --attract 3                                     | --attract --wait
calibrate colours --profile a/b --virtual                       | a/b
calibrate colours --profile con --virtual                       | con
calibrate colours --scheme white,pink --virtual                 | --scheme
calibrate colours --hand --turn 2                               | --turn
solve --scramble R --dry-run --scheme a                         | --scheme
explain {SOLVED} --scheme white,pink                            | --scheme
solve --virtual --seed -1                                       | --seed
bench solver --states 0                                         | --states
bench solver --threads 100000                                   | --threads
bench solver --budgets 1,inf                                    | --budgets
bench solver --budgets soon                                     | --budgets
bench rigs --rig four                                           | four-claws
learn layers --dry-run --pause nan                              | --pause
learn layers --scramble R --facelets {SOLVED}                   | --scramble --facelets
learn layers --example --dry-run                                | --example five-stages
learn five-stages --example --scramble R                        | --scramble
learn layers --picture lesson.png                               | .svg .html
compare --states 2 --jobs 100000                                | --jobs
compare --methods roux                                          | roux
compare --states 2 --s4                                         | --states --s4
compare --scramble "R Q"                                        | Q
compare --scramble R --methods layers --picture d.html          | 2 4 1
compare --scramble R --methods "" --picture d.html              | 2 4
solve --scramble R --dry-run --budget-ms inf                    | --budget-ms
history --json --csv                                            | --json --csv
copy --facelets x --photos y                                    | --photos --facelets
copy --facelets x --any-order --virtual                         | --any-order --photos --rgb --hand
copy --facelets x --dry-run --no-verify                         | --verify
copy --facelets x --seed 1                                      | --seed --virtual
copy --virtual --camera 0                                       | --camera --hand --virtual
copy --dry-run                                                  |
pattern superflop                                               | superflop superflip
pattern --virtual                                               | --virtual
pattern superflip --pictures x --virtual                        | --pictures --virtual
pattern superflip --dry-run --seed 3                            | --seed --virtual
pattern superflip --dry-run --no-verify                         | --verify
solve --to superflip --wait                                     | --wait --to
solve --to superflip --resume                                   | --resume --to
solve --to superflip --states x.txt                             | --states --to
solve --to superflip --cube 2 --dry-run                         | "--cube 2" --to
solve --to superflip --centres --virtual                        | --to --centres
solve --to UUU --virtual                                        | UUU
scan --any-order                                                | --any-order
scan --cube 2                                                   | --cube
scan --rgb a --edit                                             | --edit
solve --any-order --dry-run --scramble R                        | --any-order
scan --cube 2 --rgb a --edit                                    | --edit
scan --cube 2 --rgb a --save look                               | --save
scan --cube 2 --photos a --any-order                            | --any-order
scan --cube 2 --rgb a --profile nope                            | --profile
scan --rgb a --save look                                        | --save
scan --face a.jpg --save look                                   | --save
scan --face a.jpg --profile nope                                | --profile
scan --photos a --view v.toml                                   | --view
scan --photos a --virtual                                       | --virtual
scan --virtual --hand                                           | --virtual
scan --virtual --camera 0                                       | --camera
scan --seed 3                                                   | --seed
scan --view v.toml                                              | --view
scan --classifier kmeans --any-order --photos .                 | --any-order
scan --classifier kmeans --hand                                 | --classifier
solve --hand --camera x.avi --objective time                    | htm qtm
solve --hand --camera x.avi --photos here                       | --photos
solve --hand --camera x.avi --virtual                           | --virtual
solve --hand --camera x.avi --wait                              | --wait
solve --hand --camera x.avi --rig cradle                        | --rig
buzz X --virtual                                                | X
buzz "" --virtual                                               | "''"
buzz U --angle 0 --virtual                                      | 0
buzz U --angle nan --virtual                                    | nan
buzz turn --rig cubotino --virtual                              | "turn the cube"
calibrate camera --virtual --yes --view v.toml                  | --state --point
calibrate camera --virtual --yes --view v.toml --point URF=1    | URF=1
calibrate camera --virtual --yes --view v.toml --point URF=nan,2 | URF=nan,2
calibrate camera --virtual --yes --view v.toml --point XYZ=1,2  | XYZ
calibrate camera --virtual --yes --view v.toml --corner XYZ     | XYZ
calibrate camera --virtual --yes --view v.toml --state {SUPERFLIP} --coupler-mm nan | --coupler-mm
calibrate camera --virtual --yes --view v.toml --state {SUPERFLIP} --number 7       | --number
calibrate motors --rig six --virtual                            | six "thistlebot init --rig six"
calibrate motors --rig cubotino --virtual                       | "thistlebot init --rig cubotino"
init --rig sixx                                                 | six five cubotino
replay                                                          | last --all
show last                                                       |
solve --resume                                                  |
puzzle cuboctahedron                                            | cuboctahedron
puzzle 0x2x2                                                    | 0x2x2
puzzle RUX                                                      | RUX
puzzle balls                                                    | --faces
puzzle 3x3x3 --state U                                          | U
puzzle 3x3x3 --to nowhere                                       | nowhere
puzzle pyraminx --scramble R --to U --solve backtracking        |
puzzle 2x2x2 --scramble L                                       | L
puzzle 4x4x4 --scramble M                                       | M
puzzle phi3 --scramble Q                                        | "U2 R2"
puzzle 2x2x2 --scramble R --random 3                            | --scramble --random
puzzle --random 4                                               | --random
puzzle --faces faces.off                                        | --faces
puzzle --seed 1                                                 | --seed
puzzle 2x2x2 --scramble R --limit 2                             | --limit
puzzle 2x2x2 --scramble R --solve words --limit 2               | --limit
puzzle 2x2x2 --scramble R --solve bidirectional --all           | --all backtracking
puzzle 2x2x2 --scramble "R U F" --solve backtracking --limit 1  | --limit
puzzle 3x3x3 --picture state.gif                                | .svg .html
word "R U Q'"                                                   | "Q'" 5 3×3×3
word "[R, U"                                                    | 1 ]
word "R U" --with F)                                            | F) 2
word R2U --puzzle 4x4x4                                         | R2U
word M --puzzle 4x4x4                                           | M 4×4×4
word (R)99999                                                   | 99999
lesson nothing                                                  | nothing
lesson theorem --answer "R Q"                                   | "R Q"
lesson theorem --answer 1 --answer 1 --answer 1 --answer 1      |
lesson sums --try Q                                             | Q
lesson theorem --virtual                                        | --virtual
lesson solids --turn --virtual                                  | solids
lesson --html page.html                                         | --html
lesson theorem --all                                            | --all
solve --virtual --facelets {SOLVED[:-1]}                        | 53
solve --virtual --facelets X{SOLVED[1:]}                        | U1 X
explain UU                                                      | 54 2
"""

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
puzzle balls --faces nowhere --random 9                         | nowhere
import nowhere.zip                                              | nowhere.zip
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
        result = thistlebot("explain", facelets, "--json")
        assert result.exit_code == ExitCode.UNSOLVABLE
        assert json.loads(result.stdout)["problems"]
    assert record("explain", SUPERFLIP)["orbit"] == 0


def test_a_refusal_is_an_error_record_too() -> None:
    for line in ("solve --cube 9", "learn nope", "frobnicate", "run R --frobnicate", "explain UU"):
        result = thistlebot(*line.split(), "--json")
        (printed,) = result.stdout.splitlines()
        error = json.loads(printed)["error"]
        assert error["exit_code"] == result.exit_code == ExitCode.USAGE
        assert error["type"]
        assert error["text"] in " ".join(result.stderr.replace("│", " ").split())
        assert thistlebot(*line.split()).stdout == ""
