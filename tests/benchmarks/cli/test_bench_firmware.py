"""The verb `bench firmware`: its goals, on the real firmware in the simulator."""

from pathlib import Path

import pytest

from benchmarks.cli.firmware import _safety
from robot.simulator.avr_simulator import AvrSimulator
from run_thistlebot import records


@pytest.mark.avr
def test_the_emergency_stop_is_in_time_and_said_to_be(firmware_build: Path) -> None:
    figure = next(_safety(AvrSimulator(firmware_build)))
    assert figure.name == "emergency stop to drivers off"
    assert 0 < figure.value <= 100
    assert figure.met


@pytest.mark.avr
@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("firmware_build")
def test_bench_firmware_meets_every_goal() -> None:
    figures = records("bench", "firmware")
    assert len(figures) >= 25
    assert [figure["name"] for figure in figures if not figure["met"]] == []
