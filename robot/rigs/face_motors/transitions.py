"""From the angles of a rig file to pulses and seconds: when the next turns may begin."""

from dataclasses import dataclass

from robot.rigs.face_motors.rig_file import (
    MOST_CORNER_DEG,
    FaceMotorFile,
    FaceTurn,
    Turns,
)
from robot.rigs.motor import DEGREES_PER_QUARTER, OVERLAP_LEAD_S, PAIR_LEAD_S
from robot.rigs.trapezoid import Trapezoid

LANES = 2
"""Step lanes of an Uno or a Nano."""


@dataclass(frozen=True, slots=True)
class Transition:
    """How a step follows another one.

    Attributes:
        overlap_steps: Step pulses before the end of the previous step at which it begins; 0: after
            the end.
        pause_s: Time from the end of the previous step to its own first pulse; negative if they
            overlap.
    """

    overlap_steps: int
    pause_s: float


class Transitions:
    """The transitions of one rig on a board with some step lanes.

    Each is computed once, also for faces with equal motors.

    Args:
        rig: Motors and angles.
        lanes: Number of motors that the board turns at once; by default that of the rig file.
    """

    def __init__(self, rig: FaceMotorFile, lanes: int | None = None) -> None:
        self._rig = rig
        self._lanes = lanes or rig.lanes
        self._known: dict[tuple[object, ...], Transition] = {}
        self._motions: dict[FaceTurn, Trapezoid] = {}

    def duration_s(self, turns: Turns) -> float:
        """Return the duration of a step: until the slower of its motors is at rest."""
        return max(self._motion(turn).duration_s for turn in turns)

    def between(self, before: Turns, after: Turns) -> Transition:
        """Return how a step follows another one."""
        timing = (tuple((self._motion(t), t.quarters) for t in turns) for turns in (before, after))
        one_axis = before[0].axis == after[0].axis
        again = one_axis and any(one.face == other.face for one in before for other in after)
        alike = (*timing, one_axis, again)
        if alike not in self._known:
            self._known[alike] = self._work_out(before, after)
        return self._known[alike]

    def _work_out(self, before: Turns, after: Turns) -> Transition:
        waits = Transition(0, self._rig.gap_us * 1e-6)
        pairs = len(before) + len(after) > LANES
        if len(before) + len(after) > self._lanes or (pairs and not self._rig.parallel):
            return waits
        ending = self._ending(before)
        angle_deg = self._rig.corners.angle_deg(ending, after)
        if before[0].axis == after[0].axis and not self._rig.parallel:
            return waits
        steps = min(
            overlap_steps(self._rig, turn.face, turn.quarters, angle_deg) for turn in ending
        )
        lead_s = OVERLAP_LEAD_S + (PAIR_LEAD_S if pairs else 0.0)
        # The previous step must be over when the middle of a quarter turn is reached. No angle is
        # wider than half of one, so a third step begins later: at most two turn at once, also if an
        # abort shortens a half turn to a quarter turn.
        most_s = min(self._quarter(turn).duration_s for turn in after) / 2
        overlap_s = self._tail_s(before, steps) - lead_s
        while steps and overlap_s > most_s:
            steps -= 1
            overlap_s = self._tail_s(before, steps) - lead_s
        return Transition(steps, -overlap_s) if steps and overlap_s > 0 else waits

    def _ending(self, before: Turns) -> Turns:
        """Return the turns of a step that may still run when the next one begins."""
        last = max(before, key=lambda turn: self._motion(turn).duration_s)
        steps = overlap_steps(self._rig, last.face, last.quarters, MOST_CORNER_DEG)
        begin_s = self._motion(last).duration_s - self._motion(last).last_steps_s(steps)
        return tuple(turn for turn in before if self._motion(turn).duration_s > begin_s)

    def _tail_s(self, before: Turns, steps: int) -> float:
        """Return how long before the end of a step its motors have `steps` pulses left."""
        whole_s = self.duration_s(before)
        tail_s = (
            whole_s - motion.duration_s + motion.last_steps_s(steps)
            for motion in map(self._motion, before)
        )
        return min(tail_s)

    def _motion(self, turn: FaceTurn) -> Trapezoid:
        if turn not in self._motions:
            self._motions[turn] = self._rig.motor(turn.face).turn(turn.quarters)
        return self._motions[turn]

    def _quarter(self, turn: FaceTurn) -> Trapezoid:
        return self._rig.motor(turn.face).turn(1)


def overlap_steps(rig: FaceMotorFile, face: str, quarter_turns: int, angle_deg: float) -> int:
    """Return how many pulses a face still makes when it is `angle_deg` from the end of its turn.

    Pulses of the acceleration do not count: the board begins no other turn during it.
    """
    motor = rig.motor(face)
    motion = motor.turn(quarter_turns)
    steps = int(angle_deg / DEGREES_PER_QUARTER * motor.steps_per_quarter)
    return max(0, min(steps, motion.steps - motion.ramp_steps - 2))
