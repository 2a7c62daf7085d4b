"""The sound of a solved cube, with a player that is a program of its own."""

import io
import os
import stat
import sys
import time
import wave
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from thistlebot.terminal.screen import Screen
from thistlebot.terminal.show import Chime, Sound, chime

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows plays without a program")


@pytest.fixture
def player(tmp_path: Path) -> Path:
    """A player that keeps what it is given to play, and plays until it is told to end."""
    script = tmp_path / "aplay"
    script.write_text(f'#!/bin/sh\ncat "$1" >> "{tmp_path}/heard"\nread _ < "{tmp_path}/end"\n')
    os.mkfifo(tmp_path / "end")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


def heard(folder: Path, until: int) -> bytes:
    deadline_s = time.monotonic() + 60.0
    file = folder / "heard"
    while not (file.exists() and file.stat().st_size >= until):
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    return file.read_bytes()


def test_the_chime_is_a_wav_of_half_a_second() -> None:
    with wave.open(io.BytesIO(chime())) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert 0.3 < file.getnframes() / file.getframerate() < 0.8
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
    assert 10_000 < np.abs(samples.astype(int)).max() < 32_767


@posix
def test_nobody_waits_for_the_sound(player: Path, capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    with closing(Chime(Sound.WAV, screen, {"aplay": str(player)}.get)) as sound:
        sound.play()
        sound.play()  # the first one goes on until somebody writes into its pipe
        assert heard(player.parent, len(chime())) == chime()
        (player.parent / "end").write_text("\n")
    assert capsys.readouterr().err == ""


@posix
def test_a_player_that_is_missing_or_fails_is_said_once(
    player: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Chime(Sound.WAV, Screen(), lambda _: None)) as sound:
        sound.play()
        sound.play()
    assert capsys.readouterr().err.count("--sound bell") == 1
    player.write_text("#!/bin/sh\nexit 3\n")
    with closing(Chime(Sound.WAV, Screen(), {"paplay": str(player)}.get)) as sound:
        deadline_s = time.monotonic() + 60.0
        while not (said := capsys.readouterr().err):
            assert time.monotonic() < deadline_s
            sound.play()
            time.sleep(0.02)
        assert " 3" in said
        sound.play()
    assert capsys.readouterr().err == ""


@posix
def test_the_bell_rings_in_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()
    with os.fdopen(slave, "w") as terminal, monkeypatch.context() as context:
        context.setattr(sys, "stderr", terminal)
        Chime(Sound.BELL, Screen()).play()
        Chime(Sound.OFF, Screen()).play()
        context.setattr(sys, "stderr", io.StringIO())
        Chime(Sound.BELL, Screen()).play()
        assert sys.stderr.getvalue() == ""
        assert os.read(master, 10) == b"\a"
    os.close(master)
