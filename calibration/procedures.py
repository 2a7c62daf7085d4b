"""Complete calibrations of motors and actuators, step by step, for any front end.

Each procedure yields what begins, each trial and each result. Nothing moves between two of them, so
a caller that requests no further one has stopped it. A front end shows them, and its `Person` asks;
the order of the steps, and the values that may be stored at the end, are decided here.
"""

from collections.abc import Collection, Generator
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

import msgspec

from calibration.action_times import TimeCalibration, TimeResult
from calibration.actuators import ActuatorCalibration, Person
from calibration.corners import CornerCalibration, CornerResult, without_corners
from calibration.motors import CubeObserver, MotorCalibration, MotorResult, Operator, SpeedTrial
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from robot.running.driver import RigDriver


@dataclass(frozen=True, slots=True)
class StepBegan:
    """A step of a procedure begins.

    Attributes:
        doing: ``wiring``, ``speed``, ``verify``, ``places`` or ``times``; empty for a pause.
        part: The face, the part or the action; empty for all of them.
    """

    doing: str
    part: str = ""


Told: TypeAlias = StepBegan | SpeedTrial | MotorResult | CornerResult | TimeResult
_ToldT = TypeVar("_ToldT")
_MadeT = TypeVar("_MadeT")


def motors_procedure(
    driver: RigDriver,
    rig: Mechanism,
    observer: CubeObserver,
    operator: Operator,
    faces: Collection[str],
    *,
    corners: bool,
) -> Generator[Told, None, FaceMotors]:
    """Check the wiring, search each motor's fastest speed, and how early turns may begin.

    The angles of the rig file belong to the old speeds. If a turn jams with them, the motors are
    not too fast, so speeds are verified without them. Then they are measured again, or those of the
    file are reduced until they work at the new speeds.

    Args:
        driver: The rig, connected, with a solved cube in it.
        rig: The known values.
        observer: Looks at the cube.
        operator: The person, or a replacement.
        faces: The faces whose speeds are searched.
        corners: Measure the angles, if the board can overlap turns.

    Returns:
        The rig to store.

    Raises:
        NotPossibleError: It does not have one motor per face.
        CalibrationError: A motor or the cube behaves unexpectedly.
        RigError: The rig stopped.
        LinkError: The board is lost.
    """
    if not isinstance(rig, FaceMotors):
        raise NotPossibleError(
            f"rig {rig.name!r} does not have a motor for each face: only such rigs can be measured"
        )
    try:
        yield StepBegan("wiring")
        speeds = MotorCalibration(driver, without_corners(rig), observer, operator)
        speeds.check_wiring()
        for face in [face for face in speeds.rig.motors if face in faces]:
            yield StepBegan("speed", face)
            yield (yield from speeds.search_speed(face))
        yield StepBegan("verify")
        made = speeds.verify()
        if rig.board is not None:
            return made  # a controller that speaks G-code cannot overlap turns
        cutting = CornerCalibration(driver, made, observer, operator, driver.lanes)
        if not corners:
            if not rig.corners.widest_deg:
                return made
            cutting.rig = msgspec.structs.replace(made, corners=rig.corners)
            return cutting.verify()
        found = cutting.find_all()
        made = cutting.verify()
        angles = {each.key: getattr(made.corners, each.key) for each in found}
        for each in found:
            yield replace(each, angle_deg=angles[each.key])
        kept = msgspec.structs.replace(rig.corners, **angles)
        return msgspec.structs.replace(made, corners=kept)
    finally:
        driver.use(rig)  # until the results are saved


def parts_procedure(
    driver: RigDriver, rig: ActionMachine, person: Person, parts: Collection[str], *, times: bool
) -> Generator[Told, None, ActionMachine]:
    """Find the position of each part at its places, and the shortest times of the actions.

    Args:
        driver: The board, connected.
        rig: The known values of the machine.
        person: The person who looks and answers.
        parts: Only these parts, and actions that move one of them; empty for all.
        times: Also find the shortest times of actions.

    Returns:
        The machine to store.

    Raises:
        CalibrationError: A part behaves unexpectedly.
        RigError: The board refuses.
        LinkError: The board is lost.
    """
    wanted = parts or rig.variables
    try:
        places = ActuatorCalibration(driver, rig, person)
        yield StepBegan("places")
        places.begin()
        for name in wanted:
            yield StepBegan("places", name)
            places.find(name)
        if not times:
            return places.rig
        yield StepBegan("")
        person.do("Put in a solved cube.")
        timing = TimeCalibration(driver, places.rig, person)
        for number, rule in enumerate(timing.rig.actions):
            if timing.timed(rule) and set(rule.change) & set(wanted):
                yield StepBegan("times", rule.name)
                result = yield from timing.search(number)
                if result is not None:
                    yield result
        return timing.rig
    finally:
        driver.use(rig)  # until the results are saved


def finished(procedure: Generator[_ToldT, None, _MadeT]) -> tuple[list[_ToldT], _MadeT]:
    """Run a procedure to its end; return what it yielded, and its result."""
    told: list[_ToldT] = []
    while True:
        try:
            told.append(next(procedure))
        except StopIteration as end:
            made: _MadeT = end.value
            return told, made
