"""Texts that are not yet in a language: a key of the catalogue of words, and values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, runtime_checkable

from puzzles.kinds.pieces import Phrase
from thistlebot.words.words import Words


@runtime_checkable
class Sayable(Protocol):
    """A text that can be said in any language."""

    def text(self, words: Words) -> str:
        """Return the text in a language."""


def shown(value: object, words: Words) -> str:
    """Format a value for a text: integers in groups of three, texts in the language.

    What a puzzle says of itself (`Phrase`) is such a text, whose tuples are kinds of pieces.
    """
    if isinstance(value, Sayable):
        return value.text(words)
    if isinstance(value, Phrase):
        told = {
            name: f" {words('phrase.joint')} ".join(kind_said(kind, words) for kind in each)
            if isinstance(each, tuple)
            else each
            for name, each in value.values.items()
        }
        return Wording(f"phrase.{value.key}", told).text(words)
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, (int, Fraction)):
        return grouped(int(value), "\N{NO-BREAK SPACE}")
    if isinstance(value, tuple):
        return ", ".join(shown(each, words) for each in value)
    return str(value)


def colour_word(name: str, words: Words) -> str:
    """Return a colour in the language; other symbols of a typed cube stay as they are."""
    key = f"cube.{name}"
    return words(key) if words.has(key) else f"`{name}`"


def grouped(number: int, space: str = " ") -> str:
    """Return a number with spaces between groups of three digits."""
    return f"{number:,}".replace(",", space)


@dataclass(frozen=True, slots=True)
class Wording:
    """A text that is not yet in a language.

    Attributes:
        key: Its key in the catalogue.
        values: Values of its placeholders: numbers, names, or texts like this.
    """

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, words: Words) -> str:
        """Return the text in a language."""
        return words(self.key, **{name: shown(v, words) for name, v in self.values.items()})


@dataclass(frozen=True, slots=True)
class Joined:
    """Several sentences, one after the other."""

    parts: tuple[Sayable, ...]

    def text(self, words: Words) -> str:
        """Return the sentences in a language."""
        return " ".join(part.text(words) for part in self.parts)


def plural(key: str, number: int, **values: object) -> Wording:
    """Return a text about a number: keys with the endings ``_one``, ``_few`` (2 to 4), ``_many``.

    The number is the value ``count``.
    """
    tens, ones = divmod(number, 10)
    form = "few" if 1 < ones < 5 and tens % 10 != 1 else "many"
    form = "one" if number == 1 else form
    return Wording(f"{key}_{form}", {"count": number, **values})


def kind_said(name: str, words: Words) -> str:
    """Return the name of a kind of pieces, such as ``centres 2``, in a language."""
    noun, _, rest = name.partition(" ")
    key = f"lesson.kind_{noun}"
    return f"{words(key) if words.has(key) else noun} {rest}".strip()
