"""Recorded runs as labelled pictures: a cube that was solved was what the first look said."""

from dataclasses import dataclass

from thistlebot.history.replay import decide_again
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.runs.events import Read
from thistlebot.runs.run_record import events_of
from thistlebot.runs.run_row import row_of
from vision.reading import CubeReading


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """The first look of a run whose cube is known.

    Attributes:
        name: Of the run.
        truth: The state as 54 letters.
        reading: What this version reads in its pictures.
    """

    name: str
    truth: str
    reading: CubeReading


def labelled_run(run: StoredRun, pictures: tuple[Picture, ...]) -> LabelledRun | None:
    """Return the first look of a run; None when nobody saw that it was right.

    Raises:
        UsageError: Another version recorded the run.
    """
    if row_of(run).first_right is not True:
        return None
    truth = next(
        event.reading["facelets"] for _, event in events_of(run) if isinstance(event, Read)
    )
    looks = decide_again(run, pictures).looks
    return LabelledRun(run.uid, truth, looks[0].reading) if looks else None
