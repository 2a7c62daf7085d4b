"""Measures how well a cube cuts corners in a rig: the widest safe angle of each transition.

As for speeds, the cube itself is the instrument, and the search goes from safe angles to wider ones
and ends at the first failure: a jammed face may stay between two detents. A trial turns each face
before and after others, in only one kind of transition, so a failure belongs to that kind.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import msgspec

from calibration.motors import CubeObserver, Operator, Trials
from cube.moves import FACES, OPPOSITE_FACE, Move, MoveSequence
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import (
    MOST_CORNER_DEG,
    NO_CORNERS,
    PAIR_KEYS,
    SINGLE_KEYS,
    Corners,
)
from robot.rigs.face_motors.transitions import LANES, overlap_steps
from robot.rigs.motor import DEGREES_PER_QUARTER
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver

FIRST_DEG = 12.0
"""The first angle of a search, which any cube with corner cutting allows."""
STEP_DEG = 1.5
MARGIN_DEG = 1.5
"""Difference between the widest successful trial and the stored angle."""
_BEGIN = 0.6
"""Share of a simpler transition's angle at which the search for a harder one begins."""

Transition = tuple[MoveSequence, MoveSequence]
"""The turns that end, and those that begin."""


@dataclass(frozen=True, slots=True)
class CornerResult:
    """The result for a kind of transition.

    Attributes:
        key: Its key in the rig file.
        angle_deg: The stored angle; 0 if it must wait.
        widest_deg: The widest successful trial; 0 if none succeeded.
        failed_deg: The trial that failed, None if the board allows no wider one.
    """

    key: str
    angle_deg: float
    widest_deg: float
    failed_deg: float | None


