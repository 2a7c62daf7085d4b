"""Pins of a Raspberry Pi with pulses made by its hardware, through the kernel's files.

https://www.kernel.org/doc/html/latest/driver-api/pwm.html (sysfs);
https://github.com/raspberrypi/firmware/blob/master/boot/overlays/README (pwm-2chan).
"""

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from robot.errors import PortBusyError, PortMissingError
from robot.rigs.board_file import BoardFile

SYSFS = "THISTLEBOT_PWM_DIR"
"""Environment variable with a folder to use instead of the kernel's, for simulated machines."""
PERIOD_NS = 20_000_000
CHANNELS = {
    "brcm,bcm2835-pwm": {12: 0, 18: 0, 13: 1, 19: 1},  # up to the Pi 4
    "raspberrypi,rp1-pwm": {12: 0, 13: 1, 18: 2, 19: 3},  # the Pi 5
}
"""Channel of each pin, by the kind of the chip."""
_FIRST_OF_PI5 = "98000.pwm"
"""Address of the right chip on a Pi 5, which has two of this kind; the other drives the fan."""
_EXPORTING_S = 1.0


class HardwarePwm:
    """Implements `robot.local.pulse_outputs.PulseOutputs`.

    Args:
        board: The pins.
        alone: Refuse if another program has them.

    Raises:
        LinkError: There is no such chip, or access is denied.
    """

    def __init__(self, board: BoardFile, *, alone: bool) -> None:
        chip, channels = _find_chip(Path(os.environ.get(SYSFS, "/sys/class/pwm")))
        self._lock: IO[bytes] | None = None
        if alone:
            self._lock = (chip / "npwm").open("rb")
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
                raise PortBusyError("another program uses the PWM pins") from None
        try:
            self._folders = [_exported(chip, channels[pin]) for pin in board.channels]
        except PermissionError:
            self.close()
            raise PortBusyError(
                "this user may not use the PWM pins: `sudo usermod -aG gpio $USER`, then log in "
                "again"
            ) from None

    def begin(self) -> None:
        """Set the period; no pin has pulses."""
        self.off()
        for folder in self._folders:
            _write(folder / "duty_cycle", 0)
            _write(folder / "period", PERIOD_NS)

    def give(self, servo: int, pulse_us: int) -> None:
        """Give a servo another pulse."""
        folder = self._folders[servo]
        _write(folder / "duty_cycle", pulse_us * 1000)
        _write(folder / "enable", int(pulse_us > 0))

    def check(self) -> None:
        """Make sure that the kernel still has the pins."""
        for folder in self._folders:
            if int((folder / "period").read_text()) != PERIOD_NS:
                raise OSError("another program has changed its period")

    def off(self) -> None:
        """Stop all pulses."""
        for folder in self._folders:
            _write(folder / "enable", 0)

    def close(self) -> None:
        """Release the pins to other programs; they stay exported."""
        if self._lock is not None:
            self._lock.close()


def _find_chip(sysfs: Path) -> tuple[Path, dict[int, int]]:
    """Find the chip by its kind: its number differs between kernels."""
    for chip in sorted(sysfs.glob("pwmchip*")):
        with suppress(OSError):
            device = (chip / "device").resolve()
            kinds = (device / "of_node" / "compatible").read_text().split("\0")
            for kind, channels in CHANNELS.items():
                if kind in kinds and ("rp1" not in kind or device.name.endswith(_FIRST_OF_PI5)):
                    return chip, channels
    raise PortMissingError(
        "the PWM pins are not enabled: add dtoverlay=pwm-2chan,pin=12,func=4,pin2=13,func2=4 to "
        "/boot/firmware/config.txt, then restart the Raspberry Pi"
    )


def _exported(chip: Path, channel: int) -> Path:
    """Have the kernel export a channel, and wait for access to it: udev takes a moment."""
    folder = chip / f"pwm{channel}"
    if not folder.is_dir():
        _write(chip / "export", channel)
    deadline_s = time.monotonic() + _EXPORTING_S
    while True:
        try:
            _write(folder / "enable", 0)
        except (PermissionError, FileNotFoundError):
            if time.monotonic() > deadline_s:
                raise
            time.sleep(0.02)  # sysfs does not tell when udev has set the permissions
        else:
            return folder


def _write(file: Path, value: int) -> None:
    file.write_text(f"{value}\n", encoding="ascii")
