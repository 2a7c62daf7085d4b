"""A machine on a Raspberry Pi's PWM pins: `python -m benchmarks.pi.machine FOLDER RIG FACELETS`.

The pins are the files that the kernel would show below ``FOLDER/pwm``. Servos follow their pulses
at their own speed, and the cube follows the servos. ``FOLDER/seen.json`` says what a camera sees
(`MachineView`); it is replaced whenever that changes.
"""

import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from cube.facelets import Facelets
from cube.state import SOLVED, CubeState
from robot.local.hardware_pwm import CHANNELS
from robot.rigs.board_file import PWM_PINS, BoardFile
from robot.rigs.catalogue import named_rig
from robot.virtual.cubes.in_machine import cube_in, parts_of

KIND = "brcm,bcm2835-pwm"
_LOOK_S = 0.008
"""The board changes pulses every 20 ms."""


class MachineView(msgspec.Struct, frozen=True):
    """What there is to see.

    Attributes:
        shown: 54 letters, by places in the machine.
        open: Whether nothing is before the first camera of the rig.
        solved: Whether the cube is solved.
        lost: What the machine did that drops the cube; empty while all is well.
        pulses_us: The pulse of each servo; 0 for none.
        turned: How many layers were turned.
    """

    shown: str
    open: bool
    solved: bool
    lost: str = ""
    pulses_us: tuple[int, ...] = ()
    turned: int = 0


def make_pins(folder: Path) -> None:
    """Make the files of a Pi 4 with PWM enabled on its pins, all of them exported."""
    device = folder / "device" / "fe20c000.pwm" / "of_node"
    device.mkdir(parents=True)
    (device / "compatible").write_text(f"{KIND}\0")
    chip = folder / "pwm" / "pwmchip3"
    chip.mkdir(parents=True)
    (chip / "device").symlink_to(device.parent)
    (chip / "npwm").write_text("2\n")
    for channel in {CHANNELS[KIND][pin] for pin in PWM_PINS}:
        (chip / f"pwm{channel}").mkdir()
        for name in ("enable", "duty_cycle", "period"):
            (chip / f"pwm{channel}" / name).write_text("0\n")


def pulse_of(pin: Path) -> int | None:
    """Return the pulse at a pin, microseconds; None while a file of it is being written."""
    with suppress(OSError, ValueError):
        if not int((pin / "enable").read_text()):
            return 0
        return int((pin / "duty_cycle").read_text()) // 1000
    return None


def main(folder: Path, rig_name: str, facelets: str) -> None:
    """Live until the program is ended."""
    rig = named_rig(rig_name)
    assert isinstance(rig.board, BoardFile)
    pins = [folder / "pwm" / "pwmchip3" / f"pwm{CHANNELS[KIND][pin]}" for pin in rig.board.channels]
    parts = parts_of(rig)
    cube = cube_in(rig, parts, CubeState.from_facelets(Facelets(facelets)))
    told: MachineView | None = None
    while True:
        now_s = time.monotonic()
        cube.look(now_s, None)
        for arm, pin in zip(parts.servos, pins, strict=False):
            pulse_us = pulse_of(pin)
            if pulse_us is not None and pulse_us != arm.pulse_us:
                arm.give(pulse_us, now_s)
        cube.look(now_s, None)
        lost = cube.violations[0] if cube.violations else ""
        pulses = tuple(arm.pulse_us for arm, _ in zip(parts.servos, pins, strict=False))
        seen = MachineView(
            cube.shown.text,
            cube.stands(rig.cameras[0].needs),
            cube.state == SOLVED,
            lost,
            pulses,
            len(cube.moves),
        )
        if seen != told:
            (folder / "seen.new").write_bytes(msgspec.json.encode(seen))
            (folder / "seen.new").rename(folder / "seen.json")
            told = seen
        time.sleep(max(0.0, now_s + _LOOK_S - time.monotonic()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
