"""Every question of every worksheet takes the right answer and says why a wrong one is wrong.

The right numbers stand in answers.toml once more, from the literature: the worksheets compute them.
"""

import re
import shlex
import tomllib
from fractions import Fraction
from math import factorial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.core import TyperGroup

from puzzles.kinds.cubes import face_cube
from puzzles.kinds.puzzle import may_follow
from teaching.wording import shown
from teaching.worksheets.catalogue import all_worksheets, worksheet_named
from teaching.worksheets.html import html
from teaching.worksheets.sheet import sheet_of
from teaching.worksheets.subjects.mistakes import words_up_to
from teaching.worksheets.typed_answers import read_letters, read_number, read_numbers
from teaching.worksheets.worksheet import QuestionKind, Result, WorksheetTask
from thistlebot.cli.program import build
from thistlebot.words.words import languages, load_words

# name: for each question (right answers, wrong answers)
ANSWERS: dict[str, list[tuple[list[str], list[str]]]] = {
    name: [(each["right"], each["wrong"]) for each in questions]
    for name, questions in tomllib.loads(
        Path(__file__).with_name("answers.toml").read_text(encoding="utf-8")
    ).items()
}


MISTAKES = ("repair", "bound", "23", "exponent", "size", "law", "table", "converse", "back")


def task(name: str, number: int) -> WorksheetTask:
    return worksheet_named(name).tasks[number]


def test_right_answers_are_right_and_wrong_ones_are_told_why() -> None:
    spoken = [load_words(language) for language in languages()]
    mistaken: list[tuple[WorksheetTask, str, object]] = []
    questions = [
        (task(name, number), *answers)
        for name, asked in ANSWERS.items()
        for number, answers in enumerate(asked)
    ]
    for asked, right, wrong in questions:
        answer = shown(asked.answer(), load_words("en")).replace("`", "")
        for text, wanted in [
            *((text, Result.RIGHT) for text in (*right, answer)),  # as on the teacher's sheet, too
            *((text, Result.WRONG) for text in wrong),
            ("???", Result.UNREADABLE),
        ]:
            verdict = asked.check(text)
            if verdict.result is not wanted:
                mistaken.append((asked, text, verdict.result))
            if verdict.result is Result.WRONG:
                why = [verdict.why.text(words) for words in spoken]
                if len(set(why)) != len(languages()):
                    mistaken.append((asked, text, why))
                secret = asked.kind in {QuestionKind.NUMBER, QuestionKind.WORD} and len(answer) > 2
                if secret and any(answer in each for each in why):
                    mistaken.append((asked, text, "gives the answer away"))
    assert not mistaken


def test_every_question_is_in_the_table_and_written_in_every_language() -> None:
    incomplete = []
    for worksheet in all_worksheets():
        assert len(worksheet.tasks) == len(ANSWERS[worksheet.name]) >= 2
        assert all(any(right) and any(wrong) for right, wrong in ANSWERS[worksheet.name])
        for language in languages():
            sheet = sheet_of(worksheet, load_words(language), solutions=True)
            assert sheet.experiments
            assert all(
                trial.text and (trial.commands or trial.moves) for trial in sheet.experiments
            )
            for asked in sheet.questions:
                texts = asked.text, asked.hint, asked.solution
                if not (all(texts) and asked.answer) or "{" in "".join(texts):
                    incomplete.append((worksheet.name, language, asked.text))
                if (asked.text + asked.solution).count("`") % 2:
                    incomplete.append((worksheet.name, language, asked.text))
    assert not incomplete


def test_the_commands_of_experiments_can_be_typed() -> None:
    program, words = typer.main.get_command(build()), load_words("en")
    sheets = [sheet_of(each, words) for each in all_worksheets()]
    typed = {each for sheet in sheets for trial in sheet.experiments for each in trial.commands}
    for each in typed:
        verb, (_, *rest) = program, shlex.split(each)
        while isinstance(verb, TyperGroup):
            verb = verb.commands[rest.pop(0)]
        verb.make_context(each, rest)  # raises what a person would be told
    assert len(typed) > 100


