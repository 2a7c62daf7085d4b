"""A cube whose motors can lose steps: if a ramp is too steep, or a neighbouring face is in the way.

The model of corner cutting: whether two crossing faces can turn while both are between detents.

A cube cuts corners: a face can begin before a neighbouring one has arrived, because their corners
are round and the pieces have play. The limit depends on the directions. If both turn the same way,
as R U, the incoming corner meets the edge of the outgoing one (anti-cut); if they turn opposite
ways, as R U', it slides along behind it (cut). All pairs of crossing faces are equivalent by
rotations of the whole cube. SquidCuber (efrantar/squidcuber, control.py) distinguishes the same
classes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from cube.facelets import Facelets
from cube.moves import FACES, Move
from cube.state import SOLVED, CubeState
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import DEGREES_PER_QUARTER
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.cubes.course import Course
from robot.virtual.cubes.turned_cube import TurnedCube

Angles = npt.NDArray[np.float64]
"""Degrees of a face from its nearest detent, clockwise positive, over time."""


@dataclass(frozen=True, slots=True)
class CornerGeometry:
    """The limits of corner cutting of a cube.

    The values are assumptions for a well-adjusted speed cube. With the default rig's ramps, an
    anti-cut turn then jams if it begins 31 degrees before the end of the previous one.

    Attributes:
        cut_deg: Maximum sum of the two faces' angles from their detents for a cut.
        anti_cut_deg: The same for an anti-cut.
        play_deg: Within this angle from its detent, a face blocks no other.
        paired: Factor for these angles if a face crosses two faces off their detents.
    """

    cut_deg: float = 25.0
    anti_cut_deg: float = 18.6
    play_deg: float = 2.5
    paired: float = 0.85

    def off(self, angles_deg: Angles) -> npt.NDArray[np.bool_]:
        """Return when a face is off its detent by more than the play."""
        return np.abs(angles_deg) > self.play_deg

    def jams(self, one: Angles, other: Angles, crossed: npt.NDArray[np.int64]) -> bool:
        """Return whether two crossing faces ever block each other.

        Args:
            one: Angles of a face.
            other: Angles of another face at the same times.
            crossed: Number of faces off their detents that the more crowded of the two crosses.
        """
        # A face that ends a clockwise turn is anticlockwise of its detent, so equal signs mean
        # different directions.
        limit = np.where(one * other > 0, self.cut_deg, self.anti_cut_deg)
        limit = np.where(crossed > 1, limit * self.paired, limit)
        both = self.off(one) & self.off(other)
        return bool(np.any(both & (np.abs(one) + np.abs(other) > limit)))


DEFAULT_GEOMETRY = CornerGeometry()


def from_detent(angles_deg: Angles) -> Angles:
    """Return angles from the nearest detent, for faces that have turned by any angle."""
    return angles_deg - np.round(angles_deg / DEGREES_PER_QUARTER) * DEGREES_PER_QUARTER


@dataclass(frozen=True, slots=True)
class _Turn:
    """A completed turn.

    Attributes:
        channel: The motor output.
        start_s: Time of its first pulse.
        course: The movement of its rotor.
        sign: 1, or -1 if that movement is anticlockwise for the face.
        gear: Turns of the motor for one of the face.
    """

    channel: int
    start_s: float
    course: Course
    sign: int
    gear: float

    @property
    def end_s(self) -> float:
        """Time at which its rotor is at rest."""
        return self.start_s + float(self.course.times_s[-1])

    def face_deg(self, times_s: Angles) -> Angles:
        """Return the angle of its face at some times, clockwise positive."""
        now_s = times_s - self.start_s
        motor_deg = np.interp(now_s, self.course.times_s, self.course.angles_deg)
        return motor_deg * self.sign / self.gear


class SlippingCube(TurnedCube):
    """A cube in a rig, whose rotors follow the pulses or lose steps.

    Faces block each other as `CornerGeometry` defines, checked at every pulse with the rotors'
    positions. Of two faces that jam, the one that began later loses its turn: its motor slips
    throughout. This is the mildest result of a jam, and the camera sees it.

    Args:
        rig: The real machine: its motors, and their effect on the cube.
        state: The cube at the beginning, every motor at a detent.

    Attributes:
        geometry: The limits of its corner cutting.
        jams: Number of times that a neighbouring face was in the way.
    """

    def __init__(
        self,
        rig: FaceMotors,
        state: CubeState = SOLVED,
    ) -> None:
        super().__init__(state, rig.motors.values())
        self.jams = 0
        self.geometry = DEFAULT_GEOMETRY
        self._names = {motor.channel: name for name, motor in rig.motors.items()}
        self._angles = dict.fromkeys(self._motors, 0)
        self._quarters = dict.fromkeys(self._motors, 0)
        self._recent: list[_Turn] = []
        self._now_s = 0.0

    @property
    def shown(self) -> Facelets:
        """The stickers; while a face is between two detents, those before the turn."""
        return self.state.to_facelets()

    def stands(self, needs: Mapping[str, Sequence[str]]) -> bool:
        """Return true: nothing is ever in the way of a camera here."""
        return not needs

    def turn(
        self, channel: int, pulses: int, motion: Trapezoid, start_s: float | None = None
    ) -> None:
        """Make one turn from rest; by default after all other turns."""
        motor = self._motor(channel)
        way = 1 if pulses > 0 else -1
        begin_s = self._now_s if start_s is None else start_s
        made = self._course(motor, motion)
        turn = _Turn(channel, begin_s, made, way * motor.direction, motor.gear)
        lost = made.slipped_pulses
        self._make(turn, way * (abs(pulses) - lost), lost)

    def look(self, now_s: float, motors_since_s: float | None = None) -> None:
        """Do nothing: turns are reported one by one."""

    @property
    def misaligned_deg(self) -> dict[str, float]:
        """Degrees of the motors from their nearest detent, clockwise positive."""
        return {
            name: DEGREES_PER_QUARTER * off / self._motors[channel].steps_per_quarter
            for channel, name in self._names.items()
            if (off := self._off_detent(channel))
        }

    def _make(self, turn: _Turn, pulses: int, lost: int) -> None:
        """Turn a face by the pulses that its rotor followed, unless another face blocks it."""
        self._recent = [other for other in self._recent if other.end_s > turn.start_s]
        self._now_s = max(self._now_s, turn.end_s)
        jammed = self._jams(turn)
        self.jams += jammed
        self.slips += bool(lost or jammed)
        if jammed:
            return
        self._recent.append(turn)
        motor = self._motors[turn.channel]
        self._angles[turn.channel] += pulses * motor.direction
        quarters = round(self._angles[turn.channel] / motor.steps_per_quarter)
        turned = (quarters - self._quarters[turn.channel]) % 4
        self._quarters[turn.channel] = quarters
        if turned:
            self.moves.append(Move(self._names[turn.channel], turned))
            self.state = self.state.apply(self.moves[-1])

    def _jams(self, turn: _Turn) -> bool:
        """Return whether faces block each other if a turn is added to the running ones."""
        rest_deg = from_detent(np.array([self._face_deg(channel) for channel in self._motors]))
        resting = zip(self._motors, self.geometry.off(rest_deg), strict=True)
        away = {channel for channel, stands_off in resting if stands_off}
        away |= {other.channel for other in self._recent}
        if not away - {turn.channel}:
            return False
        times_s = turn.start_s + turn.course.times_s
        off = {channel: self._course_deg(channel, times_s) for channel in {*away, turn.channel}}
        off[turn.channel] = from_detent(off[turn.channel] + turn.face_deg(times_s))
        astray = [channel for channel, angles in off.items() if self.geometry.off(angles).any()]
        still = {channel for channel in astray if np.ptp(off[channel]) == 0.0}
        crossed = {
            channel: np.sum(
                [self.geometry.off(off[other]) for other in astray if self._cross(other, channel)],
                axis=0,
            )
            for channel in astray
        }
        return any(
            self.geometry.jams(off[one], off[other], np.maximum(crossed[one], crossed[other]))
            for one, other in combinations(astray, 2)
            if not {one, other} <= still and self._cross(one, other)
        )

    def _course_deg(self, channel: int, times_s: Angles) -> Angles:
        """Return a face's angle from its nearest detent at some times."""
        angles_deg = np.full(len(times_s), self._face_deg(channel))
        for turn in self._recent:
            if turn.channel == channel:
                whole_deg = turn.course.angles_deg[-1] * turn.sign / turn.gear
                angles_deg += turn.face_deg(times_s) - whole_deg
        return from_detent(angles_deg)

    def _face_deg(self, channel: int) -> float:
        """Return a face's total angle once all motors are at rest."""
        quarter = self._motors[channel].steps_per_quarter
        return DEGREES_PER_QUARTER * self._angles[channel] / quarter

    def _cross(self, channel: int, other: int) -> bool:
        """Return whether the faces of two motors are on different axes."""
        one, two = (FACES.index(self._names[each]) for each in (channel, other))
        return (one - two) % 3 != 0

    def _off_detent(self, channel: int) -> int:
        steps = self._motors[channel].steps_per_quarter
        return self._angles[channel] - self._quarters[channel] * steps
