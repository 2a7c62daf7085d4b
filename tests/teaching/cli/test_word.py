"""The verb `school word`, as a person and as a program read it."""

from translated import english_left

from run_thistlebot import record, thistlebot


def told(*args: str) -> dict:
    return record("school", "word", *args)


def test_a_word_as_text() -> None:
    lines = thistlebot("school", "word", "R U R' U'").stdout.splitlines()
    for line in (
        "inverse   U R U' R'  (4)",
        "corners   (URF RDF ↺ RFU)(ULB RUB ↺ BUL)  even, order 6",
        "edges     (UR UB FR)  even, order 3",
        "order     6",
        "  M_S     +1   0    -1   0    0    0    0    0",
        "  angle   240° 0°   240° 0°   240° 0°   0°   0°",
    ):
        assert line in lines
    assert any("(UR UB)(UR FR)" in line for line in lines)
    odd = thistlebot("school", "word", "R2 2U", "--puzzle", "4x4x4").stdout
    assert any(line.startswith("sign      -") and "edges" in line for line in odd.splitlines())


def test_orders_of_words() -> None:
    """Known since Singmaster's Notes: R U has order 105, R U2 D' B D' the greatest, 1260."""
    orders = {
        "R U": 105,
        "R U2 D' B D'": 1260,
        "(R U2 D' B D')1260": 1,
        "[R, U]6": 1,
        "M2 E2 S2": 2,
    }
    assert {word: told(word)["order"] for word in orders} == orders
    seen = told("[2R, 2U]", "--puzzle", "4x4x4")  # pieces that look alike come back earlier
    assert seen["order"] % seen["order_seen"] == 0
    assert told("A B'", "--puzzle", "megaminx")["order"] > 1
    assert told("R2 U2", "--puzzle", "three-colour")["order"] > 1


def test_the_position_is_told_twice() -> None:
    found = told("R")
    assert found["s1"]["edge_indices"].count(-1) == 4
    assert found["s3"]["edge_angles"].count(180) == 4
    assert found["s1"]["corners"] == found["s3"]["corner_places"]
    assert "s1" not in told("R", "--puzzle", "supercube")
    assert told("R2 U", "--puzzle", "phi3")["foreign"] == ["U"]
    assert (told("M U")["holds"], told("[M, U]")["holds"]) == (False, True)


def test_two_words() -> None:
    found = told("R U", "--with", "F2")
    combined = {each["formula"]: each for each in found["combined"]}
    assert found["with"]["order"] == 2
    assert not found["commute"]
    assert combined["[A: B] = A B A'"]["order"] == 2
    assert combined["[A, B] = A B A' B'"]["moves"] == "R U F2 U' R' F2"
    assert [kind["sign"] for kind in combined["[A, B] = A B A' B'"]["kinds"]] == [1, 1]
    assert told("R", "--with", "L2")["commute"]


def test_in_another_language_no_english_is_left() -> None:
    """Of the table of words; the record for programs stays as it is."""
    for command in (
        ("school", "word", "R M", "--with", "F2 U"),
        ("school", "word", "[2R, 2U]", "--puzzle", "4x4x4"),
        ("school", "word", "R2 U", "--puzzle", "phi3"),
    ):
        assert english_left(*command, tables=("word", "lesson.kind")) == []
