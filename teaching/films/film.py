"""What an animated picture shows: one or several puzzles side by side, turn by turn.

When each turn of a film is made: one clock for all its lanes, in seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

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


OPENING_S, CLOSING_S = 1.5, 4.0
_TURN_S, _QUICKEST_S, _ALL_TURNS_S = 0.9, 0.15, 90.0
_READ_S, _SHORTEST_READ_S, _ALL_READING_S, _REST_S = 2.5, 0.8, 30.0, 0.8
_CHANGE = 0.45
"""The part of a turn after which its stickers change; before, they are marked only."""


@dataclass(frozen=True, slots=True)
class Times:
    """When a lane does what.

    Attributes:
        begins: When each turn begins: what it carries is marked; the first frame's is 0.
        changes: When the stickers of each frame change; the first frame's is 0.
        chapters: When each chapter begins to be told.
        turn_s: How long a turn takes.
    """

    begins: tuple[float, ...]
    changes: tuple[float, ...]
    chapters: tuple[float, ...]
    turn_s: float

    @property
    def end_s(self) -> float:
        """When the last turn is made."""
        return self.begins[-1] + self.turn_s if len(self.begins) > 1 else 0.0


@dataclass(frozen=True, slots=True)
class FilmClock:
    """When the lanes of a film do what.

    Attributes:
        lanes: Of each lane.
        total_s: How long the film takes, with a rest at its end.
    """

    lanes: tuple[Times, ...]
    total_s: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How quickly a film runs.

    Attributes:
        turn_s: How long a turn takes.
        read_s: Rest before the first turn of a chapter.
        rest_s: Rest after its last turn.
    """

    turn_s: float
    read_s: float
    rest_s: float


def pace_of(film: Film) -> Pace:
    """How quickly a film runs; the longer it is, the quicker.

    A single lane rests at the end of each chapter; several make their turns at the same time.
    """
    most = max(lane.turns for lane in film.lanes)
    turn_s = max(_QUICKEST_S, min(_TURN_S, _ALL_TURNS_S / max(1, most)))
    if len(film.lanes) > 1:
        return Pace(turn_s, 0.0, 0.0)
    chapters = max(1, len(film.lanes[0].chapters))
    return Pace(turn_s, max(_SHORTEST_READ_S, min(_READ_S, _ALL_READING_S / chapters)), _REST_S)


def clock_of(film: Film) -> FilmClock:
    """Lay a film out in time."""
    pace = pace_of(film)
    lanes = tuple(_times(lane, pace) for lane in film.lanes)
    return FilmClock(lanes, max(times.end_s for times in lanes) + OPENING_S + CLOSING_S)


def _times(lane: FilmLane, pace: Pace) -> Times:
    begins, changes, chapters = [0.0], [0.0], list[float]()
    now = OPENING_S
    for first, last in pairwise([0, *(chapter.last for chapter in lane.chapters)]):
        chapters.append(now if chapters else 0.0)
        now += pace.read_s
        for _ in range(first, last):
            begins.append(now)
            changes.append(now + _CHANGE * pace.turn_s)
            now += pace.turn_s
        now += pace.rest_s
    return Times(tuple(begins), tuple(changes), tuple(chapters), pace.turn_s)
