"""Pictures of a Raspberry Pi's ribbon camera, from the system's own program `rpicam-vid`.

Python's libcamera is installed with the system only; a program in a separate environment does not
find it. `rpicam-vid` (before 2024: `libcamera-vid`) writes JPEG pictures to one pipe, and the
sensor's settings for each of them to another.
https://www.raspberrypi.com/documentation/computers/camera_software.html
"""

import os
import re
import shutil
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import IO

from vision.errors import CameraError

PROGRAMS = ("rpicam-vid", "libcamera-vid")
FRAMERATE = 30
QUALITY = 95
PATIENCE_S = 8.0
"""Time limit for a picture; the camera needs about a second to start."""
_ENDING_S = 3.0
_LARGEST = 32_000_000
_START, _END = b"\xff\xd8", b"\xff\xd9"
_LINES = 20
_KEPT = 16
_DECORATION = re.compile(r"^ERROR: |\*\*\*")
_LISTED = re.compile(r"^\s*(\d+)\s*:\s*(\S+)\s*\[")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class SensorState:
    """The camera's settings for one picture.

    Attributes:
        begun_ns: When its exposure began, nanoseconds since the system started; None if unknown.
        exposure_us: Exposure time, microseconds.
        gain: Analogue gain times digital gain.
        red: Gain of red.
        blue: Gain of blue.
        lens: Position of the lens, dioptres; None if it cannot move.
    """

    begun_ns: int | None
    exposure_us: float
    gain: float
    red: float
    blue: float
    lens: float | None

    @property
    def options(self) -> tuple[str, ...]:
        """The options with which `rpicam-vid` holds these settings."""
        held = ["--shutter", f"{round(self.exposure_us)}", "--gain", f"{self.gain:.4g}"]
        held += ["--awbgains", f"{self.red:.4g},{self.blue:.4g}"]
        if self.lens is not None:
            held += ["--autofocus-mode", "manual", "--lens-position", f"{self.lens:.4g}"]
        return tuple(held)

    def __str__(self) -> str:
        focus = "" if self.lens is None else f", focus {self.lens:.1f} dpt"
        return (
            f"exposure {self.exposure_us / 1000:.1f} ms, gain {self.gain:.1f}, white balance "
            f"{self.red:.2f} and {self.blue:.2f}{focus}"
        )


def parse_state(lines: list[str]) -> SensorState:
    """Read the lines ``Name=value`` that `rpicam-vid` writes for a picture."""
    told = dict(line.split("=", 1) for line in lines if "=" in line)
    numbers = {name: [float(each) for each in _NUMBER.findall(told[name])] for name in told}

    def first(name: str, otherwise: float) -> float:
        return (numbers.get(name) or [otherwise])[0]

    red, blue = (*numbers.get("ColourGains", ()), 1.0, 1.0)[:2]
    gain = first("AnalogueGain", 1.0) * first("DigitalGain", 1.0)
    lens = numbers.get("LensPosition")
    begun = told.get("SensorTimestamp", "").strip()
    return SensorState(
        int(begun) if begun.isdecimal() else None,
        first("ExposureTime", 0.0),
        gain,
        red,
        blue,
        lens[0] if lens else None,
    )


def find_program() -> str:
    """Return the path of `rpicam-vid`, or of its older name.

    Raises:
        CameraError: Neither is installed.
    """
    for name in PROGRAMS:
        if path := shutil.which(name):
            return path
    raise CameraError(
        "rpicam-vid is not installed, which ribbon cameras need: on Raspberry Pi OS, "
        "`sudo apt install rpicam-apps`"
    )


def list_sensors() -> tuple[tuple[int, str], ...]:
    """Return the number and sensor of each ribbon camera; empty if `rpicam-vid` is missing.

    The first call takes about half a second; ribbon cameras do not come and go.
    """
    with suppress(CameraError, OSError, subprocess.TimeoutExpired):
        return _sensors(find_program())
    return ()


@cache
def _sensors(program: str) -> tuple[tuple[int, str], ...]:
    done = subprocess.run(
        [program, "--list-cameras"],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=PATIENCE_S,
        check=False,
    )
    found = [_LISTED.match(line) for line in (done.stdout + done.stderr).splitlines()]
    return tuple((int(each[1]), each[2]) for each in found if each)


