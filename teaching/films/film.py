"""What an animated picture shows: one or several puzzles side by side, turn by turn."""

from collections.abc import Mapping
from dataclasses import dataclass

from teaching.films.figures import PuzzleFigure


@dataclass(frozen=True, slots=True)
class StickerLook:
    """What a sticker shows.

    Attributes:
        fill: An SVG colour.
        label: What is written on it: a letter or an arrow.
    """

    fill: str
    label: str


@dataclass(frozen=True, slots=True)
class FilmGauge:
    """Something that a way brings to zero.

    Attributes:
        mark: Its sign or where it is from, such as ``Φ1``.
        text: What is counted.
        most: How many there can be.
    """

    mark: str
    text: str
    most: int


@dataclass(frozen=True, slots=True)
class Level:
    """What a gauge shows: how many are left, and that as it is written."""

    left: int
    said: str


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that no turn changes.

    Attributes:
        name: What it is.
        here: Its value where the way begins.
        there: Its value where the way is to end.
        side: ``here`` or ``there`` where only that is told.
    """

    name: str
    here: str
    there: str
    side: str = ""

    @property
    def differs(self) -> bool:
        """Whether it forbids the way."""
        return self.here != self.there

    @property
    def said(self) -> str:
        """Its value, or both where they differ."""
        if not self.differs:
            return self.here
        both = f"{self.here} here, {self.there} there"
        return {"here": self.here, "there": self.there}.get(self.side, both)


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One moment of a way.

    Attributes:
        move: The turn that led here; empty for the first frame.
        looks: What each sticker shows, by its slot.
        moved: The slots whose stickers that turn carried.
        levels: What the gauges show, in their order.
    """

    move: str
    looks: Mapping[int, StickerLook]
    moved: frozenset[int]
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A stage of a way; it starts where the one before ends.

    Attributes:
        name: What it is called.
        caption: What it is for.
        settles: What holds at its end.
        last: The number of its last frame.
    """

    name: str
    caption: str
    settles: str
    last: int


@dataclass(frozen=True, slots=True)
class FilmLane:
    """One puzzle on its way.

    Attributes:
        name: What stands above it.
        figure: Where its stickers are drawn.
        gauges: What goes to zero.
        kept: What no turn changes.
        frames: Its moments, at least one.
        chapters: Its stages; none where there is no way.
        verdict: What is said at the end.
        legend: Which letter is which colour; empty where none is needed.
        note: How the gauges are to be read.
    """

    name: str
    figure: PuzzleFigure
    gauges: tuple[FilmGauge, ...]
    kept: tuple[Kept, ...]
    frames: tuple[FilmFrame, ...]
    chapters: tuple[Chapter, ...]
    verdict: str
    legend: tuple[tuple[StickerLook, str], ...] = ()
    note: str = ""

    @property
    def turns(self) -> int:
        """How many turns it takes."""
        return len(self.frames) - 1

    def headline(self, number: int) -> str:
        """The name of a chapter, with its number where there are several."""
        count, name = len(self.chapters), self.chapters[number].name
        return f"{number + 1} of {count}  {name}" if count > 1 else name


@dataclass(frozen=True, slots=True)
class Film:
    """An animated picture.

    Attributes:
        title: What it is of.
        subtitle: A line more about it.
        lanes: What is seen side by side; several run on one clock.
    """

    title: str
    subtitle: str
    lanes: tuple[FilmLane, ...]
