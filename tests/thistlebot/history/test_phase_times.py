"""How long a run was in each phase."""

from thistlebot.history.phase_times import phase_times
from thistlebot.runs.events import Entered, Looked, Phase


def test_a_phase_lasts_until_the_next_one() -> None:
    timed = [
        (0.1, Entered(Phase.SCAN)),
        (0.5, Looked(1, 1)),
        (0.75, Entered(Phase.DECODE)),
        (1.0, Entered(Phase.DONE)),
    ]
    assert phase_times(timed) == [(Phase.SCAN, 0.75), (Phase.DECODE, 0.25)]
    assert phase_times([]) == []


def test_a_run_that_was_cut_off_lasts_until_it_was_heard_of_last() -> None:
    timed = [(0.0, Entered(Phase.SCAN)), (0.5, Looked(1, 2))]
    assert phase_times(timed) == [(Phase.SCAN, 0.5)]
