"""`solve --hand`: six faces before a webcam, here a recorded video, and the moves to do."""

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from cubes import cube
from hand_video import OTHER, record
from sitting import sitting
from typer.testing import Result

from cube.moves import FACES, MoveSequence
from cube.net import WESTERN_SCHEME, text_net
from cube.pocket import PocketState, rotations
from cube.state import SOLVED
from run_thistlebot import record as told_by
from run_thistlebot import thistlebot
from thistlebot.exit_codes import ExitCode
from vision.live.capture import CAPTURE_ORDER

STATE = cube(33)
LETTERS = STATE.to_facelets().text
# No tables have to be built for it.
QUICK = ("--method", "thistlethwaite")
Film = Callable[..., Path]


def solve(file: object, *options: object) -> Result:
    return thistlebot("solve", "--hand", "--camera", file, *options)


def hand(file: object, *options: object) -> dict:
    return told_by("solve", "--hand", "--camera", file, *options)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """Films of the cube, each made once; what is asked for is as of `hand_video.record`."""
    folder, made = tmp_path_factory.mktemp("films"), dict[str, Path]()

    def filmed(faces: str = CAPTURE_ORDER, **options: object) -> Path:
        key = f"{faces} {options}"
        if key not in made:
            made[key] = folder / f"{len(made)}.avi"
            record(made[key], STATE, faces, **options)
        return made[key]

    return filmed


def test_six_faces_become_moves_in_one_command(
    film: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rig that is described does not matter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rig.toml").write_text("this is no rig")
    told = hand(film(), "--dry-run")
    assert told["facelets"] == LETTERS
    assert len(told_by("history", "show", "last", "--pictures", tmp_path / "seen")["pictures"]) >= 6
    assert STATE.apply(MoveSequence.parse(told["moves"])) == SOLVED
    assert (told["scheme"]["U"], told["scheme"]["F"]) == ("white", "green")
    assert "time_s" not in told


def test_colours_that_are_told_name_the_faces(film: Film) -> None:
    """How the cube is held for them is told by tests/thistlebot/terminal."""
    told = ("--scheme", ",".join(OTHER.values()))
    assert told_by("scan", "--camera", film(scheme=OTHER), *told)["facelets"] == LETTERS


@pytest.mark.exhaustive
def test_a_pocket_cube_whichever_way_it_is_turned(film: Film) -> None:
    corners = "".join(LETTERS[9 * i + cell] for i in range(6) for cell in (0, 2, 6, 8))
    letters = dict(zip("URFDLB", "wrgyob", strict=True))
    seen = "".join(letters[corners[4 * FACES.index(f) + k]] for f in "ULFRBD" for k in range(4))
    told = hand(film("FLLBRUD", pocket=True), "--cube", "2")
    assert told["facelets"] == seen
    moves = MoveSequence.parse(told["moves"])
    assert PocketState.parse(told["facelets"]).apply(moves) in rotations()


def test_the_wrong_size_and_a_recording_that_ends_early(film: Film) -> None:
    wrong = solve(film(), "--cube", "2")
    assert wrong.exit_code == ExitCode.USAGE
    assert "--cube 2" in " ".join(wrong.stderr.split())
    early = film(CAPTURE_ORDER[:1])
    result = solve(early)
    assert result.exit_code == ExitCode.MISREAD
    told = result.stderr.split("missing:")[-1]
    found = {colour for colour in WESTERN_SCHEME.values() if colour in told}
    assert found == {*WESTERN_SCHEME.values()} - {"green"}
    assert str(early) in result.stderr.replace("\n", "")
    assert "moves" not in result.stdout


def test_without_a_rig_it_is_offered_and_the_moves_are_stepped_through(film: Film) -> None:
    with sitting("solve", "--camera", film(), *QUICK) as person:
        person.wait_for(r"\[Y/n\]")
        person.type("\n")
        person.wait_for("HTM.* q: ")
        (moves,) = re.findall(r"^moves     (.+?)\s*$", person.seen, re.MULTILINE)
        state = STATE
        for number, move in enumerate(moves.split()[:2], start=1):
            person.type(" ")
            state = state.apply(MoveSequence.parse(move))
            person.wait_for(" ".join(text_net(state.to_facelets().text).split()))
            assert re.search(rf"\b{number} \w+ {len(moves.split())}  {move}: ", person.seen)
        person.process.send_signal(signal.SIGINT)
        assert person.leave() == ExitCode.STOPPED


@pytest.mark.exhaustive
def test_the_offer_may_be_declined(film: Film) -> None:
    with sitting("solve", "--camera", film()) as person:
        person.wait_for(r"\[Y/n\]")
        person.type("n\n")
        assert person.leave() == ExitCode.NO_DEVICE
    assert "thistlebot solve --hand" in " ".join(person.seen.split())