def test_the_lessons_are_those_that_were_asked_for() -> None:
    problems = {each.source for each in all_worksheets()}
    assert {f"S3.{number}" for number in range(1, 17)} <= problems
    mistakes = {each.name for each in all_worksheets() if each.name.startswith("mistake-")}
    assert mistakes == {f"mistake-{name}" for name in MISTAKES}
    assert worksheet_named("s3.11").name == "faces"


NUMBERS = {
    "8!·3⁷·12!·2^10": factorial(8) * 3**7 * factorial(12) * 2**10,
    "8! * 3**8 × 12! ⋅ 2¹² / 12": factorial(8) * 3**8 * factorial(12) * 2**12 // 12,
    "43 252 003 274 489 856 000": 43252003274489856000,
    "43,252,003,274,489,856,000": 43252003274489856000,
    "43\N{NARROW NO-BREAK SPACE}252": 43252,
    "1/12": Fraction(1, 12),
    "(4!·6!)/4": 4320,
    "2^3^2": 512,
    "-3 + 10 − 2": 5,
    "120°": 120,
    "3!!": 720,
}
NO_NUMBERS = "x 1/0 (3 3) 2^ ! 999! 2^99999 9^9^9 1,5 4.3 (-3)! 1/2!x (1/2)! 2^(1/2) ٣"
NONE = [*NO_NUMBERS.split(), "", "  ", "3 4", "(" * 200 + "1", "1" * 400]


def test_numbers_and_formulas_are_read_and_what_is_none_is_not() -> None:
    assert {text: read_number(text) for text in NUMBERS} == NUMBERS
    assert {text: read_number(text) for text in NONE} == dict.fromkeys(NONE)


@given(st.text(max_size=40))
def test_no_text_breaks_the_readers(text: str) -> None:
    for found in (read_number(text), read_numbers(text), read_letters(text, 4)):
        assert found is None or isinstance(found, (Fraction, frozenset))


def test_sets_and_letters_are_read() -> None:
    assert read_numbers("{5, 7}") == read_numbers("7 5") == read_numbers("5;7;7") == {5, 7}
    assert read_numbers("5, x") is None
    assert read_letters("a C", 3) == read_letters("3,1", 3) == read_letters("А, С", 3) == {0, 2}
    assert read_letters("D", 3) is None
    assert read_letters("", 3) is None


def test_words_are_counted_as_a_search_meets_them() -> None:
    turns = face_cube().turns
    order = {turn.name: number for number, turn in enumerate(turns)}
    found, lasts = [1], [None]
    for _ in range(4):
        lasts = [turn for last in lasts for turn in turns if may_follow(last, turn, order)]
        found.append(found[-1] + len(lasts))
    assert found == [words_up_to(length) for length in range(5)]
    assert found[:4] == [1, 19, 262, 3502]


_SVG = "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("language", languages())
def test_a_page_is_well_formed_and_needs_nothing_else(language: str) -> None:
    words = load_words(language)
    made = [sheet_of(each, words, solutions=True) for each in all_worksheets()]
    page = html(made, words, solutions=True)
    root = ET.fromstring(page)
    assert root.attrib["lang"] == language
    sections = root.findall("./body/section")
    assert len(sections) == len(made) + 1
    assert sections[-1].attrib["class"] == "solutions"
    assert len({section.attrib.get("id") for section in sections}) == len(sections)
    assert not re.search(r"(?:src=|href=|url\()", page)
    for sheet, section in zip(made, sections[:-1], strict=True):
        assert section.findtext("h2") is not None
        figures = sum(bool(trial.facelets) + bool(trial.picture) for trial in sheet.experiments)
        assert len(list(section.iter(_SVG))) == figures
        assert len(section.findall("div[@class='question']")) == len(sheet.questions)
        assert "`" not in "".join(section.itertext())


def test_solutions_and_hints_are_shown_only_when_they_are_wanted() -> None:
    words = load_words("en")
    one = [sheet_of(worksheet_named("theorem"), words, solutions=True)]
    plain, told = html(one, words), html(one, words, hints=True, solutions=True)
    assert "1/12" not in plain
    assert "1/12" in told
    assert words("lesson.hint") not in plain
    assert words("lesson.hint") in told
