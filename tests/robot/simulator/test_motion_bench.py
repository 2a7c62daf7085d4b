from pathlib import Path

import pytest

from robot.simulator.avr_simulator import AvrSimulator
from robot.simulator.motion_bench import gaps_us


@pytest.mark.avr
@pytest.mark.parametrize("gap_us", [63, 2000])
def test_gaps_between_moves_are_those_that_are_set(firmware_build: Path, gap_us: int) -> None:
    gaps = gaps_us(AvrSimulator(firmware_build), gap_us)
    assert len(gaps) == 4
    assert all(gap_us - 1 <= gap <= gap_us + 30 for gap in gaps), gaps
