"""The content of a film: a puzzle, turn by turn, and its pace."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from teaching.films.figures import PuzzleFigure
from thistlebot.words.words import Words


@dataclass(frozen=True, slots=True)
class StickerLook:
    """The appearance of a sticker: an SVG colour, and a letter or an arrow."""

    fill: str
    label: str


@dataclass(frozen=True, slots=True)
class FilmGauge:
    """A value that a path reduces to zero; its mark is a symbol or source, such as ``Φ1``."""

    mark: str
    text: str
    most: int


class Level(NamedTuple):
    """The value of a gauge: the number left, and its text."""

    left: int
    said: str


@dataclass(frozen=True, slots=True)
class Kept:
    """An invariant, in the state and in its goal."""

    name: str
    here: str
    there: str

    @property
    def differs(self) -> bool:
        """Return whether it forbids the path."""
        return self.here != self.there

    def said(self, words: Words) -> str:
        """Return its value, or both if they differ."""
        if not self.differs:
            return self.here
        return words("film.both", here=self.here, there=self.there)


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One moment of a path.

    Attributes:
        move: The turn that led here; empty for the first frame.
        looks: The appearance of each sticker, by its slot.
        moved: The slots whose stickers that turn moved.
        levels: The values of the gauges, in order.
    """

    move: str
    looks: Mapping[int, StickerLook]
    moved: frozenset[int]
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A stage of a path, up to the frame `last`; it starts where the previous one ends."""

    name: str
    caption: str
    settles: str
    last: int


@dataclass(frozen=True, slots=True)
class Film:
    """A puzzle with its path.

    Attributes:
        title: The heading.
        subtitle: Where it begins and ends.
        name: The puzzle, or the method.
        figure: The positions of its stickers.
        gauges: The values that the path reduces to zero.
        kept: The invariants.
        frames: Its moments, at least one.
        chapters: Its stages; none without a path.
        verdict: The final message.
        words: The texts of the language of the film.
        legend: The letters of the colours; empty if not needed.
        note: How to read the gauges.
    """

    title: str
    subtitle: str
    name: str
    figure: PuzzleFigure
    gauges: tuple[FilmGauge, ...]
    kept: tuple[Kept, ...]
    frames: tuple[FilmFrame, ...]
    chapters: tuple[Chapter, ...]
    verdict: str
    words: Words
    legend: tuple[tuple[StickerLook, str], ...] = ()
    note: str = ""

    @property
    def turns(self) -> int:
        """Return its number of turns."""
        return len(self.frames) - 1

    def headline(self, number: int) -> str:
        """Return the name of a chapter, with its number if there are several."""
        count, name = len(self.chapters), self.chapters[number].name
        if count == 1:
            return name
        return f"{self.words('film.of', number=number + 1, count=count)}  {name}"

    def labelled(self, label: str, text: str) -> str:
        """Return a text after its label."""
        return self.words("lesson.labelled", label=label, text=text)

    def settled(self, chapter: Chapter) -> str:
        """Return what a chapter settles, as a sentence; empty if nothing is told."""
        return self.words("film.settles", text=chapter.settles) if chapter.settles else ""


_TURN_S, _QUICKEST_S, _ALL_TURNS_S = 0.9, 0.15, 90.0
_READ_S, _SHORTEST_READ_S, _ALL_READING_S, _REST_S = 2.5, 0.8, 30.0, 0.8


def pace_of(film: Film) -> tuple[float, float]:
    """Return the time of a turn, and the pause between two chapters, in seconds.

    Longer films are faster.
    """
    turn_s = max(_QUICKEST_S, min(_TURN_S, _ALL_TURNS_S / max(1, film.turns)))
    chapters = max(1, len(film.chapters))
    read_s = max(_SHORTEST_READ_S, min(_READ_S, _ALL_READING_S / chapters))
    return turn_s, read_s + _REST_S
