"""What the verbs that teach share: options, and labelled lines in a language.

Among these lines are those about the place of a cube in a stage of Thistlethwaite's chain. A
distance table knows every coset, so a stage needs no search.
"""

import os
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from teaching.wording import grouped
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words, languages, load_words, spoken_language

if TYPE_CHECKING:
    from teaching.methods.method import CosetPlace

# mypy wants the members of an enumeration spelt out; these are the catalogue's.
Language = StrEnum("Language", {code: code for code in languages()})  # type: ignore[misc]
Spoken = Annotated[
    Language | None, typer.Option("--language", help="Language. Default: the system's, or English.")
]
Scramble = Annotated[
    str | None,
    typer.Option(metavar="MOVES", help="Use the cube that these moves make from the solved one."),
]
Facelets = Annotated[str | None, typer.Option(metavar="S", help="The cube as 54 letters.")]

_NARROWEST = 9
"""The minimum width of a label."""
_BAR = 40
"""The width of the histogram's longest bar."""


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


class Speech(NamedTuple):
    """Where a verb speaks, in which language, and the table with its words."""

    screen: Screen
    words: Words
    table: str

    @property
    def labels(self) -> Labels:
        """Return lines with the labels of the table, whose keys begin with ``label``."""
        start = f"{self.table}.label"
        labels = (text for key, text in self.words.texts.items() if key.startswith(start))
        return Labels(self.screen, labels)

    def line(self, label: str, text: str) -> None:
        """Print a line with a label, given by its key."""
        self.labels.line(self.words(f"{self.table}.label_{label}"), text)


def say_place(speech: Speech, place: "CosetPlace", counted: str = "cosets") -> None:
    """Show the distance of a cube in a stage, and the histogram of all distances."""
    labels, words = speech.labels, speech.words
    total, farthest = sum(place.counts), len(place.counts) - 1
    alike, all_of_them = grouped(place.counts[place.distance]), grouped(total)
    told = {"distance": place.distance, "farthest": farthest, "alike": alike, "all": all_of_them}
    labels.line(words("learn.label_distance"), words(f"learn.far_{counted}", **told))
    largest, this = max(place.counts), words("learn.this_cube")
    wide = max(9, len(this))
    for distance, count in enumerate(place.counts):
        mark = this if distance == place.distance else ""
        bar = "█" * round(_BAR * count / largest)
        speech.screen.line(f"{mark:>{wide}} {distance:>3} {grouped(count):>9}  {bar}".rstrip())
    why = f"learn.why_{total}"
    if words.has(why):
        labels.line(words("learn.label_cosets"), f"{grouped(total)} = {words(why)}")
