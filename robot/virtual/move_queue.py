"""The board's move queue and its two step lanes, in modelled time."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from robot.protocol.messages import NO_MOTOR, Begin, Step
from robot.protocol.settings import Setting
from robot.rigs.motor import OVERLAP_LEAD_S, PAIR_LEAD_S, Trapezoid


@dataclass(frozen=True, slots=True)
class Lane:
    """One motor's part of the running move."""

    channel: int
    quarters: int
    motion: Trapezoid

    def cut_short(self, elapsed_s: float) -> "Lane":
        """Return the turn that is left if it must end at the next detent.

        A half turn ends at its middle if it can still brake for it; until then its motion equals
        that of a quarter turn.
        """
        if abs(self.quarters) == 1:
            return self
        half = replace(self.motion, steps=self.motion.steps // 2)
        if elapsed_s > half.braking_from_s:
            return self
        return Lane(self.channel, self.quarters // 2, half)


@dataclass(frozen=True)
class Turning:
    """The running move; its times are needed often, and computed once.

    Attributes:
        start_s: Start time.
        lanes: One motor or two.
        complete: Whether it ends as planned.
    """

    start_s: float
    lanes: tuple[Lane, ...]
    complete: bool = True

    @cached_property
    def end_s(self) -> float:
        """Time at which the slower motor is at rest."""
        return self.start_s + max(lane.motion.duration_s for lane in self.lanes)

    @cached_property
    def slows_from_s(self) -> float:
        """Time at which the last motor to rest begins to slow down."""
        last = max(self.lanes, key=lambda lane: lane.motion.duration_s)
        return self.start_s + last.motion.braking_from_s

    def tail_from_s(self, pulses: int) -> float:
        """Return when each of its motors has at most `pulses` left, all after the acceleration."""
        return max(
            self.start_s + lane.motion.duration_s - lane.motion.last_steps_s(pulses)
            for lane in self.lanes
        )


class MoveQueue:
    """Moves in the order of execution.

    Args:
        step: Called at the end of a move for each of its motors, with the channel, the steps,
            forward positive, their timing, and the start time.
        value: Looks up a setting of a motor, or a global setting.
        lanes: Step lanes of the board: the number of motors that turn at once. With four, pairs
            overlap.
    """

    def __init__(
        self,
        step: Callable[[int, int, Trapezoid, float], None],
        value: Callable[[Setting, int], int],
        lanes: int = 2,
    ) -> None:
        self.turning: Turning | None = None
        self._ending: Turning | None = None
        self._late = False
        self._step = step
        self._value = value
        self._lanes = lanes
        self._moves: deque[Step] = deque()
        self._next_start_s = 0.0

    @property
    def places(self) -> int:
        """Places that its moves take; the running move takes none."""
        return len(self._moves)

    @property
    def turning_since_s(self) -> float | None:
        """Start time of the first running move; None if there is none."""
        if self._ending is not None and self.turning is not None:
            return min(self._ending.start_s, self.turning.start_s)
        under_way = self._ending or self.turning
        return None if under_way is None else under_way.start_s

    @property
    def empty(self) -> bool:
        """Whether no move waits."""
        return not self._moves

    def put(self, move: Step, now_s: float) -> None:
        """Queue a move; it begins at once if the board is at rest."""
        if self.turning is None and not self._moves:
            self._next_start_s = max(self._next_start_s, now_s)
        if self.turning is not None and not self._moves:
            # The board checks its queue when a turn begins to slow down.
            self._late = now_s > self.turning.slows_from_s
        self._moves.append(move)

    @property
    def free_s(self) -> float:
        """Time at which the gap after the last turn is over."""
        return self._next_start_s

    def keep_gap(self, now_s: float) -> None:
        """Note that a motor has just come to rest."""
        self._next_start_s = now_s + self._value(Setting.GAP_US, NO_MOTOR) * 1e-6

    def drop(self) -> None:
        """Drop the waiting moves."""
        self._moves.clear()

    def freeze(self) -> None:
        """Drop the running move: the drivers are off."""
        self.turning = self._ending = None
        self._moves.clear()

    def next_wake_s(self) -> float | None:
        """Return when a move ends or begins."""
        if self.turning is None:
            return self._next_start_s if self._moves else None
        if self._ending is not None:
            return min(self._ending.end_s, self.turning.end_s)
        return self._overlap_from_s if self._overlaps else self.turning.end_s

    def act(self, now_s: float) -> Turning | None:
        """Begin the move that is due, or end the running one.

        Returns:
            The move that ended.
        """
        overlaps = self._overlaps
        if self.turning is None or overlaps:
            move = self._moves.popleft()
            lanes = [self.lane(turn.channel, turn.value) for turn in move.actions]
            self._ending = self.turning
            lead_s = 0.0
            if self.turning is not None:
                paired = len(lanes) + len(self.turning.lanes) > 2
                lead_s = OVERLAP_LEAD_S + (PAIR_LEAD_S if paired else 0.0)
            self.turning = Turning(now_s + lead_s, tuple(lanes))
            self._late = False
            return None
        # Of two overlapping moves, the one that began first ends first.
        if self._ending is not None:
            ended, self._ending = self._ending, None
            assert self.turning is not None
        else:
            ended, self.turning = self.turning, None
        for lane in ended.lanes:
            steps = lane.quarters * self._value(Setting.STEPS_PER_QUARTER, lane.channel)
            backward = self._value(Setting.DIRECTION, lane.channel)
            self._step(lane.channel, -steps if backward else steps, lane.motion, ended.start_s)
        self.keep_gap(now_s)
        return ended

    def stop_at_detent(self, now_s: float) -> None:
        """End the running move at the next detent."""
        if self.turning is not None:
            elapsed_s = now_s - self.turning.start_s
            lanes = tuple(lane.cut_short(elapsed_s) for lane in self.turning.lanes)
            complete = lanes == self.turning.lanes
            self.turning = replace(self.turning, lanes=lanes, complete=complete)

    @property
    def _overlaps(self) -> bool:
        """Return whether the next move may begin before the running one ends.

        It needs free lanes and other motors, and the move before the running one must be over. The
        board checks its queue when a turn begins to slow down; the next move must be in it by then.
        """
        turning = self.turning
        if turning is None or not self._moves or not _overlap(self._moves[0]):
            return False
        if self._ending is not None or self._late:
            return False
        move = self._moves[0]
        motors = {turn.channel for turn in move.actions}
        used = {lane.channel for lane in turning.lanes}
        return not motors & used and len(motors) + len(used) <= self._lanes

    @property
    def _overlap_from_s(self) -> float:
        """Return when the next move begins, if it overlaps the running one."""
        assert self.turning is not None
        return self.turning.tail_from_s(_overlap(self._moves[0]))

    def lane(self, channel: int, quarters: int) -> Lane:
        """Return the turn of one motor."""
        motion = Trapezoid(
            abs(quarters) * self._value(Setting.STEPS_PER_QUARTER, channel),
            self._value(Setting.RATE_STEPS_S, channel),
            self._value(Setting.ACCELERATION_STEPS_S2, channel),
        )
        return Lane(channel, quarters, motion)


def _overlap(move: Step) -> int:
    """Return how many step pulses before the end of the previous turn a move may begin."""
    return move.begin_value if move.begin is Begin.ANGLE else 0
