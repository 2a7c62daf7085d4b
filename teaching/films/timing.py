"""When each turn of a film is made: one clock for all its lanes, in seconds."""

from dataclasses import dataclass
from itertools import pairwise

from teaching.films.film import Film, FilmLane

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
