"""The verb `school puzzle`: what turns cannot change, and ways from one state to another."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from cubes import TWISTED
from translated import english_in_russian, english_left
from typer.testing import Result

from puzzles.kinds.catalogue import CATALOGUE, puzzle_named
from puzzles.kinds.puzzle import turned
from run_thistlebot import thistlebot
from thistlebot.exit_codes import ExitCode


def puzzle(*args: str) -> Result:
    return thistlebot("school", "puzzle", *args)


def test_the_list_names_what_can_be_typed() -> None:
    listed = [line.split("  ")[0] for line in puzzle().output.splitlines()]
    assert len(listed) == len(CATALOGUE)
    for name in ("megaminx", "Domino", "RUF", "<R, U>", "2×2×2"):
        assert puzzle(name).exit_code == ExitCode.DONE


def test_balls_lie_on_any_polyhedron(tmp_path: Path) -> None:
    prism = tmp_path / "prism.txt"
    prism.write_text("0 1 2\n3 4 5\n0 1 4 3\n1 2 5 4\n2 0 3 5\n", encoding="utf-8")
    drawing = tmp_path / "prism.svg"
    args = ("balls", "--faces", str(prism), "--random", "9", "--to", "solved")
    result = puzzle(*args, "--picture", str(drawing))
    assert result.exit_code == ExitCode.DONE, result.output
    assert ET.parse(drawing).getroot().tag.endswith("svg")
    assert puzzle("3x3x3", "--faces", str(prism)).exit_code == ExitCode.USAGE
    prism.write_text("0 1 2\n0 1 3\n", encoding="utf-8")
    assert puzzle(*args).exit_code == ExitCode.USAGE


def test_a_search_tells_a_low_limit_from_another_orbit() -> None:
    search = ("--solve", "bidirectional", "--limit", "1", "--json")
    result = puzzle("2x2x2", "--scramble", "R U F", *search)
    assert result.exit_code == ExitCode.USAGE
    record = json.loads(result.stdout)
    assert (record["moves"], record["differences"]) == (None, [])
    result = puzzle("3x3x3", "--state", TWISTED.to_facelets().text, *search)
    assert result.exit_code == ExitCode.UNSOLVABLE
    assert json.loads(result.stdout)["differences"][0]["invariant"] == "twists of the corners"


def test_what_is_known_of_the_cube_is_told() -> None:
    record = json.loads(puzzle("3x3x3", "--json").stdout)
    assert (record["orbits"], record["states_per_orbit"]) == ("12", "43252003274489856000")
    assert [invariant["values"] for invariant in record["invariants"]] == ["2", "2", "3"]


def test_half_turns_say_why_they_cannot_undo_a_quarter_turn() -> None:
    result = puzzle("phi3", "--scramble", "R U")
    assert result.exit_code == ExitCode.UNSOLVABLE
    text = " ".join(result.output.split())
    assert all(part in text for part in ("Φ3", "δ", "U R F"))
    record = json.loads(puzzle("phi3", "--scramble", "R U", "--json").stdout)
    assert record["scramble"] == "R U"
    differences = {each["invariant"]: each for each in record["differences"]}
    assert differences["orientation of each of the edges"]["from"] == "UR DR FR BR"
    assert all(each["from"] != each["to"] for each in record["differences"])


def test_slices_are_moves_of_cubes() -> None:
    """Seen from the centres where these stand still; of the cube whose slices turn they move."""
    for name in ("3x3x3", "supercube", "three-colour"):
        made = json.loads(puzzle(name, "--scramble", "M U'", "--json").stdout)
        assert made["scramble"] == "R L' B'"
    record = json.loads(puzzle("3x3x3-slices", "--scramble", "M", "--json").stdout)
    assert record["scramble"] == "2R'"
    assert record["state"][:9] == "UBU" * 3  # B's centre comes up, as L turns
    assert puzzle("3x3x3-slices", "--scramble", "M E2 S'", "--to", "M E2 S'").exit_code == 0


def test_all_longer_solutions_with_the_nets_around_them() -> None:
    search = ("2x2x2", "--scramble", "R U", "--solve", "backtracking", "--limit", "6", "--all")
    record = json.loads(puzzle(*search, "--json").stdout)
    assert record["failed"] == len(record["failed_paths"]) > 0
    box = puzzle_named("2x2x2")
    assert record["moves"] == record["solutions"][0] == "U' R'"
    lengths = [len(way.split()) for way in record["solutions"]]
    assert lengths == sorted(lengths)
    assert lengths[-1] > lengths[0]
    for way in record["solutions"]:
        assert box.is_solved(turned(box, box.parse(record["state"]), way))
    ways = [way.split() for way in record["solutions"]]
    for path in record["failed_paths"]:
        made = path["moves"].split()
        assert not any(w[: len(made)] == made and len(w) - len(made) == path["left"] for w in ways)
    solved = box.code(box.solved)
    assert record["nets"] == {"before": solved, "between": record["state"], "after": solved}
    lines = puzzle(*search).output.splitlines()
    assert [line.split() for line in lines].count(["before", "between", "after"]) == 1
    assert sum(line.split()[1:] == ["U'", "R'"] for line in lines) == 1


def test_without_moves_there_is_no_net_before() -> None:
    state = json.loads(puzzle("2x2x2", "--scramble", "R", "--json").stdout)["state"]
    search = ("--solve", "backtracking", "--limit", "1", "--all")
    record = json.loads(puzzle("2x2x2", "--state", state, *search, "--json").stdout)
    assert list(record["nets"]) == ["between", "after"]


def test_every_end_of_a_search_has_a_page(tmp_path: Path) -> None:
    """A way, none, and a state that was only made; what is printed stays the same."""
    file = tmp_path / "way.html"
    for args, data in (
        (("phi3", "--scramble", "R U"), "δ"),
        (("3x3x3", "--reassemble", "--seed", "2", "--to", "solved"), "3×3×3"),
        (("2x2x2", "--scramble", "R", "--solve", "backtracking", "--limit", "0"), "2×2×2"),
        (("balls-cube", "--random", "3", "--seed", "1"), "balls-cube"),
        (("megaminx", "--random", "3", "--seed", "1", "--solve", "auto"), "<!DOCTYPE"),
        (("RU", "--to", "U"), "U"),
    ):
        with_picture, without = puzzle(*args, "--picture", str(file)), puzzle(*args)
        assert with_picture.exit_code == without.exit_code
        assert with_picture.stdout == without.stdout
        assert data in file.read_text(encoding="utf-8")
        file.unlink()


def test_a_state_alone_is_drawn_and_so_it_is_where_the_way_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("teaching.cli.puzzle_files.MOST_TURNS", 1)
    for name, *way in (("3x3x3",), ("RU", "--to", "solved")):
        file, chosen = tmp_path / f"{name}.svg", puzzle_named(name)
        result = puzzle(name, "--scramble", "R U", *way, "--picture", str(file))
        assert (result.exit_code, " 2 " in result.stderr) == (ExitCode.DONE, bool(way))
        drawn = chosen.drawn(turned(chosen, chosen.solved, "R U")).svg()
        assert file.read_text(encoding="utf-8") == drawn


def test_in_another_language_no_english_is_left(tmp_path: Path) -> None:
    """Of the table of words, nor in a film; the records for programs stay as they are."""
    film, tables = tmp_path / "film.html", ("puzzle", "phrase", "lesson.kind", "learn.far", "word")
    for command in (
        (),
        ("phi3", "--scramble", "R U"),
        ("R2U2", "--scramble", "R2"),
        ("supercube",),
        ("RU", "--scramble", "R U", "--to", "U R"),
        ("2x2x2", "--scramble", "R U", "--solve", "backtracking", "--all", "--limit", "4"),
    ):
        names = " ".join(each.name for each in CATALOGUE)
        assert english_left("school", "puzzle", *command, tables=tables, names=names) == []
    told = ("--scramble", "R U", "--picture", film, "--language", "ru")
    thistlebot("school", "puzzle", "phi3", *told)
    assert english_in_russian(film, ("film", "puzzle", "phrase")) == set()
