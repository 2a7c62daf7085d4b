"""Every question of every worksheet takes the right answer and says why a wrong one is wrong.

The right numbers stand here once more, from the literature: the worksheets compute them.
"""

from typing import Any

import pytest

from thistlebot.words.words import LANGUAGES, catalogue, load_words
from thistlebot.worksheets.catalogue import all_worksheets, worksheet_named
from thistlebot.worksheets.sheet import sheet_of
from thistlebot.worksheets.worksheet import Kind, Result, Task, shown

# name: for each question (right answers, wrong answers)
ANSWERS: dict[str, list[tuple[list[str], list[str]]]] = {
    "theorem": [
        (
            ["(R' D' R D)2 U (D' R' D R)2 U'", "R' D' R D R' D' R D U (R' D' R D)4 U'"],
            ["R", "R U R' U'", "M2 U M U2 M' U M2", "R R'"],
        ),
        (["BDF", "b, d, f", "2 4 6", "в D F"], ["A", "B", "ABDF", "C", "E", "BD"]),
        (["1/12", "2/24"], ["12", "1/2", "1/3", "1/6", "1/4", "1/24", "0"]),
    ],
    "marks": [
        (["4"], ["0", "2", "8"]),
        (["0"], ["4", "1"]),
        (["R", "L'", "R U L", "M'"], ["F", "U", "R2", "F R"]),
    ],
    "sums": [
        (["720", "720°", "2·360"], ["0", "360", "480", "960"]),
        (["A D", "da"], ["A", "AB", "D E", "C", "F"]),
        (
            ["R U R' U' R' F R2 U' R' U' R U R' F'"],
            ["R", "R' F R' B2 R F' R' B2 R2", "R2 U2 R2 U2 R2 U2"],
        ),
    ],
    "chain": [
        (["2048", "2^11"], ["4096", "2^10", "1"]),
        (["663552", "96·4!^3/2", "663 552"], ["3981312", "4!^5", "96"]),
        (["ACE"], ["AC", "B", "D", "ABC"]),
    ],
    "equivalence": [
        (["F2 U' R'", "F F U' R'", "(R U F2)'"], ["R U F2", "R' U' F2", "F2 U' R"]),
        (["F2 U' R' F' D", "F2 (R U)' F' D"], ["F' D", "F2 U' R'"]),
        (["6"], ["2", "4", "7"]),
    ],
    "orbits": [
        (["12"], ["6", "11", "24"]),
        (["12"], ["6", "1", "13"]),
        (["A"], ["B", "C", "AC"]),
    ],
    "product": [
        (["17280", "4!·6!"], ["24", "720", "744", "4!+6", "40000"]),
        (["4"], ["1", "2", "12"]),
        (["4320", "4!*6!/4"], ["17280", "8640"]),
    ],
    "count": [
        (
            ["8!·3⁸·12!·2¹²", "519024039293878272000"],
            ["8!·3³·11!·2¹²", "43252003274489856000", "8!·12!", "8!·3⁷·12!·2¹²", "10^30"],
        ),
        (
            ["43 252 003 274 489 856 000", "8!·3⁷·12!·2¹⁰", "8!*3^8*12!*2^12/12", "8!·3⁸·11!·2¹²"],
            ["8!·3⁸·12!·2¹²", "8!·3⁷·12!·2¹¹", "1"],
        ),
        (["3674160", "7!·3⁶"], ["11022480", "8!·3⁷", "8!·3⁸", "5", "10^9"]),
    ],
    "graph": [
        (["5, 7", "7 5"], ["7", "1, 5, 7", "5, 6", "105"]),
        (["105"], ["35", "7", "15", "21", "210"]),
        (
            ["R U R' U' R U R' U'", "[R, U]2", "M2 U M U2 M' U M2", "(R U)35"],
            ["R U R' U'", "R", "R U", "R R'"],
        ),
    ],
    "cycles": [
        (["6"], ["7", "3", "8"]),
        (["3"], ["2", "6"]),
        (["M2 U M U2 M' U M2", "(M2 U M U2 M' U M2)'"], ["R", "R' F R' B2 R F' R' B2 R2", "M2"]),
    ],
    "sign": [
        (["6"], ["3", "2", "8"]),
        (["B C D"], ["A", "BC", "E", "F", "BCDF"]),
        (["20160", "8!/2"], ["40320", "1", "20161"]),
    ],
    "faces": [
        (["13", "6+7"], ["16", "18", "15", "8", "20"]),
        (["7063165992960", "519024039293878272000/73483200"], ["12", "1", "2", "10^20"]),
        (["12"], ["24", "1", "6", "100"]),
        (["768"], ["1536", "6144", "192"]),
    ],
    "arrows": [
        (["2048", "4^6/2"], ["4096", "64", "1", "5000"]),
        (
            ["(U R L U2 R' L')2", "(U R L U2 R' L')2 F F'"],
            ["R", "U2", "(R L' F2 B2 R L' U R L' F2 B2 R L' D')", "(F R L F2 R' L')2", "R R'"],
        ),
        (["6"], ["12", "2", "24"]),
    ],
    "boxes": [
        (
            ["406425600", "8!·8!/4"],
            ["8!·8!", "8!·8!/2", "8!·8!/8", "8!", "2", "8!·8!·2"],
        ),
        (["ABC"], ["C", "AB"]),
        (["1"], ["12", "2", "4", "3"]),
    ],
    "hypercube": [
        (["16, 24, 32"], ["24, 32", "8, 24, 32", "12, 8"]),
        (["48", "2^4·3"], ["12", "24", "96", "5"]),
        (["121"], ["20", "120", "122"]),
    ],
    "balls": [
        (["ACDE"], ["B", "ABCDE", "AC"]),
        (["2"], ["12", "4", "1", "3"]),
        (["4"], ["2", "1", "3", "12"]),
    ],
    "solids": [
        (["24"], ["12", "6", "48"]),
        (["3732480", "4!·3⁴·6!·2⁶/24"], ["89579520", "1", "10^8"]),
        (["[A, B]3", "A B A' B' A B A' B' A B A' B'"], ["A", "A B A' B'", "A A'"]),
    ],
    "mistake-repair": [
        (["10"], ["6", "3", "12", "9"]),
        (["CE"], ["A", "B", "D", "E", "ACE"]),
        (["U", "U'"], ["M2 B2 M2", "R", "U2"]),
    ],
    "mistake-bound": [
        (["C"], ["A", "B"]),
        (["48"], ["576", "96", "2"]),
    ],
    "mistake-23": [
        (
            ["U B' R2 D2 L' D' R' F' U' L2 B2 D2 R' U2 R' U2 F2 L' B2 L' F'"],
            [
                "R U",
                "U B' R2 D2 L' D' R' F' U' L2 B2 D2 R' U2 R' U2 F2 L' B2 L' F",
                "U B' R2 D2 L' D' R' F' U' L2 B2 D2 R' U2 R' U2 F2 L' B2 L' F' [R, U]6",
            ],
        ),
        (["18"], ["20", "17", "19"]),
        (["20"], ["23", "22", "18"]),
    ],
    "mistake-exponent": [
        (["8"], ["7", "3", "12"]),
        (["12", "12!/11!"], ["11", "24"]),
        (["243", "3^5"], ["2916", "5", "12", "1", "3000"]),
        (["B", "b"], ["A"]),
    ],
    "mistake-size": [
        (["19"], ["20", "30", "31", "18", "21"]),
        (["12"], ["11", "13"]),
    ],
    "mistake-back": [
        (["6"], ["4", "8"]),
        (["12"], ["24", "1"]),
        (["U D U' D'", "U2 D U2 D'"], ["D", "D D'", "U L U' L'", "R R'"]),
    ],
}


