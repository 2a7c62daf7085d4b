"""Texts by their keys, in the language of whoever reads them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {"en": "English", "fr": "Français", "ru": "Русский"}
)
"""The languages, by their codes (ISO 639-1), each in its own name."""
DEFAULT = "en"


@dataclass(frozen=True, slots=True)
class Words:
    """The texts in one language.

    Attributes:
        language: Its code.
        texts: Key, such as ``run.solve``, to text.
    """

    language: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its placeholders filled.

        Raises:
            KeyError: There is no such text, or a value is missing: a bug.
        """
        return self.texts[key].format_map(values)

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        return key in self.texts


def load_words(language: str) -> Words:
    """Load the texts of one language.

    Args:
        language: One of `LANGUAGES`; English for any other.
    """
    code = language if language in LANGUAGES else DEFAULT
    texts = {
        key: text
        for key, translations in catalogue().items()
        for translated, text in translations.items()
        if translated == code
    }
    return Words(code, MappingProxyType(texts))


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Return all texts: key to the text in each language; the files are read once.

    The first part of a key is the name of the file that has it, as one for each page.
    """
    found: dict[str, Mapping[str, str]] = {}
    for file in sorted(resources.files("thistlebot.words").iterdir(), key=lambda each: each.name):
        page, dot, kind = file.name.partition(".")
        if dot and kind == "toml":
            for key, translations in tomllib.loads(file.read_text("utf-8")).items():
                found[f"{page}.{key}"] = translations
    return MappingProxyType(found)


def preferred_language(accepted: str) -> str:
    """Return the language that a browser prefers of those that there are.

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
    return next((name for _, _, name in sorted(wishes) if name in LANGUAGES), DEFAULT)


def spoken_language(environment: Mapping[str, str]) -> str:
    """Return the language of a person's environment, English where we do not speak it.

    Args:
        environment: Variables such as ``LANG=fr_FR.UTF-8``; the first that is set counts (POSIX,
            8.2).
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            code = value.replace("-", "_").partition("_")[0].partition(".")[0].lower()
            return code if code in LANGUAGES else DEFAULT
    return DEFAULT
