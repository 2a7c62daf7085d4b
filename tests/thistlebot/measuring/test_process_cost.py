"""What processes cost: their own time and memory, and nobody else's."""

import sys

import numpy as np
import pytest

from thistlebot.errors import ComputerError
from thistlebot.measuring.process_cost import process_cost


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_processor_time_and_memory_are_those_of_the_process() -> None:
    ballast = np.ones(25_000_000)  # 200 MB of this process
    idle = process_cost(python("import time; time.sleep(0.4); print('nobody reads this')"))
    busy = process_cost(python("import time\nwhile time.process_time() < 0.5: pass"))
    large = process_cost(python("held = bytes(range(256)) * 400_000"))
    assert busy.cpu_s >= 0.5 > idle.cpu_s
    assert idle.peak_mb < 100 < 8e-6 * ballast.size
    assert idle.peak_mb + 90 < large.peak_mb < idle.peak_mb + 200


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(ComputerError, match="no such cube"):
        process_cost(python("raise SystemExit('no such cube')"))
    with pytest.raises(ComputerError, match="no-such-program"):
        process_cost(["/no-such-program"])


def test_a_command_is_waited_for_only_so_long() -> None:
    with pytest.raises(ComputerError, match=r"0\.5 s"):
        process_cost(python("import time; time.sleep(5)"), timeout_s=0.5)
