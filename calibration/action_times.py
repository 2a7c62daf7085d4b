"""Finds the shortest times of a machine's actions, with a person who looks.

A board gives a servo a fixed time to arrive: a long time makes every solve slow, a short one drops
the cube. Each trial takes less time, and the first one that is too short ends the search.
"""

import itertools
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import msgspec

from calibration.actuators import MachineCalibration, Person
from calibration.errors import CalibrationError
from calibration.motors import SpeedTrial
from robot.errors import NotPossibleError
from robot.protocol.messages import DWELL_MS
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.program import program_of
from robot.rigs.action_machine.rig_file import LONGEST_DWELL_MS, ActionRule
from robot.rigs.action_machine.transitions import Stride, hurried
from robot.running.driver import RigDriver

FASTER = 0.85
"""Factor from each trial's time to the next one's."""
SLOWER = 1.25
MARGIN = 1.15
"""Factor from the shortest successful trial to the stored time."""
LEISURE_MS = 1000
"""Addition to the times of the movements before and after a trial."""
TIMES = 2
"""Repetitions of a trial: a single movement is easily missed."""


@dataclass(frozen=True, slots=True)
class TimeResult:
    """The result for an action.

    Attributes:
        action: Its name.
        time_ms: Stored times.
        enough_ms: The shortest successful trials, by one place, by two and so on.
        before_ms: Previous times.
    """

    action: str
    time_ms: tuple[int, ...]
    enough_ms: tuple[int, ...]
    before_ms: tuple[int, ...]


class TimeCalibration(MachineCalibration):
    """Calibrates the times of one machine whose places are right, with a cube in it."""

    def __init__(self, driver: RigDriver, rig: ActionMachine, person: Person) -> None:
        super().__init__(driver, rig, person)
        driver.use(rig)  # its places count; the times are in the trials

    def timed(self, rule: ActionRule) -> bool:
        """Return whether the board waits for an action as long as its file says: not for motors."""
        return any(self.rig.variables[name].motor is None for name in rule.change)

    def search(self, number: int) -> Generator[SpeedTrial, None, TimeResult | None]:
        """Find the times of an action; yield each trial after the person has looked.

        Nothing moves between two trials, so a caller stops the search by requesting no more; the
        action's times are then unchanged.

        Args:
            number: The action's place in the rig file.

        Returns:
            The result, after the last trial; None if no action undoes this one, so that nobody can
            see it.

        Raises:
            CalibrationError: It never arrives.
            RigError: The board stopped.
            LinkError: The board is lost.
        """
        rule = self.rig.actions[number]
        enough, numbers = list[int](), itertools.count(1)
        for places in range(1, len(rule.time_ms) + 1):
            try:
                self.rig.trial(rule, places, undone=True)
            except NotPossibleError:
                self._person.note(f"{rule.name}: no action reverses it, so its time is unchanged")
                return None
            enough.append((yield from self._shortest(rule, places, numbers)))
        made = [min(LONGEST_DWELL_MS, _rounded_up(each * MARGIN)) for each in enough]
        made = [max(made[: place + 1]) for place in range(len(made))]
        rules = list(self.rig.actions)
        rules[number] = msgspec.structs.replace(rule, time_ms=tuple(made))
        self.rig = msgspec.structs.replace(self.rig, actions=tuple(rules))
        self._person.note(f"{rule.name}: {_list(enough)} ms is enough; set to {_list(made)} ms")
        return TimeResult(rule.name, tuple(made), tuple(enough), rule.time_ms)

    def _shortest(
        self, rule: ActionRule, places: int, numbers: Iterator[int]
    ) -> Generator[SpeedTrial, None, int]:
        trial_ms, enough_ms = rule.time_ms[places - 1], 0
        while True:
            trial_ms = min(LONGEST_DWELL_MS, trial_ms)
            arrived = self._arrives(rule, places, trial_ms)
            yield SpeedTrial(rule.name, next(numbers), 0, 0, float(trial_ms), arrived)
            if arrived:
                enough_ms = trial_ms
                trial_ms = int(trial_ms * FASTER) // DWELL_MS * DWELL_MS
                if not trial_ms:
                    return enough_ms
            else:
                self._person.do("Align the parts that were moved, and put the cube back in place.")
                self._driver.use(self.rig)  # to bring everything to its start again
                if enough_ms:
                    return enough_ms
                if trial_ms == LONGEST_DWELL_MS:
                    raise CalibrationError(
                        f"{rule.name!r} does not arrive within {LONGEST_DWELL_MS} ms: check "
                        "the servo's supply, and remove anything that blocks it"
                    )
                trial_ms = _rounded_up(trial_ms * SLOWER)

    def _arrives(self, rule: ActionRule, places: int, time_ms: int) -> bool:
        before, stride, after = self.rig.trial(rule, places, undone=True)
        way = [*map(_leisurely, before), hurried(stride, time_ms), *map(_leisurely, after)]
        program = program_of(self.rig, way * TIMES, self.rig.start_pose)
        self._driver.prepare()
        self._driver.run(program, self._person.follow)
        variables = list(self.rig.variables.items())
        moved = [(*variables[number], place) for number, _, place, _ in stride.deeds[0].change]
        places_told = ", ".join(
            f"the {name} at {variable.places[place]!r}" for name, variable, place in moved
        )
        question = f"{rule.name}, {time_ms} ms: was {places_told} before it went back?"
        pulses_us = {
            variable.servo: variable.pulse_us[place]
            for _, variable, place in moved
            if variable.servo is not None
        }
        return self._person.arrived(question, len(before) + 1, pulses_us)


def _leisurely(stride: Stride) -> Stride:
    """Return a stride with spare time: the stored times may be too short for it, too."""
    return hurried(stride, min(LONGEST_DWELL_MS, stride.time_ms + LEISURE_MS))


def _rounded_up(time_ms: float) -> int:
    """Round a time up to a whole number of the board's dwells."""
    return -int(-time_ms // DWELL_MS) * DWELL_MS


def _list(times_ms: list[int]) -> str:
    return ", ".join(map(str, times_ms))
