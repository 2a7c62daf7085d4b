"""Measures the motors of a rig: the face that each turns, its direction, steps and speed.

The cube itself is the instrument: after each trial, a look shows what was turned. A motor that
loses steps leaves its face between two detents, where no program can fix it, so the search goes
from safe speeds to faster ones and ends at the first failure.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from calibration.errors import CalibrationError
from cube.moves import FACES, Move, MoveSequence
from cube.state import CubeState
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver

SLOW = 3.0
"""Wiring is checked at a third of the rig's speed."""
FASTER = 0.94
"""Factor from each trial's time to the next one's."""
SLOWER = 1.25
MARGIN = 1.08
"""Factor from the fastest successful trial's time to the stored one."""
LONGEST_SEARCH = 24
_MOST_EASED = 8
SLOWEST = 8.0
VERIFICATION = MoveSequence.parse("R U F' L2 D B R' F2 U' L D2 B' " * 3)
"""Every face, in both directions, with quarter and half turns, forwards and then undone."""


class CubeObserver(Protocol):
    """Looks at the cube."""

    def state(self) -> CubeState | None:
        """Return the state of the cube, None if it cannot be read."""


class Operator(Protocol):
    """The search's interface to the world besides the observer."""

    def align(self, faces: str) -> None:
        """Ask the person to align faces, and to restore the cube to its state before the trials."""

    def note(self, text: str) -> None:
        """Tell the person a result."""


@dataclass(frozen=True, slots=True)
class MotorResult:
    """The result for the motor of a face.

    Attributes:
        face: The face.
        motor: Its values, as they are written.
        quarter_ms: Modelled time of a quarter turn with them.
        fastest_ms: Time of the fastest successful trial.
        failed_ms: Time of the trial that failed, None if no faster one was possible.
    """

    face: str
    motor: Motor
    quarter_ms: float
    fastest_ms: float
    failed_ms: float | None


@dataclass(frozen=True, slots=True)
class SpeedTrial:
    """One trial of a search for the fastest speed of a face, or the shortest time of an action.

    Attributes:
        face: The face, or the name of the action.
        number: Trials of this face or action, from 1.
        rate_steps_s: Highest rate of the trial; 0 for an action.
        acceleration_steps_s2: Its acceleration; 0 for an action.
        quarter_ms: Modelled time of a quarter turn with them, or the time of the action.
        held: Whether it lost no step, or the action arrived.
    """

    face: str
    number: int
    rate_steps_s: int
    acceleration_steps_s2: int
    quarter_ms: float
    held: bool


def slowed(motor: Motor, factor: float) -> Motor:
    """Return a motor with turns slower by a factor, with ramps of the same shape.

    Rates and accelerations stay within the board's range.
    """

    def within(key: Setting, value: float) -> int:
        setting = SETTING_BY_KEY[key]
        return min(setting.maximum, max(setting.minimum, round(value)))

    rate = within(Setting.RATE_STEPS_S, motor.rate_steps_s / factor)
    acceleration = within(Setting.ACCELERATION_STEPS_S2, motor.acceleration_steps_s2 / factor**2)
    return msgspec.structs.replace(motor, rate_steps_s=rate, acceleration_steps_s2=acceleration)


class Trials(ABC):
    """The common parts of trials with a cube in the rig.

    Args:
        driver: The rig, connected.
        rig: The known values.
        observer: Looks at the cube.
        operator: The person, or a replacement.
        lanes: Number of motors that turn at once; by default that of the rig file.

    Attributes:
        rig: The rig with the results so far.
    """

    def __init__(
        self,
        driver: RigDriver,
        rig: FaceMotors,
        observer: CubeObserver,
        operator: Operator,
        lanes: int | None = None,
    ) -> None:
        self.rig = rig
        self._driver = driver
        self._observer = observer
        self._operator = operator
        self._lanes = lanes

    def verify(self) -> FaceMotors:
        """Turn all faces through a long sequence and back; reduce the values until it succeeds.

        Raises:
            CalibrationError: It never succeeds.
            RigError: The rig stopped.
            LinkError: The board is lost.
        """
        there = MoveSequence(tuple(move for move in VERIFICATION if move.face in self.rig.motors))
        for _ in range(_MOST_EASED):
            if self._turns_as_planned(there):
                return self.rig
            eased = self._eased()
            self._put_straight(self.rig.faces)
            self.rig = eased
        raise CalibrationError(self._never_holds)

    _never_holds: str

    @abstractmethod
    def _eased(self) -> FaceMotors:
        """Tell the person that the values do not work together; return reduced ones."""

    def _turns_as_planned(self, there: MoveSequence) -> bool:
        """Turn there and back, and return whether the cube was right both times."""
        state = self._look()
        for moves in (there, there.inverse()):
            self._run(self.rig, self.rig.plan(moves, self._lanes))
            state = state.apply(moves)
            if self._observer.state() != state:
                return False
        return True

    def _put_straight(self, faces: str) -> None:
        """Ask the person to align faces by hand."""
        self._driver.release()
        self._operator.align(faces)

    def _look(self) -> CubeState:
        state = self._observer.state()
        if state is None:
            raise CalibrationError(
                "the cube cannot be read before the trial: calibrate the colours and the "
                "cameras first, and align all faces"
            )
        return state

    def _run(self, rig: FaceMotors, program: RigProgram) -> None:
        self._driver.use(rig)
        self._driver.prepare()
        self._driver.run(program)


