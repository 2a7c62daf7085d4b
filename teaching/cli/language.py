"""The option `--language` of the verbs that teach, and labelled lines in a language."""

import os
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import typer

from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words, languages, load_words, spoken_language

# mypy wants the members of an enumeration spelt out; these are the catalogue's.
Language = StrEnum("Language", {code: code for code in languages()})  # type: ignore[misc]
Spoken = Annotated[
    Language | None, typer.Option("--language", help="Language. Default: the system's, or English.")
]

_NARROWEST = 9
"""The minimum width of a label."""


def chosen_words(language: Language | None) -> Words:
    """Return the texts in the language chosen, or in that of the system."""
    return load_words(language.value if language else spoken_language(os.environ))


class Labels:
    """Lines with a label in front, in a column as wide as the longest label."""

    def __init__(self, screen: Screen, labels: Iterable[str]) -> None:
        self.screen = screen
        self.width = max(map(len, (*labels, " " * _NARROWEST))) + 1

    def line(self, label: str, text: str) -> None:
        """Print one line."""
        self.screen.line(f"{label:<{self.width}}{text}")


def labels_of(screen: Screen, table: str, words: Words) -> Labels:
    """Return lines whose labels are the texts of a table with keys that begin with ``label``."""
    labels = (text for key, text in words.texts.items() if key.startswith(f"{table}.label"))
    return Labels(screen, labels)
