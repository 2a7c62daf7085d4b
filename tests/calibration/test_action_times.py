"""Times of a machine's actions, found on the virtual machine whose arms have a speed."""

import itertools
import re

import msgspec
import pytest
from benches import Bench, Notes, machine

from calibration.action_times import FASTER, MARGIN, TimeCalibration
from calibration.errors import CalibrationError
from calibration.procedures import finished
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.running.program_run import RunProgress
from robot.virtual.virtual_rig import VirtualRig

FAST = machine("cubotino-fast")


class Looking(Notes):
    """A person who sees where the arms are when the next step begins."""

    def __init__(self, virtual: VirtualRig) -> None:
        super().__init__()
        self._virtual = virtual
        self._arms_us: dict[int, list[float]] = {}

    def align(self, _: str) -> None:
        raise AssertionError("no face is turned")

    def answer(self, *_: str) -> str:
        raise AssertionError("no place is asked for")

    def follow(self, progress: RunProgress) -> None:
        self._arms_us[progress.executed] = [a.at_us for a in self._virtual.parts.servos]

    def arrived(self, question: str, steps: int, pulses_us: dict[int, int]) -> bool:
        self.asked.append(question)
        return all(
            abs(self._arms_us[steps][servo] - pulse_us) < 1 for servo, pulse_us in pulses_us.items()
        )


def bench(rig: ActionMachine, speed_us_s: float) -> tuple[TimeCalibration, Looking]:
    made = Bench(rig)
    for arm in made.virtual.parts.servos:
        arm.speed_us_s = speed_us_s
    made.driver.connect()
    person = Looking(made.virtual)
    return TimeCalibration(made.driver, rig, person), person


@pytest.mark.parametrize(("speed_us_s", "actions"), [(6000.0, (1, 2, 5, 6)), (1200.0, (0,))])
def test_what_is_written_is_enough_and_not_much_more(
    speed_us_s: float, actions: tuple[int, ...]
) -> None:
    """Of one action of each kind; how long its way is, is told by its name."""
    calibration, person = bench(FAST, speed_us_s)
    for number, rule in ((number, FAST.actions[number]) for number in actions):
        _, result = finished(calibration.search(number))
        assert result is not None
        for places, (time_ms, enough_ms) in enumerate(
            zip(result.time_ms, result.enough_ms, strict=True), start=1
        ):
            way_us = {
                "turn": 900 * places,
                "flip": 1000 if "closed" in rule.name else 700,
                "lowe": 1000 if "close" in rule.name else 700,
                "open": 300,
                "clos": 300,
            }[rule.name[:4]]
            needed_ms = 1000 * way_us / speed_us_s
            assert needed_ms - 1 <= enough_ms <= max(needed_ms + 40, needed_ms / FASTER + 20)
            assert enough_ms * MARGIN <= time_ms <= enough_ms * MARGIN + 10
        assert calibration.rig.actions[number].time_ms == result.time_ms
    for before, after in itertools.pairwise(person.asked):
        assert before != after


def test_a_trial_that_did_not_arrive_is_put_straight_before_the_next() -> None:
    calibration, person = bench(FAST, 6000.0)
    trials = list(calibration.search(0))
    assert [trial.held for trial in trials].count(False) == 2  # by one place and by two
    assert len(person.told) == 2
    assert len(person.asked) == len(trials)
    assert re.search(r"turn the cube, 460 ms.*\bholder .*'right'", person.asked[0])
    assert person.notes[-1].startswith("turn the cube: ")
    assert [trial.number for trial in trials] == list(range(1, len(trials) + 1))
    failed = [trial.held for trial in trials].index(False)
    first = [trial.quarter_ms for trial in trials[: failed + 1]]
    assert first == sorted(first, reverse=True)


def test_a_servo_that_is_too_weak_is_told_and_what_nothing_takes_back_keeps_its_time() -> None:
    calibration, _ = bench(FAST, 200.0)
    with pytest.raises(CalibrationError, match=r"'flip the cube' .* 2550 ms"):
        finished(calibration.search(2))
    rules = [rule for rule in FAST.actions if not rule.name.startswith("lower the lifter")]
    lowering = FAST.actions[5]
    rig = msgspec.structs.replace(FAST, actions=(*rules, lowering))
    calibration, person = bench(rig, 6000.0)
    assert finished(calibration.search(2)) == ([], None)
    assert [note.startswith("flip the cube: ") for note in person.notes] == [True]
    assert calibration.rig == rig
    assert person.asked == []


def test_only_what_the_board_waits_for_is_timed_and_a_search_can_be_left() -> None:
    mindcub3r = machine("mindcub3r")
    calibration, _ = bench(mindcub3r, 6000.0)
    timed = [rule.name for rule in mindcub3r.actions if calibration.timed(rule)]
    assert timed == [rule.name for rule in mindcub3r.actions if "arm" in rule.change]
    calibration, _ = bench(FAST, 6000.0)
    search = calibration.search(0)
    assert next(search).held
    search.close()
    assert calibration.rig == FAST