class MotorCalibration(Trials):
    """Calibrates the motors of one rig with a cube in it."""

    _never_holds = (
        "the motors lose steps when they turn one after the other: give the rig a longer "
        "gap_us, or its motors more current"
    )

    def check_wiring(self) -> FaceMotors:
        """Turn each face once, slowly, look at the effect, and correct the motor's values.

        Returns:
            The corrected rig.

        Raises:
            CalibrationError: The effect of a turn has no explanation: the message says what to
                check.
            RigError: The rig stopped.
            LinkError: The board is lost.
        """
        found: dict[str, Motor] = {}
        for face, motor in self.rig.motors.items():
            before = self._look()
            slow = self._with({face: slowed(motor, SLOW)})
            self._turn(slow, [Move(face, 1)])
            turned = self._explain(face, before)
            self._turn(slow, [Move(face, 3)])
            direction = motor.direction if turned.turns in (1, 2) else -motor.direction
            microsteps = motor.microsteps
            if turned.turns == 2:
                microsteps //= 2
                self._operator.note(
                    f"{face}: turned twice as far as expected: {microsteps} microsteps"
                )
            if turned.face != face:
                self._operator.note(f"{face}: its channel {motor.channel} turns {turned.face}")
            if direction != motor.direction:
                self._operator.note(f"{face}: turned in the wrong direction: direction {direction}")
            if turned.face in found:
                raise CalibrationError(
                    f"two channels turn face {turned.face}: check the couplers and the wiring"
                )
            found[turned.face] = msgspec.structs.replace(
                motor, direction=direction, microsteps=microsteps
            )
        motors = {face: found[face] for face in FACES if face in found}
        self.rig = msgspec.structs.replace(self.rig, motors=motors)
        return self.rig

    def search_speed(self, face: str) -> Generator[SpeedTrial, None, MotorResult]:
        """Search the fastest reliable quarter turn of a motor, and yield each trial.

        Nothing moves between two trials, so a caller stops the search by requesting no more; the
        motor's values are then unchanged. After a failed trial the face is between two detents;
        only a search that continues asks to align it.

        Returns:
            The result, after the last trial.

        Raises:
            CalibrationError: It loses steps even at the lowest speed.
            RigError: The rig stopped.
            LinkError: The board is lost.
        """
        motor = self.rig.motor(face)
        factor, good, bad = 1.0, None, None
        for number in range(1, LONGEST_SEARCH + 1):
            trial = slowed(motor, factor)
            held = self._holds(face, trial)
            rate, acceleration = trial.rate_steps_s, trial.acceleration_steps_s2
            yield SpeedTrial(face, number, rate, acceleration, _ms(trial), held)
            if held:
                good = factor
                faster = slowed(motor, factor * FASTER)
                if bad is not None or faster.turn(1).duration_s >= trial.turn(1).duration_s:
                    break
                factor *= FASTER
            else:
                self._put_straight(face)
                bad = factor
                if good is not None:
                    break
                factor *= SLOWER
                if factor > SLOWEST:
                    break
        if good is None:
            raise CalibrationError(
                f"face {face} loses steps even at {_ms(slowed(motor, factor)):.0f} ms per "
                "quarter turn: check the motor's current, its supply and whether the face "
                "turns easily"
            )
        made = slowed(motor, good * MARGIN)
        failed_ms = None if bad is None else _ms(slowed(motor, bad))
        self.rig = self._with({face: made})
        fastest_ms = _ms(slowed(motor, good))
        self._operator.note(
            f"{face}: {fastest_ms:.1f} ms per quarter turn is reliable"
            + ("" if failed_ms is None else f", {failed_ms:.1f} ms is not")
            + f"; set to {_ms(made):.1f} ms"
        )
        return MotorResult(face, made, _ms(made), fastest_ms, failed_ms)

    def _eased(self) -> FaceMotors:
        self._operator.note("they lose steps together: all of them slowed by a tenth")
        return self._with({face: slowed(motor, 1.1) for face, motor in self.rig.motors.items()})

    def _holds(self, face: str, motor: Motor) -> bool:
        """Turn a face in one direction only, so that lost steps add up, and look twice."""
        rig = self._with({face: motor})
        expected = self._look()
        for turns in ((1,) * 5, (2, 2, 2, 1), (3, 3)):
            self._turn(rig, [Move(face, quarters) for quarters in turns])
            for quarters in turns:
                expected = expected.apply(Move(face, quarters))
            if self._observer.state() != expected:
                return False
        # Twelve quarters one way, two the other: after two more the cube is as before.
        self._turn(rig, [Move(face, 3), Move(face, 3)])
        return True

    def _explain(self, face: str, before: CubeState) -> Move:
        after = self._observer.state()
        if after == before:
            raise CalibrationError(
                f"face {face} did not turn: check the motor's supply and cable, its channel and "
                f"`microsteps` in the rig file, then try `thistlebot try {face}`"
            )
        for turned in (Move(name, turns) for name in FACES for turns in (1, 3, 2)):
            if after == before.apply(turned):
                return turned
        raise CalibrationError(
            f"after a quarter turn of {face}, the cube cannot be read or shows more than one "
            "turn: align all faces, and check that `microsteps` in the rig file matches the "
            "driver"
        )

    def _turn(self, rig: FaceMotors, moves: Sequence[Move]) -> None:
        self._run(rig, rig.plan_steps(MoveSequence((move,)) for move in moves))

    def _with(self, motors: dict[str, Motor]) -> FaceMotors:
        return msgspec.structs.replace(self.rig, motors=self.rig.motors | motors)


def _ms(motor: Motor) -> float:
    return motor.turn(1).duration_s * 1000
