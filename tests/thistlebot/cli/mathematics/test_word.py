"""The verb `word`, as a person and as a program read it."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from sympy.combinatorics import Permutation
from typer.testing import Result

from cube.pieces import CORNERS, EDGES
from run_thistlebot import finished, thistlebot
from thistlebot.exit_codes import ExitCode


def word(*args: str) -> Result:
    return thistlebot("word", *args)


def told(*args: str) -> dict[str, Any]:
    result = word(*args, "--json")
    assert result.exit_code == ExitCode.DONE, result.output
    return dict(json.loads(result.stdout))


def test_a_word_in_a_process_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "moves.svg"
    done = finished("word", "R U R' U'", "--picture", file)
    assert done.returncode == ExitCode.DONE, done.stderr
    for line in (
        "inverse   U R U' R'  (4)",
        "corners   (URF RDF ↺ RFU)(ULB RUB ↺ BUL)  even, order 6",
        "edges     (UR UB FR)  even, order 3",
        "order     6",
        "edges     = (UR UB)(UR FR)  (swaps)",
        "  M_S     +1   0    -1   0    0    0    0    0",
        "  angle   240° 0°   240° 0°   240° 0°   0°   0°",
    ):
        assert line in done.stdout.splitlines()
    assert ET.parse(file).getroot().tag.endswith("svg")


def test_the_most_famous_orders() -> None:
    """Known since Singmaster's Notes: R U has order 105, R U2 D' B D' the greatest, 1260."""
    assert told("R U")["order"] == 105
    assert told("R U2 D' B D'")["order"] == 1260
    assert told("(R U2 D' B D')1260")["order"] == 1
    assert told("[R, U]6")["order"] == 1
    assert told("M2 E2 S2")["order"] == 2


@pytest.mark.source("S3.3")
@pytest.mark.parametrize("text", ["R U F2 L' D B2", "R", "[R, U]", "U R2 F B R B2", "M2 U M2"])
def test_the_factors_multiply_to_what_the_cycles_do(text: str) -> None:
    record = told(text)
    places = {"corners": [*CORNERS], "edges": [*EDGES]}
    for kind, goes in zip(record["kinds"], ("corner_places", "edge_places"), strict=True):
        names = places[kind["name"]]
        wanted = Permutation([names.index(place) for place in record["s3"][goes]])
        assert kind["sign"] == wanted.signature()
        if wanted.is_Identity:
            continue
        left = [kind["swap_left"]] if kind["swap_left"] else []
        for factors in (kind["swaps"], kind["three_cycles"] + left):
            product = Permutation(len(names) - 1)
            for factor in factors:
                product *= Permutation([[names.index(p) for p in factor]], size=len(names))
            assert product == wanted


def test_the_position_is_told_twice() -> None:
    record = told("R")
    assert record["s1"]["edge_indices"].count(-1) == 4
    assert record["s3"]["edge_angles"] == [0] * 12
    assert record["s1"]["corners"] == record["s3"]["corner_places"]
    assert "s1" not in told("R", "--puzzle", "supercube")
    assert told("R2 U", "--puzzle", "phi3")["foreign"] == ["U"]


def test_two_words() -> None:
    record = told("R U", "--with", "F2")
    found = {each["formula"]: each for each in record["combined"]}
    assert record["with"]["order"] == 2
    assert not record["commute"]
    assert found["[A: B] = A B A'"]["order"] == 2
    assert found["[A, B] = A B A' B'"]["moves"] == "R U F2 U' R' F2"
    assert [kind["sign"] for kind in found["[A, B] = A B A' B'"]["kinds"]] == [1, 1]
    assert told("R", "--with", "L2")["commute"]
    shown = word("R", "--with", "L").output
    assert "A and B commute" in shown


def test_pieces_that_look_alike_come_back_earlier() -> None:
    result = word("R2 U2", "--puzzle", "three-colour")
    assert result.exit_code == ExitCode.DONE
    record = told("[2R, 2U]", "--puzzle", "4x4x4")
    assert record["order"] % record["order_seen"] == 0
    shown = word("R2 2U", "--puzzle", "4x4x4").output
    assert "sign      -  (odd: edges)" in shown
    assert word("A B'", "--puzzle", "megaminx").exit_code == ExitCode.DONE


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("R U Q'",), '"Q\'" at character 5 of "R U Q\'" is no move of 3×3×3'),
        (("[R, U",), "'[' at character 1 of '[R, U' is never closed; write ']'"),
        (("R U", "--with", "F)"), "')' at character 2 of 'F)' closes no bracket"),
        (("R2U", "--puzzle", "4x4x4"), "can be read in several ways; put blanks"),
        (("M", "--puzzle", "4x4x4"), "'M' at character 1 of 'M' is no move of 4×4×4"),
        (("R", "--puzzle", "nonsense"), "there is no puzzle named 'nonsense'"),
        (("(R)99999",), "makes this a word of 99999 moves"),
    ],
)
def test_mistakes_are_named_where_they_are(args: tuple[str, ...], said: str) -> None:
    done = finished("word", *args)
    assert done.returncode == ExitCode.USAGE
    assert said in " ".join(done.stderr.split())
    assert done.stdout == ""


def test_a_word_that_turns_the_whole_cube_says_so() -> None:
    assert "turns the cube as a whole" in " ".join(word("M U").output.split())
    assert not told("M U")["holds"]
    assert told("[M, U]")["holds"]
