"""The verb `bench firmware`: measures the firmware in its simulator, against goals and peers."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.firmware import motion as bench
from benchmarks.firmware import safety
from benchmarks.firmware.safety import four_lanes, servo_pulses
from benchmarks.report import Figure, Report
from robot.simulator.avr_simulator import AvrSimulator
from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.errors import MissingFileError
from thistlebot.shipped import firmware_workshop, shipped_root

BOARDS = ("uno", "nano", "cnc-shield", "mega", "ramps", "mks-gen-l")
FLASH_LIMITS = {"uno": 24 * 1024, "nano": 24 * 1024, "cnc-shield": 26 * 1024}
"""Bytes; a CNC Shield's drivers have UARTs. The others have 256 KB."""
FUZZED_PACKETS = 1_000_000


@dataclass(frozen=True, slots=True)
class FirmwareFigure(Figure):
    """One measured figure, with the figures of others in the same simulator, as text."""

    peers: str = ""


def firmware(
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure sizes and speeds only; takes seconds.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Build the firmware and measure it cycle by cycle in the AVR simulator; takes two minutes.

    This needs make, a C++ compiler and the AVR tools; if one is missing, the message says how to
    install it. The peers' figures are from the same simulator: ATmega328P at 16 MHz, 400 steps a
    quarter turn, 115200 baud.
    """
    report = Report(json=json, guides=False)
    sources = firmware_workshop(Folders.of_platform().cache, shipped_root())
    build = _build(sources, quick=quick)
    report.show(measure(AvrSimulator(build), build, quick=quick))


def measure(simulator: AvrSimulator, build: Path, *, quick: bool) -> Iterator[FirmwareFigure]:
    """Measure everything, figure by figure; or sizes and speeds only."""
    yield from _sizes(build)
    yield from _speed(simulator)
    if quick:
        return
    yield from _jitter(simulator)
    yield from _gaps(simulator)
    yield from _line(simulator)
    yield from _servos(simulator)
    yield from _safety(simulator)
    yield from _fuzz(build)


def _build(sources: Path, *, quick: bool) -> Path:
    """Build the programs to measure.

    Returns:
        The folder with the binaries and the simulator.

    Raises:
        MissingFileError: A tool is missing, or the build fails.
    """
    targets = [*BOARDS, "simulator", *(() if quick else ("host-test-build",))]
    try:
        done = subprocess.run(
            ["make", "-C", str(sources), *targets],  # noqa: S607 - the user's make
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise MissingFileError(f"cannot run make ({error}): install it") from error
    if done.returncode != 0:
        raise MissingFileError(
            f"cannot build the firmware: run `sh {sources / 'install-tools'}`, then `make -C "
            f"{sources}`:\n"
            f"{done.stderr.strip()[-600:]}"
        )
    return sources / "build"


def _sizes(build: Path) -> Iterator[FirmwareFigure]:
    for board in BOARDS:
        elf = build / board / "thistlebot.elf"
        flash, ram = bench.sizes(elf)
        limit = FLASH_LIMITS.get(board)
        goal = f"≤ {limit}" if limit else ""
        yield FirmwareFigure(f"flash, {board}", flash, "B", goal, not limit or flash <= limit)
        yield FirmwareFigure.at_most(f"RAM, {board}", ram, 1433, "B")


def _speed(simulator: AvrSimulator) -> Iterator[FirmwareFigure]:
    peers = "AccelStepper 2133, SpeedyStepper 6905, FastAccelStepper 37000, GRBL ~30000"
    for rate, share in ((50_000, 0.999), (40_000, 0.999)):
        reached = bench.step_rate(simulator, rate).reached_steps_s
        name = f"steps/s of each of two lanes, set to {rate}"
        goal = "≥ 40000, stretch 50000" if rate == 50_000 else "within 0.1 %"
        yield FirmwareFigure(name, round(reached), "/s", goal, reached >= share * rate, peers)
    for flood in (None, "noise"):
        lanes = four_lanes(simulator, 20_000, flood)
        name = f"steps/s of each of four lanes, mega, {'full' if flood else 'quiet'} line"
        reached = lanes.slowest_steps_s
        yield FirmwareFigure(name, round(reached), "/s", "20000 within 0.1 %", reached >= 19_980)
    peers = "AccelStepper 93/183, SpeedyStepper 38/59, FastAccelStepper 38/38, GRBL 39.8/39.8"
    for motors in (1, 2):
        time_ms = bench.quarter_turn_ms(simulator, motors)
        met = abs(time_ms - 40.0) <= 0.04
        name = f"quarter turn at a = 1e6, {motors} at once"
        yield FirmwareFigure(name, time_ms, "ms", "40 ± 0.04", met, peers)


def _jitter(simulator: AvrSimulator) -> Iterator[FirmwareFigure]:
    peers = "AccelStepper 327, SpeedyStepper 309, FastAccelStepper 6, GRBL 26"
    quiet = bench.jitter_alone(simulator)
    yield FirmwareFigure("jitter, one lane, quiet line", quiet, "cycles", "≤ 4", quiet <= 4, peers)
    flooded = max(bench.jitter_flooded(simulator, flood) for flood in bench.FLOODS)
    yield FirmwareFigure.at_most("jitter, one lane, flooded line", flooded, 100, "cycles")
    colliding = bench.jitter_of_two(simulator)
    yield FirmwareFigure.at_most("jitter, two lanes colliding", colliding, 240, "cycles")


def _gaps(simulator: AvrSimulator) -> Iterator[FirmwareFigure]:
    peers = "AccelStepper 1020, SpeedyStepper 2210, FastAccelStepper 5240, GRBL 750"
    for gap_us in (16, 100, 1000):
        gaps = bench.gaps_us(simulator, gap_us)
        worst = max(gaps, key=lambda gap: abs(gap - gap_us))
        met = all(gap_us - 1 <= gap <= gap_us + 25 for gap in gaps)
        name = f"gap between queued moves, set to {gap_us} µs"
        yield FirmwareFigure(name, worst, "µs", f"{gap_us} to {gap_us + 25}", met, peers)


def _line(simulator: AvrSimulator) -> Iterator[FirmwareFigure]:
    frozen = bench.frozen_host(simulator)
    name = "32 moves, silent compared with flooding host"
    yield FirmwareFigure(name, frozen.largest_shift_us, "µs", "same steps", frozen.same_steps)
    for overlap_degrees in (0, 12):
        times = [bench.solve_time(simulator, overlap_degrees, seed=seed) for seed in range(3)]
        worst_ms = 1000 * max(abs(each.difference_s) for each in times)
        name = f"32 moves, {overlap_degrees}° overlap, compared with their model"
        yield FirmwareFigure.at_most(name, worst_ms, 0.5, "ms", digits=9)
    for flood in bench.FLOODS:
        received, lost = bench.lost_bytes(simulator, flood)
        name = f"bytes lost of {received}, both lanes at 40000/s"
        yield FirmwareFigure(name, lost, "bytes", f"0 ({flood})", lost == 0)


def _servos(simulator: AvrSimulator) -> Iterator[FirmwareFigure]:
    for board, count in (("uno", 2), ("mega", 6)):
        found = [servo_pulses(simulator, board, flood, 40_000) for flood in bench.FLOODS]
        worst_us = max(each.largest_error_us for each in found)
        name = f"{count} servos, {board}, lanes at 40000/s, full line"
        yield FirmwareFigure.at_most(name, worst_us, 2, "µs", digits=9)


def _safety(simulator: AvrSimulator) -> Iterator[FirmwareFigure]:
    latency_us = safety.estop_latency_us(simulator)
    yield FirmwareFigure.at_most("emergency stop to drivers off", latency_us, 15, "µs", digits=9)
    aborts = safety.abort_times(simulator)
    met = aborts.off_detent == 0 and aborts.longest_beyond_ms < 0.1
    name = "abort: last step after the deceleration's end"
    yield FirmwareFigure(name, max(0.0, aborts.longest_beyond_ms), "ms", "0, at detents", met)
    yield FirmwareFigure("abort: longest way to the detent", aborts.longest_ms, "ms", "", met=True)
    for loop in ("main", "steps"):
        dog = safety.watchdog(simulator, loop)
        name = f"watchdog after the {loop} loop hangs"
        yield FirmwareFigure(name, dog.reset_ms, "ms", "drivers off", dog.drivers_off)


def _fuzz(build: Path) -> Iterator[FirmwareFigure]:
    done = subprocess.run(
        [str(build / "host-test"), "fuzz", str(FUZZED_PACKETS)],
        capture_output=True,
        text=True,
        check=False,
    )
    met = done.returncode == 0
    name = "fuzzed packets without a violated rule"
    yield FirmwareFigure(name, FUZZED_PACKETS * met, "", str(FUZZED_PACKETS), met)
