from pathlib import Path

import pytest

from robot.simulator.avr_simulator import AvrSimulator
from thistlebot.cli.bench.firmware import _safety


@pytest.mark.avr
def test_the_emergency_stop_is_in_time_and_said_to_be(firmware_build: Path) -> None:
    figure = next(_safety(AvrSimulator(firmware_build)))
    assert figure.name == "emergency stop to drivers off"
    assert 0 < figure.value <= 100
    assert figure.met
