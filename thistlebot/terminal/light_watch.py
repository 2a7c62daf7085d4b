"""Warns if the light no longer matches the profile, and learns from verified readings."""

import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from calibration.colours import DRIFT_THRESHOLD, learn_reading, light_drift
from documents.typed_toml import save_document
from thistlebot.events import Event, Read, Verified
from thistlebot.reading.reader import Look
from thistlebot.terminal.screen import Screen
from vision.colours.profile import ColourProfile
from vision.reading import CubeReading


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
