"""The option `--language` of the verbs that teach."""

import os
from enum import StrEnum
from typing import Annotated

import typer

from thistlebot.words.words import Words, languages, load_words, spoken_language

# mypy wants the members of an enumeration spelt out; these are the catalogue's.
Language = StrEnum("Language", {code: code for code in languages()})  # type: ignore[misc]
Spoken = Annotated[
    Language | None, typer.Option("--language", help="Language. Default: the system's, or English.")
]


def chosen_words(language: Language | None) -> Words:
    """Return the texts in the language chosen, or in that of the system."""
    return load_words(language.value if language else spoken_language(os.environ))
