"""Every verb by its command line: what it prints, its exit code, and nothing sent on bad input."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.facelets import SOLVED_FACELETS, Facelets
from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig_text
from run_thistlebot import thistlebot
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

SUPERFLIP = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
FLIPPED = "UUUUUUURUURRFRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"


def swapped(a: int, b: int) -> str:
    """The solved cube with two stickers exchanged."""
    text = list(SOLVED_FACELETS.text)
    text[a], text[b] = text[b], text[a]
    return "".join(text)


def photos(folder: Path, state: CubeState, seed: int = 0) -> Path:
    """Six rendered photos of a hand-held cube."""
    folder.mkdir()
    for face in "URFDLB":
        with VirtualCamera(lambda: state, hand_held_viewpoint(face), seed=seed) as camera:
            cv2.imwrite(str(folder / f"{face}.png"), camera.read().image)
    return folder


# Bad input: one clear message, the right exit code, nothing sent.

BAD_FACELETS = {
    "wrong length": (SOLVED_FACELETS.text[:-1], 2, "this text has 53"),
    "wrong letter": ("X" + SOLVED_FACELETS.text[1:], 2, "'X' at U1 (character 1) is no face"),
    "wrong counts": ("R" + SOLVED_FACELETS.text[1:], 4, "8 of U, 10 of R"),
    "impossible piece": (swapped(8, 9), 4, "a piece no cube has"),
    "twisted corner": (
        CubeState(tuple(range(8)), (1,) + (0,) * 7, tuple(range(12)), (0,) * 12).to_facelets().text,
        4,
        "corner URF is twisted",
    ),
    "flipped edge": (swapped(5, 10), 4, "edge UR is flipped"),
    "swapped edges": (
        CubeState(tuple(range(8)), (0,) * 8, (1, 0, *range(2, 12)), (0,) * 12).to_facelets().text,
        4,
        "UR and UF are swapped",
    ),
}


@pytest.mark.parametrize("name", BAD_FACELETS)
def test_bad_facelets(name: str) -> None:
    text, code, said = BAD_FACELETS[name]
    for verb in (("solve", "--virtual", "--facelets", text), ("explain", text)):
        result = thistlebot(*verb)
        assert result.exit_code == code
        assert said in " ".join(result.output.split())
        assert "turned" not in result.output


def test_errors_as_json() -> None:
    result = thistlebot("explain", "UU", "--json")
    error = json.loads(result.stdout)["error"]
    assert error["exit_code"] == result.exit_code == 2
    assert "54 stickers" in error["text"]


def test_a_damaged_rig_file_is_named_with_key_and_line(tmp_path: Path) -> None:
    text = default_rig_text()
    file = tmp_path / "rig.toml"
    file.write_text(text.replace("microsteps = 8", 'microsteps = "eight"', 1))
    line = next(i for i, row in enumerate(file.read_text().splitlines(), 1) if "eight" in row)
    result = thistlebot("run", "R", "--rig", file, "--dry-run")
    said = " ".join(result.output.split())
    assert result.exit_code == 2
    assert f"{line}" in said
    assert "microsteps" in said
    file.write_text(text.replace("microsteps = 8", "mikrosteps = 8", 1))
    result = thistlebot("run", "R", "--rig", file, "--dry-run")
    assert result.exit_code == 2
    assert "microsteps" in " ".join(result.output.split())


def test_a_damaged_profile_is_named(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text('name = "x"\ncreated = 3\n')
    result = thistlebot("solve", "--virtual", "--profile", file)
    said = " ".join(result.output.split())
    assert result.exit_code == 2
    assert "broken.toml" in said
    assert "created" in said


def test_damaged_tables_are_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    assert thistlebot("solve", "--scramble", "R", "--dry-run").exit_code == 0
    (tables,) = (tmp_path / "tables").glob("*.tables")
    data = bytearray(tables.read_bytes())
    data[len(data) // 2] ^= 0xFF
    tables.write_bytes(data)
    result = thistlebot("solve", "--scramble", "R", "--dry-run")
    assert result.exit_code == 0
    assert "moves R'" in " ".join(result.stdout.split())
    assert "built anew" in " ".join(result.stderr.split())


# Photos.


def test_photos_to_moves(tmp_path: Path) -> None:
    state = random_state(np.random.default_rng(11))
    folder = photos(tmp_path / "photos", state)
    result = thistlebot("solve", "--photos", folder, "--dry-run", "-v")
    assert result.exit_code == 0, result.output
    assert state.to_facelets().text in result.stdout
    assert "G0>G1" in result.stdout
    assert "STEP number=1 " in result.stdout
    record = json.loads(thistlebot("solve", "--photos", folder, "--dry-run", "--json").stdout)
    assert state.apply(MoveSequence.parse(record["moves"])) == SOLVED
    assert record["htm"] <= 45


def test_a_folder_with_a_face_missing_unreadable_or_without_a_cube(tmp_path: Path) -> None:
    folder = photos(tmp_path / "photos", SOLVED)
    kept = (folder / "R.png").read_bytes()
    (folder / "R.png").unlink()
    solve = ("solve", "--virtual", "--photos", folder)
    missing = thistlebot(*solve)
    (folder / "R.png").write_bytes(kept[:50])
    unreadable = thistlebot(*solve)
    cv2.imwrite(str(folder / "R.png"), np.full((480, 640, 3), 90, np.uint8))
    empty = thistlebot(*solve)
    for result, code in ((missing, 5), (unreadable, 5), (empty, 3)):
        assert result.exit_code == code, result.output
        assert "R" in result.stderr
        assert "turned" not in result.stdout
    assert "R.png" in " ".join(unreadable.stderr.split())
    assert "R.png" in " ".join(empty.stderr.split())


# Good input.


def test_explain() -> None:
    result = thistlebot("explain", SUPERFLIP)
    assert result.exit_code == 0
    assert "orbit 0 of 0 to 11" in " ".join(result.stdout.split())
    record = json.loads(thistlebot("explain", swapped(5, 10), "--json").stdout)
    assert record["orbit"] == 2
    assert record["problems"][0]["law"] == "edge-flip"


def test_solve_virtual_as_json() -> None:
    result = thistlebot("solve", "--virtual", "--facelets", SUPERFLIP, "--json")
    record = json.loads(result.stdout)
    assert result.exit_code == 0
    assert record["verified"] is True
    assert record["facelets"] == SUPERFLIP
    state = CubeState.from_facelets(Facelets(SUPERFLIP))
    assert state.apply(MoveSequence.parse(record["moves"])) == SOLVED
    joined = " ".join(stage["moves"] for stage in record["stages"] if stage["moves"])
    assert MoveSequence.parse(joined) == MoveSequence.parse(record["moves"])


def test_the_five_stages_of_s2() -> None:
    args = ("solve", "--scramble", "R U F2 L D B", "--dry-run", "--five-stages")
    names = [stage["name"] for stage in json.loads(thistlebot(*args, "--json").stdout)["stages"]]
    assert len(names) == 5
    assert all(name in thistlebot(*args).stdout for name in names)


def test_states_file(tmp_path: Path) -> None:
    file = tmp_path / "states.txt"
    file.write_text(f"{SUPERFLIP}\n{SOLVED_FACELETS.text}\n{swapped(5, 10)}\n")
    result = thistlebot("solve", "--states", file, "--json")
    superflip, solved, flipped = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 4
    five = thistlebot("solve", "--states", file, "--five-stages", "--json").stdout
    assert len(json.loads(five.splitlines()[0])["stages"]) == 5
    assert superflip["htm"] > 0
    assert (solved["moves"], solved["htm"], solved["time_s"]) == ("", 0, 0.0)
    assert flipped["exit_code"] == 4


def test_rgb_file(tmp_path: Path) -> None:
    colours = {"U": (230, 230, 225), "R": (190, 25, 45), "F": (10, 150, 70)}
    colours |= {"D": (240, 205, 10), "L": (250, 110, 20), "B": (10, 70, 170)}
    state = random_state(np.random.default_rng(3))
    rgb = [list(colours[letter]) for letter in state.to_facelets().text]
    file = tmp_path / "scans.jsonl"
    file.write_text(json.dumps({"rgb": rgb}) + "\n" + json.dumps({"rgb": [None, *rgb[1:]]}) + "\n")
    result = thistlebot("scan", "--rgb", file, "--json")
    assert result.exit_code == 0
    for line in result.stdout.splitlines():
        record = json.loads(line)
        assert record["accepted"] is True
        assert record["facelets"] == record["best"] == state.to_facelets().text
    file.write_text('{"rgb": [[1, 2, 3]]}\n')
    assert thistlebot("scan", "--rgb", file, "--json").exit_code == 2


def test_scan_virtual_saves_pictures(tmp_path: Path) -> None:
    result = thistlebot("scan", "--virtual", "--save", tmp_path / "out", "--json")
    record = json.loads(result.stdout)
    assert record["facelets"] == SOLVED_FACELETS.text
    assert len(record["stickers"]) == 54
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["scan-1.png", "scan-2.png"]


def test_calibrate_and_use_the_profile(tmp_path: Path) -> None:
    file = tmp_path / "config" / "profiles" / "stage.toml"
    args = ("--virtual", "--seed", "5", "--output", file)
    made = thistlebot("calibrate", "colours", "--profile", "stage", *args)
    assert made.exit_code == 0, made.output
    assert file.is_file()
    used = thistlebot("solve", "--virtual", "--profile", "stage", "--seed", "5", "--json")
    assert json.loads(used.stdout)["verified"] is True


def test_run_and_scramble(tmp_path: Path) -> None:
    record = json.loads(thistlebot("run", "R L U2", "--virtual", "--json").stdout)
    assert (record["htm"], record["axial_htm"], record["executed"]) == (3, 2, True)
    first, again = (
        json.loads(thistlebot("scramble", "--dry-run", "--seed", "4", "--json").stdout)
        for _ in range(2)
    )
    assert first == again
    assert first["htm"] > 10


def test_demo(tmp_path: Path) -> None:
    result = thistlebot("demo", "--pictures", tmp_path / "pictures", "--seed", "1")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines].count("turned") == 2, "the scramble, and the solve"
    assert lines.index(next(line for line in lines if line.startswith("stages"))) < lines.index(
        next(line for line in lines if line.startswith("moves"))
    )
    assert "verified" in result.stdout
    assert len(list((tmp_path / "pictures").glob("*.png"))) == 4


def test_doctor_on_the_virtual_machine() -> None:
    result = thistlebot("doctor", "--virtual", "--json")
    findings = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert {finding["health"] for finding in findings} == {"good"}
    assert {"rig", "solver", "board", "cameras"} <= {finding["subject"] for finding in findings}


def test_help_teaches() -> None:
    result = thistlebot("--help")
    assert "thistlebot demo" in result.output
    for verb in ("solve", "scan", "explain", "run", "scramble", "calibrate", "ports", "doctor"):
        assert verb in result.output
        assert thistlebot(verb, "--help").exit_code == 0


def test_nothing_is_virtual_unless_it_is_wanted(tmp_path: Path) -> None:
    missing = tmp_path / "ttyNOWHERE"
    result = thistlebot("solve", "--scramble", "R", "--port", missing)
    assert result.exit_code == 5
    assert str(missing) in "".join(result.stderr.split())
