"""Worksheets as Markdown and as pages to print."""

import re
from xml.etree import ElementTree as ET

import pytest

from teaching.worksheets.catalogue import SETS, all_worksheets, worksheet_named
from teaching.worksheets.html import html
from teaching.worksheets.markdown import markdown
from teaching.worksheets.sheet import Sheet, sheet_of
from teaching.worksheets.slides import slides
from thistlebot.words.words import Words, languages, load_words

_SVG = "{http://www.w3.org/2000/svg}svg"


def sheets(words: Words) -> list[Sheet]:
    return [sheet_of(each, words, solutions=True) for each in all_worksheets()]


@pytest.mark.parametrize("language", languages())
def test_page_and_markdown_are_well_formed_and_need_nothing_else(language: str) -> None:
    words = load_words(language)
    made = sheets(words)
    page = html(made, words, solutions=True)
    root = ET.fromstring(page)
    assert root.attrib["lang"] == language
    sections = root.findall("./body/section")
    assert len(sections) == len(made) + 1
    assert sections[-1].attrib["class"] == "solutions"
    assert len({section.attrib.get("id") for section in sections}) == len(sections)
    assert not re.search(r"(?:src|href|url\()", page)
    for sheet, section in zip(made, sections[:-1], strict=True):
        assert section.findtext("h2") is not None
        figures = sum(bool(trial.facelets) + bool(trial.picture) for trial in sheet.trials)
        assert len(list(section.iter(_SVG))) == figures
        assert len(section.findall("div[@class='question']")) == len(sheet.asked)
        assert "`" not in "".join(section.itertext())

    text = markdown(made, words, solutions=True)
    heads = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert heads[: len(made)] == [sheet.title for sheet in made]
    assert len(heads) == 2 * len(made)
    assert text.count("```") % 2 == 0
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 2
    assert not re.search(r"\n\n\n", text)
    for line in text.splitlines():
        assert line.count("`") % 2 == 0 or line.startswith("```"), line


def test_solutions_and_hints_are_shown_only_when_they_are_wanted() -> None:
    words = load_words("en")
    one = [sheet_of(worksheet_named("theorem"), words, solutions=True)]
    for write in (html, markdown, slides):
        plain, told = write(one, words), write(one, words, hints=True, solutions=True)
        assert "1/12" not in plain
        assert "1/12" in told
        assert words("lesson.hint") not in plain
        assert words("lesson.hint") in told


def test_each_experiment_and_each_question_of_a_set_has_a_slide() -> None:
    words = load_words("en")
    for names in SETS.values():
        made = [sheet_of(worksheet_named(name), words, solutions=True) for name in names]
        page = slides(made, words, hints=True, solutions=True)
        sections = ET.fromstring(page).findall("./body/section")
        assert len(sections) == sum(1 + len(each.trials) + len(each.asked) for each in made)
        assert not re.search(r"(?:src|href|url\()", page)
        opened = sum(len(section.findall("details")) for section in sections)
        assert opened == 2 * sum(len(each.asked) for each in made)