def task(name: str, number: int) -> Task:
    return worksheet_named(name).tasks[number]


def marked(name: str) -> Any:
    """A worksheet's name, with the statement of the sources that it teaches."""
    return pytest.param(name, marks=pytest.mark.source(worksheet_named(name).source))


@pytest.mark.parametrize("name", [marked(name) for name in ANSWERS])
def test_right_answers_are_right_and_wrong_ones_are_told_why(name: str) -> None:
    languages = [load_words(language) for language in LANGUAGES]
    mistaken: list[tuple[int, str, object]] = []
    for number, (right, wrong) in enumerate(ANSWERS[name]):
        asked = task(name, number)
        answer = shown(asked.answer(), load_words("en")).replace("`", "")
        for text, wanted in [
            *((text, Result.RIGHT) for text in (*right, answer)),  # as on the teacher's sheet, too
            *((text, Result.WRONG) for text in wrong),
            ("???", Result.UNREADABLE),
        ]:
            verdict = asked.check(text)
            if verdict.result is not wanted:
                mistaken.append((number, text, verdict.result))
            if verdict.result is Result.WRONG:
                why = [verdict.why.text(words) for words in languages]
                if len(set(why)) != len(LANGUAGES):
                    mistaken.append((number, text, why))
                secret = asked.kind in {Kind.NUMBER, Kind.WORD} and len(answer) > 2
                if secret and any(answer in each for each in why):
                    mistaken.append((number, text, "gives the answer away"))
    assert not mistaken


