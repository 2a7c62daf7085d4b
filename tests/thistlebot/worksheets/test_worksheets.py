"""Every question of every worksheet takes the right answer and says why a wrong one is wrong.

The right numbers stand here once more, from the literature: the worksheets compute them.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from thistlebot.words.words import LANGUAGES, catalogue, load_words
from thistlebot.worksheets.catalogue import all_worksheets, worksheet_named
from thistlebot.worksheets.sheet import sheet_of
from thistlebot.worksheets.worksheet import Kind, Result, Task, Worksheet, shown

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
}


def cases(index: int) -> list[Any]:
    return list(_cases(index))


def _cases(index: int) -> Iterator[Any]:
    for name, questions in ANSWERS.items():
        for number, both in enumerate(questions):
            for text in both[index]:
                yield pytest.param(name, number, text, id=f"{name}-{number + 1}-{text}")


def task(name: str, number: int) -> Task:
    return worksheet_named(name).tasks[number]


@pytest.mark.parametrize(("name", "number", "text"), cases(0))
def test_right_answers_are_right(name: str, number: int, text: str) -> None:
    verdict = task(name, number).check(text)
    assert verdict.result is Result.RIGHT, verdict.why.text(load_words("en"))


@pytest.mark.parametrize(("name", "number", "text"), cases(1))
def test_wrong_answers_are_told_why_they_are_wrong(name: str, number: int, text: str) -> None:
    asked = task(name, number)
    verdict = asked.check(text)
    assert verdict.result is Result.WRONG
    why = {language: verdict.why.text(load_words(language)) for language in LANGUAGES}
    assert len(set(why.values())) == len(LANGUAGES)
    right = shown(asked.answer(), load_words("en")).replace("`", "")
    if asked.kind in {Kind.NUMBER, Kind.WORD} and len(right) > 2:
        assert not any(right in text for text in why.values())


@pytest.mark.parametrize("worksheet", all_worksheets(), ids=lambda each: each.name)
def test_the_answer_of_the_teachers_sheet_is_taken(worksheet: Worksheet) -> None:
    for asked in worksheet.tasks:
        answer = shown(asked.answer(), load_words("en")).replace("`", "")
        assert asked.check(answer).right
        assert asked.check("???").result is Result.UNREADABLE


def test_every_question_of_every_worksheet_is_in_the_table() -> None:
    for worksheet in all_worksheets():
        assert len(worksheet.tasks) == len(ANSWERS[worksheet.name]) >= 2
        for right, wrong in ANSWERS[worksheet.name]:
            assert any(right)
            assert any(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_worksheet_is_there_in_every_language(language: str) -> None:
    words = load_words(language)
    for worksheet in all_worksheets():
        sheet = sheet_of(worksheet, words, solutions=True)
        assert sheet.trials
        assert all(trial.text and (trial.commands or trial.moves) for trial in sheet.trials)
        for asked in sheet.asked:
            assert asked.text
            assert asked.hint
            assert asked.solution
            assert asked.answer
            assert "{" not in asked.solution + asked.text + asked.hint
            assert (asked.text.count("`") + asked.solution.count("`")) % 2 == 0


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
