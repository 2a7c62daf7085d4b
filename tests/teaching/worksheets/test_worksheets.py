"""Every question of every worksheet takes the right answer and says why a wrong one is wrong.

The right numbers stand in answers.toml once more, from the literature: the worksheets compute them.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from teaching.worksheets.catalogue import all_worksheets, worksheet_named
from teaching.worksheets.sheet import sheet_of
from teaching.worksheets.worksheet import QuestionKind, Result, WorksheetTask, shown
from thistlebot.words.words import LANGUAGES, catalogue, load_words

# name: for each question (right answers, wrong answers)
ANSWERS: dict[str, list[tuple[list[str], list[str]]]] = {
    name: [(each["right"], each["wrong"]) for each in questions]
    for name, questions in tomllib.loads(
        Path(__file__).with_name("answers.toml").read_text(encoding="utf-8")
    ).items()
}


def task(name: str, number: int) -> WorksheetTask:
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
                secret = asked.kind in {QuestionKind.NUMBER, QuestionKind.WORD} and len(answer) > 2
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
