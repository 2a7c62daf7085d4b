from pathlib import Path

import pytest

from robot.simulator.avr_simulator import AvrSimulator
from robot.simulator.motion_bench import jitter_alone


@pytest.mark.avr
def test_steps_of_one_motor_come_evenly_on_a_quiet_line(firmware_build: Path) -> None:
    assert 0 <= jitter_alone(AvrSimulator(firmware_build)) <= 4