class RpicamProcess:
    """`rpicam-vid`, running; every picture is taken from the pipe, and the newest is kept.

    Args:
        camera: Number of the camera.
        size: Width and height of the pictures.
        held: The options for locked settings; without them, everything is automatic.

    Raises:
        CameraError: It is not installed or does not start.
    """

    def __init__(self, camera: int, size: tuple[int, int], held: tuple[str, ...] = ()) -> None:
        self._name = f"csi:{camera}"
        told, telling = os.pipe()
        command = [find_program(), "--camera", str(camera), "--timeout", "0", "--nopreview"]
        command += ["--width", str(size[0]), "--height", str(size[1])]
        command += ["--framerate", str(FRAMERATE), "--denoise", "cdn_off"]
        command += ["--codec", "mjpeg", "--quality", str(QUALITY), "--flush", "--output", "-"]
        command += ["--metadata", f"/dev/fd/{telling}", "--metadata-format", "txt", *held]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(telling,),
                start_new_session=True,  # Ctrl-C is for us
            )
        except OSError as error:
            os.close(told)
            raise CameraError(f"{command[0]} does not start: {error.strerror or error}") from None
        finally:
            os.close(telling)
        self._changed = threading.Condition()
        self._pictures: deque[tuple[int, bytes]] = deque(maxlen=_KEPT)
        self._states: deque[tuple[int, SensorState]] = deque(maxlen=_KEPT)
        self._count = 0
        self._ended = False
        self._said: deque[str] = deque(maxlen=_LINES)
        works = ((self._take_pictures, ()), (self._take_states, (told,)), (self._listen, ()))
        self._threads = [
            threading.Thread(target=work, args=given, name="ribbon camera", daemon=True)
            for work, given in works
        ]
        for thread in self._threads:
            thread.start()

    def newest(self) -> tuple[bytes, SensorState]:
        """Return a picture whose exposure begins after this was called, as JPEG.

        Raises:
            CameraError: The program ended, or sends nothing.
        """
        asked_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        with self._changed:
            begun = self._count
            self._changed.wait_for(lambda: self._after(asked_ns, begun) or self._ended, PATIENCE_S)
            if (found := self._after(asked_ns, begun)) is not None:
                return found
        if self._ended:
            raise self._end()
        raise CameraError(
            f"{self._name} has sent no picture for {PATIENCE_S:g} s; check the ribbon cable, and "
            "close other programs that use the camera"
        )

    def close(self) -> None:
        """End the program; a second call does nothing."""
        self._process.terminate()
        try:
            self._process.wait(_ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join(_ENDING_S)

    def _after(self, asked_ns: int, begun: int) -> tuple[bytes, SensorState] | None:
        """The oldest picture whose exposure began late enough."""
        states = dict(self._states)
        for number, picture in self._pictures:
            state = states.get(number)
            # without times, what the camera and the pipe may hold is left out
            if state is not None and (
                state.begun_ns >= asked_ns if state.begun_ns is not None else number > begun + 4
            ):
                return picture, state
        return None

    def _take_pictures(self) -> None:
        assert self._process.stdout is not None
        data, searched = bytearray(), 0
        while part := _read(self._process.stdout):
            data += part
            while (end := data.find(_END, searched)) >= 0:
                start = data.find(_START, 0, end)
                picture = bytes(data[start : end + 2]) if start >= 0 else b""
                del data[: end + 2]
                searched = 0
                with self._changed:
                    self._pictures.append((self._count, picture))
                    self._count += 1
                    self._changed.notify_all()
            searched = max(0, len(data) - 1)
            if len(data) > _LARGEST:
                self._said.append("it sends no JPEG pictures")
                break
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _take_states(self, told: int) -> None:
        number, lines = 0, list[str]()
        with os.fdopen(told, encoding="utf-8", errors="replace") as file, suppress(OSError):
            for line in file:
                if line.strip():
                    lines.append(line)
                    continue
                with self._changed:
                    self._states.append((number, parse_state(lines)))
                    self._changed.notify_all()
                number, lines = number + 1, []

    def _listen(self) -> None:
        assert self._process.stderr is not None
        with suppress(OSError, ValueError):
            for line in self._process.stderr:
                if text := _DECORATION.sub("", line.decode(errors="replace")).strip():
                    self._said.append(text)

    def _end(self) -> CameraError:
        """Say why the program ended, and what to do."""
        for thread in self._threads:
            thread.join(_ENDING_S)
        code = self._process.wait()
        said = self._said[-1] if self._said else f"exit code {code}"
        cure = "start again; if it happens again, check the ribbon cable and the power supply"
        if "no cameras available" in said:
            cure = "check that the ribbon cable is locked at both ends, then restart the computer"
        elif "busy" in said or "in use" in said or "acquire" in said:
            cure = "close the other program that uses the camera"
        elif "unrecognised option" in said:
            cure = "upgrade it: `sudo apt update && sudo apt full-upgrade`"
        return CameraError(f"{self._name}: rpicam-vid ended ({said}); {cure}")


def _read(file: IO[bytes]) -> bytes:
    with suppress(OSError, ValueError):
        return os.read(file.fileno(), 1 << 16)
    return b""
