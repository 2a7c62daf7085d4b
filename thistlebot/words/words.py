"""Texts by their keys, in the reader's language."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

DEFAULT = "en"


@dataclass(frozen=True, slots=True)
class Words:
    """The texts in one language.

    Attributes:
        language: Its code.
        name: Its own name for itself.
        texts: Key, such as ``run.solve``, to text.
    """

    language: str
    name: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its placeholders filled.

        Raises:
            KeyError: There is no such text, or a value is missing: a bug.
        """
        return self.texts[key].format_map(values)

    def number(self, value: float, form: str = "g") -> str:
        """Return a number with the decimal separator of the language.

        Args:
            value: The number.
            form: A format specification, such as ``.1f``.
        """
        return format(value, form).replace(".", self.texts["number.point"])

    def has(self, key: str) -> bool:
        """Return whether there is such a text."""
        return key in self.texts


@cache
def languages() -> tuple[str, ...]:
    """Return the codes (ISO 639-1) of the languages: each is a file beside this module."""
    files = (file.name.partition(".") for file in resources.files("thistlebot.words").iterdir())
    return tuple(sorted(code for code, _, kind in files if kind == "toml"))


def load_words(language: str) -> Words:
    """Load the texts of one language.

    Args:
        language: One of `languages`; English for any other.
    """
    return _load(language if language in languages() else DEFAULT)


@cache
def _load(code: str) -> Words:
    file = resources.files("thistlebot.words") / f"{code}.toml"
    tables: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    name = tables.pop("name")
    texts = {f"{table}.{key}": text for table, of in tables.items() for key, text in of.items()}
    return Words(code, name, MappingProxyType(texts))


def preferred_language(accepted: str) -> str:
    """Return the available language that a browser prefers.

    Args:
        accepted: The header ``Accept-Language`` (RFC 9110, 12.5.4).
    """
    wishes = []
    for number, part in enumerate(accepted.split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            wishes.append((-float(weight or 1.0), number, name.split("-")[0].lower()))
        except ValueError:
            continue
    return next((name for _, _, name in sorted(wishes) if name in languages()), DEFAULT)


def spoken_language(environment: Mapping[str, str]) -> str:
    """Return the language of a user's environment, English if it is not available.

    Args:
        environment: Variables such as ``LANG=fr_FR.UTF-8``; the first that is set counts (POSIX,
            8.2).
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            code = value.replace("-", "_").partition("_")[0].partition(".")[0].lower()
            return code if code in languages() else DEFAULT
    return DEFAULT
