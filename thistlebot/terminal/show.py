"""How the machine behaves in front of an audience, as the user chose.

This module also plays a sound in the background when a cube is solved.
"""

import io
import math
import shutil
import struct
import subprocess
import sys
import tempfile
import wave
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from thistlebot.errors import UsageError
from thistlebot.terminal.screen import Screen

if TYPE_CHECKING:
    from thistlebot.session.machine import Machine


class Sound(StrEnum):
    """The sound when a cube is solved."""

    OFF = "off"
    BELL = "bell"
    WAV = "wav"
    BUZZER = "buzzer"


@dataclass(frozen=True, slots=True)
class Show:
    """The user's choices for a show.

    Attributes:
        learn: Let the profile follow the light of verified solves.
        as_json: Print a record for each cube, solved or not.
        sound: The sound when a cube is solved.
        budget_chosen: The user set the search time; otherwise a rig with motors on its faces
            searches only as long as this shortens the whole run.
        attract_min: Minutes without a press after which the machine scrambles and solves a cube;
            None for never.
    """

    learn: bool = False
    as_json: bool = False
    sound: Sound = Sound.OFF
    budget_chosen: bool = False
    attract_min: float | None = None


PLAIN = Show()
"""The default: no sound, and only solves after a press."""


def require_possible(show: Show, machine: "Machine") -> None:
    """Refuse what a machine cannot do; nothing is opened.

    Raises:
        UsageError: The message says what the machine lacks.
        ThistlebotError: See `Machine.scan`.
    """
    if show.attract_min is not None and not machine.scan.moves_nothing:
        raise UsageError(
            "--attract needs cameras that see the whole cube at once, but this rig would "
            "have to move a cube that has not been read: leave --attract out"
        )
    if show.sound is Sound.BUZZER and machine.rig.buzzer is None:
        raise UsageError(
            f"rig {machine.rig.name!r} has no buzzer: write buzzer = N (an output of the "
            "board) into the rig file, or use --sound bell"
        )


if sys.platform == "win32":
    import winsound

_PLAYERS = ("paplay", "aplay", "afplay")
_RATE_HZ = 22_050
_NOTES_HZ = (659.26, 830.61, 987.77)
"""Frequencies of the notes E5, G sharp 5 and B5."""
_NOTE_S = 0.16
_LOUDNESS = 0.5


class Chime:
    """Plays a sound of the computer in the background.

    Args:
        sound: The sound.
        screen: The terminal with the bell; reports a failure, once.
        find: Returns the path of a program, or None.
    """

    def __init__(
        self,
        sound: Sound,
        screen: Screen,
        find: Callable[[str], str | None] = shutil.which,
    ) -> None:
        self._sound = sound
        self._screen = screen
        self._find = find
        self._playing: subprocess.Popen[bytes] | None = None
        self._file: Path | None = None

    def play(self) -> None:
        """Start the sound, unless the last one is still playing."""
        if self._sound is Sound.BELL:
            self._screen.bell()
        elif self._sound is Sound.WAV:
            self._play_wav()

    def close(self) -> None:
        """Stop the sound, and delete its file."""
        if self._playing is not None:
            self._playing.terminate()
            self._playing.wait()
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def _play_wav(self) -> None:
        if sys.platform == "win32":
            winsound.PlaySound(str(self._wav_file()), winsound.SND_FILENAME | winsound.SND_ASYNC)
            return
        code = None if self._playing is None else self._playing.poll()
        if self._playing is not None and code is None:
            return
        if code:
            self._give_up(f"the sound player exited with code {code}")
            return
        player = next(filter(None, map(self._find, _PLAYERS)), None)
        if player is None:
            self._give_up(f"no sound player is installed (looked for {', '.join(_PLAYERS)})")
            return
        self._playing = subprocess.Popen(
            [player, str(self._wav_file())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _give_up(self, why: str) -> None:
        self._screen.note(
            f"{why}: the machine continues without sound; --sound bell needs no player"
        )
        self._sound = Sound.OFF

    def _wav_file(self) -> Path:
        if self._file is None:
            with tempfile.NamedTemporaryFile(
                prefix="thistlebot-", suffix=".wav", delete=False
            ) as file:
                file.write(chime())
            self._file = Path(file.name)
        return self._file


def chime() -> bytes:
    """Return three rising notes as a WAV file: one channel, 16 bits."""
    count = round(_NOTE_S * _RATE_HZ)
    samples = [
        _LOUDNESS * (1 - at / count) * math.sin(math.tau * note_hz * at / _RATE_HZ)
        for note_hz in _NOTES_HZ
        for at in range(count)
    ]
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE_HZ)
        file.writeframes(struct.pack(f"<{len(samples)}h", *(round(32767 * s) for s in samples)))
    return target.getvalue()
