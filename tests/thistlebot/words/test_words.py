"""Texts by their keys in all languages, and which language somebody reads."""

import ast
import string
from itertools import chain
from pathlib import Path

from thistlebot.words.words import languages, load_words, preferred_language, spoken_language

ROOT = Path(__file__).resolve().parents[3]


def test_each_text_is_there_in_all_languages_with_the_same_values() -> None:
    assert set(languages()) >= {"en", "fr", "ru"}
    english, wrong = load_words("en").texts, []
    for words in map(load_words, languages()):
        assert words.name
        wrong += [(words.language, key) for key in english.keys() ^ words.texts.keys()]
        for key, text in words.texts.items():
            fields, expected = (
                {name for _, name, _, _ in string.Formatter().parse(each) if name}
                for each in (text, english.get(key, text))
            )
            if fields != expected or text.strip() != text:
                wrong.append((words.language, key))
    assert not wrong


def test_each_key_that_the_code_asks_for_is_there() -> None:
    """Keys that are written out whole; those that are put together are met by the pages' tests."""
    asked = set()
    for file in chain((ROOT / "thistlebot").rglob("*.py"), (ROOT / "frontends").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            called = node.func.id if isinstance(node.func, ast.Name) else called
            first = node.args[0]
            if called == "words" and isinstance(first, ast.Constant):
                asked.add(first.value)
    assert asked
    assert asked <= load_words("en").texts.keys()


def test_the_language_that_a_browser_prefers() -> None:
    preferred = {
        "": "en",
        "fr-CH, fr;q=0.9, en;q=0.8": "fr",
        "de, ru;q=0.4, en;q=0.3": "ru",
        "en;q=0.1, fr;q=0.2": "fr",
        "*": "en",
        "fr;q=much": "en",
    }
    assert {accepted: preferred_language(accepted) for accepted in preferred} == preferred
    assert load_words("tlh").language == "en"
    assert load_words("fr")("run.solve") == "Résoudre"


def test_the_language_of_the_system_and_the_separator_of_its_numbers() -> None:
    wrong = []
    for environment, language in (
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LC_ALL": "ru", "LANG": "fr_FR"}, "ru"),
        ({"LC_ALL": "", "LC_MESSAGES": "fr-CA@euro", "LANG": "ru_RU"}, "fr"),
        ({"LC_ALL": "C.UTF-8", "LANG": "ru_RU"}, "en"),
        ({"LANG": "de_DE"}, "en"),
    ):
        if spoken_language(environment) != language:
            wrong.append(environment)
    assert not wrong
    said = [load_words(code).number(38.25, ".1f") for code in ("en", "fr", "ru")]
    assert said == ["38.2", "38,2", "38,2"]
    assert load_words("fr").number(3.0) == "3"
