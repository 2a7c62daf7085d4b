"""Warns if the light no longer matches the profile, and learns from verified readings.

It also prints how well each pair of a profile's colours can be distinguished.
"""

import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rich.text import Text

from calibration.colours import learn_reading
from calibration.pair_scores import LEAST_SCORE, PairScore, advice, failed_pairs
from documents.typed_toml import save_document
from thistlebot.events import Event, Read, Verified
from thistlebot.reading.reader import Look
from thistlebot.terminal.screen import Screen
from vision.colours.drift import DRIFT_THRESHOLD, light_drift
from vision.colours.profile import ColourProfile
from vision.reading import CubeReading

_GOOD, _BAD = "", "!"


def show_pairs(screen: Screen, scores: tuple[PairScore, ...]) -> None:
    """Print the fifteen scores as a triangle; marks and words repeat the meaning of colours.

    Args:
        screen: The screen.
        scores: From `calibration.pair_scores.pair_scores`.
    """
    names: dict[str, str] = {}
    by_faces: dict[tuple[str, str], PairScore | None] = {}
    for score in scores:
        names |= zip(score.faces, score.colours, strict=True)
        by_faces[score.faces] = score
    faces = list(names)
    width = max(map(len, names.values())) + 2
    head = "".join(f"{names[face]:>{width}}" for face in faces[1:])
    screen.line(f"pairs     {'':<{width}}{head}")
    for row, first in enumerate(faces[:-1]):
        line = Text(f"          {names[first]:<{width}}")
        for second in faces[1:]:
            known = by_faces.get((first, second)) if faces.index(second) > row else None
            line.append_text(_cell(known, width))
        line.rstrip()
        screen.out.print(line)
    failed = failed_pairs(scores)
    if failed:
        screen.problem(f"{_BAD} {advice(failed)}")
    else:
        worst = min(scores, key=lambda each: each.score)
        screen.line(
            f"pass      every pair scores {LEAST_SCORE:g} or more; the closest are "
            f"{worst.colours[0]} and {worst.colours[1]}, {worst.score:.1f}"
        )


def _cell(each: PairScore | None, width: int) -> Text:
    if each is None:
        return Text(" " * width)
    mark, style = (_GOOD, "green") if each.passed else (_BAD, "bold red")
    return Text(f"{mark}{each.score:.1f}".rjust(width), style=style)


class LightWatch:
    """A listener that compares each accepted reading with the active profile.

    Args:
        profile: The profile, or None for no comparison.
        file: File of the profile; None on a virtual machine, whose light is not stored.
        screen: The screen.
        looks: The looks of the session, by their numbers.
        learn: Move the profile towards verified readings: the cube was seen at its target after the
            moves, so the reading was right.
    """

    def __init__(
        self,
        profile: ColourProfile | None,
        file: Path | None,
        screen: Screen,
        looks: Sequence[Look],
        *,
        learn: bool,
    ) -> None:
        self._profile = profile
        self._file = file
        self._screen = screen
        self._looks = looks
        self._learn = learn
        self._last: CubeReading | None = None

    def __call__(self, event: Event) -> None:
        """Process one event."""
        match event:
            case Read(look, reading) if reading.accepted:
                self._last = self._looks[look].reading
                self.compare(self._last)
            case Verified(reached=True) if self._learn and self._last is not None:
                self.learn_from(self._last)
            case _:
                pass

    def compare(self, reading: CubeReading) -> float:
        """Warn if the light has changed, and return the change, ΔE."""
        if self._profile is None:
            return 0.0
        drift = light_drift(self._profile, reading)
        if drift >= DRIFT_THRESHOLD:
            self._screen.note(
                f"the light has changed since profile {self._profile.name!r} was made (ΔE "
                f"{drift:.0f}): recalibrate with `thistlebot calibrate colours --profile "
                f"{shlex.quote(self._profile.name)}`, or set THISTLEBOT_LEARN=1 to adapt it"
            )
        return drift

    def learn_from(self, reading: CubeReading) -> None:
        """Move the profile towards a reading that is known to be right, and store it."""
        if self._profile is None:
            return
        created = datetime.now().astimezone().isoformat("T", "seconds")
        self._profile = learn_reading(self._profile, reading, created)
        if self._file is not None:
            save_document(self._file, self._profile)
            self._screen.note(
                f"profile {self._profile.name!r} was adapted to the light: {self._file}"
            )
