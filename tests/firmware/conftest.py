"""The firmware in the simulator, in simulated time."""

from pathlib import Path

import pytest
from avr_simulator import AvrSimulator, Script


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def simulator(firmware_build: Path) -> AvrSimulator:
    return AvrSimulator(firmware_build)
