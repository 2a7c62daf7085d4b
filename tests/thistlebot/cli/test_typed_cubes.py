"""Every way to type a cube: each form is read as it is meant, or refused with a remedy."""

import re
from pathlib import Path

import pytest
from written_cubes import CUBE, DIGITS, READ, S4, WESTERN, pattern, rotated, written

import thistlebot as library
from cube.moves import FACES
from run_thistlebot import Refusal, not_refused, record, records, thistlebot
from thistlebot.config import Folders
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.one_run import one_run
from thistlebot.session.target import Target

YELLOW_UP = written(CUBE, "ULFRBD", S4.lower())
SPOTS = written(pattern("six spots"), alphabet=WESTERN)
"""Fits several orders."""
SOLVE = ("solve", "--dry-run", "--budget-ms", 1)


def test_a_form_of_each_kind_is_explained_and_parsed_as_the_cube_that_it_shows() -> None:
    """All forms are read or refused in tests/cube/written; codes are in test_refusals.py."""
    kinds = {(form.order is None, form.found == FACES, bool(form.up)): form for form in READ}
    assert len(kinds) >= 6
    for form in kinds.values():
        order = ("--order", form.order) if form.order else ()
        told = record("school", "explain", form.text, *order)
        python, target = (read(form.text, form.order) for read in (library.Cube.parse, Target.of))
        assert told["facelets"] == python.facelets == target.facelets.text == CUBE.text, form
        assert told["order"] == form.found, form
        scheme = told["scheme"] or {}
        assert dict(python.scheme) == dict(target.scheme) == scheme, form
        assert (scheme.get("U", ""), scheme.get("F", "")) == (form.up, form.front), form


@pytest.mark.parametrize(
    ("given", "hold"),
    [(YELLOW_UP, ("yellow", "red")), (written(CUBE, alphabet=DIGITS), ("`1`", "`3`"))],
)
def test_the_cube_is_held_as_typed(given: str, hold: tuple[str, str]) -> None:
    for command in (
        (*SOLVE, "--facelets", given),
        (*SOLVE, "--scramble", "", "--to", given),
    ):
        result = thistlebot(*command)
        assert result.exit_code == 0, result.output
        (line,) = (line for line in result.output.splitlines() if line.startswith("hold"))
        assert all(name in line for name in hold), (command, line)


def test_each_command_that_takes_a_cube_finds_its_order_or_takes_it() -> None:
    wrong = []
    for command, facelets in (
        ((*SOLVE, "--facelets"), lambda told: told["facelets"]),
        (("school", "learn", "layers", "--dry-run", "--facelets"), lambda told: told["facelets"]),
        (("school", "compare", "--methods", "layers", "--facelets"), None),
        ((*SOLVE, "--scramble", "", "--to"), lambda told: told["target"]),
    ):
        for text, order in ((YELLOW_UP, ()), (written(CUBE, "FBUDLR", WESTERN), ("FBUDLR",))):
            told = records(*command, text, *(("--order", *order) if order else ()))
            found = facelets(told[-1]) if facelets else told[0]["facelets"]
            if found != CUBE.text:
                wrong.append((command, text, found))
        if row := not_refused([Refusal((*command, SPOTS), ExitCode.USAGE, ("--order",))]):
            wrong.append((command, SPOTS, str(row)))
    assert not wrong


def test_rotated_faces_need_consent() -> None:
    text = rotated(CUBE, "F").text
    assert (
        not_refused(
            [
                Refusal((*SOLVE, "--facelets", text), ExitCode.UNSOLVABLE, ("--any-orientation",)),
                Refusal((*SOLVE, "--scramble", "R", "--any-orientation"), data=("--any-order",)),
                Refusal((*SOLVE, "--scramble", "", "--to", text), ExitCode.UNSOLVABLE),
            ]
        )
        == []
    )
    assert record(*SOLVE, "--facelets", text, "--any-orientation")["facelets"] == CUBE.text
    assert thistlebot("school", "explain", text).exit_code == ExitCode.UNSOLVABLE


def test_an_order_that_nobody_uses_is_proposed() -> None:
    command = (*SOLVE, "--facelets", written(CUBE, "FBUDLR", WESTERN))
    assert not_refused([Refusal(command, ExitCode.UNSOLVABLE, ("--order FBUDLR",))]) == []


def test_a_scheme_that_contradicts_the_typed_colours_is_refused() -> None:
    usual = "white,red,green,yellow,orange,blue"
    given = ("--facelets", YELLOW_UP, "--scheme")
    assert not_refused([Refusal((*SOLVE, *given, usual), data=("--scheme", "yellow"))]) == []
    same = "yellow,green,red,white,blue,orange"
    assert record(*SOLVE, *given, same)["scheme"]["U"] == "yellow"


def test_drawings_have_the_typed_colours(tmp_path: Path) -> None:
    shown = library.Cube.parse(YELLOW_UP)._repr_svg_()
    usual = library.Cube.parse(CUBE.text)._repr_svg_()
    squares = ((_fills(shown)[i], _fills(usual)[i]) for i in range(54))
    assert len(set(squares)) == 6
    assert shown != usual
    record(*SOLVE, "--facelets", YELLOW_UP)
    assert one_run(Folders.of_platform(), "last").scheme["U"] == "yellow"
    digits = written(CUBE, alphabet=DIGITS)
    film = tmp_path / "film.html"
    records("school", "learn", "layers", "--dry-run", "--facelets", digits, "--picture", film)
    assert "`1`" in film.read_text()


def _fills(picture: str) -> list[str]:
    return re.findall(r'polygon [^>]*fill="(#[^"]*)"', picture)


@pytest.mark.parametrize("content", [b"", b" \n\n", b"U" * 2_000_000, b"\xff"])
def test_a_file_without_states_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "states.txt"
    file.write_bytes(content)
    assert thistlebot("solve", "--states", file).exit_code in (2, 5)