def test_every_question_is_in_the_table_and_written_in_every_language() -> None:
    incomplete = []
    for worksheet in all_worksheets():
        assert len(worksheet.tasks) == len(ANSWERS[worksheet.name]) >= 2
        assert all(any(right) and any(wrong) for right, wrong in ANSWERS[worksheet.name])
        for language in LANGUAGES:
            sheet = sheet_of(worksheet, load_words(language), solutions=True)
            assert sheet.trials
            assert all(trial.text and (trial.commands or trial.moves) for trial in sheet.trials)
            for asked in sheet.asked:
                texts = asked.text, asked.hint, asked.solution
                if not (all(texts) and asked.answer) or "{" in "".join(texts):
                    incomplete.append((worksheet.name, language, asked.text))
                if (asked.text + asked.solution).count("`") % 2:
                    incomplete.append((worksheet.name, language, asked.text))
    assert not incomplete


def test_the_lessons_are_those_that_were_asked_for() -> None:
    sources = [each.source for each in all_worksheets()]
    assert sources[:17] == ["S1", *(f"S3.{number}" for number in range(1, 17))]
    mistakes = [each.name for each in all_worksheets()[17:]]
    assert mistakes == [
        f"mistake-{name}" for name in ("repair", "bound", "23", "exponent", "size", "back")
    ]
    assert worksheet_named("s3.11").name == "faces"


def test_no_text_is_left_over() -> None:
    """Texts that no worksheet can show would only be translated."""
    used = set()
    for worksheet in all_worksheets():
        used |= {worksheet.title.key, worksheet.aim.key}
        used |= {each.key for each in worksheet.experiments}
        for asked in worksheet.tasks:
            used |= {asked.key, asked.hint.key, f"{asked.key}_why"}
            used |= {option.key for option in asked.options if not isinstance(option, str)}
    told = set()
    for name, questions in ANSWERS.items():
        for number, (_, wrong) in enumerate(questions):
            for text in wrong:
                told |= keys_of(task(name, number).check(text).why)
    texts = {key for key in catalogue() if key.startswith("lesson_")}
    assert texts - used - told == set()


def keys_of(said: object) -> set[str]:
    values = getattr(said, "values", {})
    key = getattr(said, "key", None)
    return ({key} if key else set()).union(*map(keys_of, values.values())) if key else set()