def transitions_of(key: str, faces: str = FACES) -> list[Transition]:
    """Return transitions of one kind, in which each face ends and begins, also after half turns.

    Args:
        key: A key of `Corners`.
        faces: The faces with a motor.
    """
    paired = [(False, True), (True, False), (True, True)]
    shapes = [(False, False)] if key in SINGLE_KEYS else paired
    found = []
    for (ends_paired, begins_paired), half in product(shapes, (False, True)):
        for number, (one, other) in enumerate(_neighbours(faces, ends_paired, begins_paired)):
            way = 1 if number % 2 else -1
            ending = _turns(one, way, half=half, paired=ends_paired)
            beginning = _turns(other, way, half=False, paired=begins_paired)
            if key.startswith("cut"):
                beginning = [move.inverse() for move in beginning]
            elif key in PAIR_KEYS and number // 2 % 2:  # only one of the pair turns the same way
                mixed = beginning if begins_paired else ending
                mixed[number // 4 % 2] = mixed[number // 4 % 2].inverse()
            found.append((MoveSequence.of(ending), MoveSequence.of(beginning)))
    return found


def _neighbours(faces: str, ends_paired: bool, begins_paired: bool) -> Iterator[tuple[str, str]]:
    """Yield faces that end and faces that begin; of a pair only the first is named."""
    firsts = [face for face in faces if FACES.index(face) < 3 and OPPOSITE_FACE[face] in faces]
    for one in firsts if ends_paired else faces:
        for other in firsts if begins_paired else faces:
            if (FACES.index(one) - FACES.index(other)) % 3:
                yield one, other


def _turns(face: str, way: int, *, half: bool, paired: bool) -> list[Move]:
    quarters = 2 if half else way % 4
    turned = (face, OPPOSITE_FACE[face]) if paired else (face,)
    return [Move(each, quarters) for each in turned]


class CornerCalibration(Trials):
    """Finds the angles of one rig with a cube in it, at the speeds of its file.

    Args:
        driver: The rig, connected.
        rig: The known values; its angles are measured again.
        observer: Looks at the cube.
        operator: The person, or a replacement.
        lanes: Number of motors that the board turns at once; pairs are measured with four.
    """

    _never_holds = (
        "overlapping turns jam the cube even at narrow angles: leave [corners] out of the "
        "rig file, or loosen the cube"
    )

    def __init__(
        self,
        driver: RigDriver,
        rig: FaceMotors,
        observer: CubeObserver,
        operator: Operator,
        lanes: int,
    ) -> None:
        super().__init__(driver, without_corners(rig), observer, operator, lanes)
        self._pairs = lanes > LANES and rig.parallel

    def find_all(self) -> list[CornerResult]:
        """Measure every kind of transition that rig and board can overlap.

        Raises:
            CalibrationError: The cube cannot be read.
            RigError: The rig stopped.
            LinkError: The board is lost.
        """
        keys = SINGLE_KEYS + (PAIR_KEYS if self._pairs else ())
        widest: dict[str, float] = {}
        results = []
        for key in keys:
            first_deg = max([FIRST_DEG, *(_BEGIN * angle_deg for angle_deg in widest.values())])
            result = self.find(key, round(first_deg))
            widest[key] = result.widest_deg
            results.append(result)
        if self.rig.parallel:
            results.append(self._find_opposite())
        return results

    def find(self, key: str, first_deg: float = FIRST_DEG) -> CornerResult:
        """Search the widest angle of one kind of transition without a jam.

        Raises:
            CalibrationError: The cube cannot be read.
            RigError: The rig stopped.
            LinkError: The board is lost.
        """
        groups = [moves for pair in transitions_of(key, self.rig.faces) for moves in pair]
        angle_deg, widest_deg, failed_deg = first_deg, 0.0, None
        program = self._only(key, 0.0).plan_steps(groups, self._lanes)
        while True:
            wider = self._only(key, angle_deg).plan_steps(groups, self._lanes)
            if wider == program:
                break  # as wide as the board allows
            if not self._holds(wider):
                failed_deg = angle_deg
                self._put_straight(self.rig.faces)
                break
            program, widest_deg = wider, angle_deg
            if angle_deg == MOST_CORNER_DEG:
                break
            angle_deg = min(MOST_CORNER_DEG, angle_deg + STEP_DEG)
        most_deg = self._most_deg() if failed_deg is None else widest_deg - MARGIN_DEG
        made_deg = round(max(0.0, min(widest_deg, most_deg)), 1)
        return self._keep(CornerResult(key, made_deg, widest_deg, failed_deg))

    def _find_opposite(self) -> CornerResult:
        """Return the earliest start that the board allows: opposite faces never collide."""
        angle_deg = self._most_deg()
        pairs = [face + OPPOSITE_FACE[face] for face in "URF"]
        whole = [pair for pair in pairs if set(pair) <= set(self.rig.faces)]
        groups = [MoveSequence((Move(face, 1),)) for pair in whole for face in pair]
        if not groups or self._holds(self._only("opposite", angle_deg).plan_steps(groups)):
            return self._keep(CornerResult("opposite", angle_deg, angle_deg, None))
        self._put_straight(self.rig.faces)
        return self._keep(CornerResult("opposite", 0.0, 0.0, angle_deg))

    def _eased(self) -> FaceMotors:
        self._operator.note(f"they jam together: all angles reduced by {STEP_DEG:g}°")
        return self._with(self.rig.corners.widened(-STEP_DEG))

    def _holds(self, program: RigProgram) -> bool:
        """Turn a program, look, and undo it step by step."""
        expected = self._look().apply(program.moves)
        self._run(self.rig, program)
        if self._observer.state() != expected:
            return False
        back = [step.moves.inverse() for step in reversed(program.steps)]
        self._run(self.rig, without_corners(self.rig).plan_steps(back))
        return True

    def _keep(self, result: CornerResult) -> CornerResult:
        changed = {result.key: result.angle_deg}
        self.rig = self._with(msgspec.structs.replace(self.rig.corners, **changed))
        failed = "" if result.failed_deg is None else f", {result.failed_deg:g}° jams"
        self._operator.note(
            f"{result.key}: {result.widest_deg:g}° is reliable{failed}; set to "
            f"{result.angle_deg:g}°"
        )
        return result

    def _only(self, key: str, angle_deg: float) -> FaceMotors:
        return self._with(Corners(**{key: angle_deg}))

    def _with(self, corners: Corners) -> FaceMotors:
        return msgspec.structs.replace(self.rig, corners=corners)

    def _most_deg(self) -> float:
        """Return the largest angle from its end at which the board may begin the next face."""
        ways = [
            DEGREES_PER_QUARTER
            * overlap_steps(self.rig, face, 1, MOST_CORNER_DEG)
            / motor.steps_per_quarter
            for face, motor in self.rig.motors.items()
        ]
        return min(float(MOST_CORNER_DEG), round(max(ways), 1))


def without_corners(rig: FaceMotors) -> FaceMotors:
    """Return a rig whose turns wait for each other."""
    return msgspec.structs.replace(rig, corners=NO_CORNERS)
