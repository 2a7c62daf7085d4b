"""Whether the pictures of a rig's cameras are newer than its last turn.

The pictures of a network camera can be seconds late. They show the cube before the turns, and once
the machine has turned a solved cube into another, they show the solved one. So a picture counts as
evidence only if it was seen to follow the machine: in a picture that was taken while the last steps
ran, only the stickers that these steps move look different; or a face is turned on purpose, there
and back, until the cameras show both turns.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES, Move, MoveSequence
from cube.state import SOLVED
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import RigProgram
from robot.running.program_run import RunProgress
from robot.running.turner import Turner
from thistlebot.reading.late_cameras import LEAST_CHANGED, MOST_DELAY_S, Samples, changes
from thistlebot.reading.reader import Reader
from vision.errors import CameraError
from vision.frame import Frame

_STILL_S = 0.5
"""Time without a change before a face is turned on purpose."""
_MOST_UNLIKE = 0.2
"""Share of the stickers that may look otherwise than expected, because of hands or reflections."""
_NAP_S = 0.1
"""Time between two pictures in which something is awaited."""


class FreshPictures:
    """Decides whether the pictures of a rig's fixed cameras are newer than its last turn.

    A rig that moves the cube for its cameras has no such pictures, and everything counts as fresh:
    its looks contain movements that the cameras must show (`late_cameras`).
    """

    def __init__(self, checker: Reader, rig: Mechanism, sleep: Callable[[float], None]) -> None:
        self._checker = checker
        self._rig = rig
        self._sleep = sleep
        self._early: Callable[[], tuple[Frame, ...]] | None = None

    def watch(self, progress: RunProgress) -> None:
        """Take pictures while the last step runs; called after each step."""
        if progress.executed < progress.total - 1:
            self._early = None
        elif progress.executed == progress.total - 1:
            self._early = self._checker.ask_glimpse()

    def saw_last_turn(self, program: RigProgram, frames: tuple[Frame, ...]) -> bool:
        """Return whether pictures after a program differ from those during its last step."""
        if not self._checker.glimpses:
            return True
        early, self._early = self._early, None
        if early is None:
            return False
        try:
            before = self._checker.samples(early())
        except CameraError:
            return False
        moved = _moved(MoveSequence.of(m for step in program.steps[-2:] for m in step.moves))
        after = self._checker.samples(frames)
        return all(
            _only_changed(one, other, moved) for one, other in zip(before, after, strict=True)
        )

    def answers(self, driver: Turner, shown: Facelets) -> float | None:
        """Turn a face there and back, and return how late the cameras showed it, in seconds.

        Returns:
            The delay; None if they did not show it.
        """
        self._wait_until_still()
        before = self._glimpse()[1]
        move = self._test_turn(shown, before)
        if move is None:
            return None
        return self._follow(driver, move, before, _recoloured(shown, move))

    def _follow(
        self, driver: Turner, move: Move, before: Samples, changing: NDArray[np.bool_]
    ) -> float | None:
        """Turn a face there and back, and wait for each to be seen."""

        def turned(now: Samples) -> bool:
            return all(
                _matches(one, other, changing) for one, other in zip(before, now, strict=True)
            )

        def back(now: Samples) -> bool:
            unchanged = np.zeros_like(changing)
            return all(
                _matches(one, other, unchanged) for one, other in zip(before, now, strict=True)
            )

        self._turn(driver, move)
        first_s = self._wait_for(turned)
        self._turn(driver, move.inverse())
        if first_s is None:
            return None
        second_s = self._wait_for(back)
        return None if second_s is None else max(first_s, second_s)

    def _turn(self, driver: Turner, move: Move) -> None:
        if not driver.keep_on():
            driver.prepare()
        driver.run(self._rig.plan(MoveSequence((move,)), driver.lanes, driver.pose))

    def _wait_for(self, shows: Callable[[Samples], bool]) -> float | None:
        """Return after how many seconds the cameras show something; None if they do not."""
        begin_s: float | None = None
        while True:
            time_s, now = self._glimpse()
            begin_s = time_s if begin_s is None else begin_s
            if shows(now):
                return time_s - begin_s
            if time_s - begin_s > MOST_DELAY_S:
                return None
            self._sleep(_NAP_S)

    def _wait_until_still(self) -> None:
        begin_s, before = self._glimpse()
        since_s, now_s = begin_s, begin_s
        nothing = np.zeros(54, dtype=bool)
        while now_s - since_s < _STILL_S and now_s - begin_s < MOST_DELAY_S:
            self._sleep(_NAP_S)
            now_s, now = self._glimpse()
            if not all(
                _matches(one, other, nothing) for one, other in zip(before, now, strict=True)
            ):
                before, since_s = now, now_s

    def _glimpse(self) -> tuple[float, Samples]:
        frames = self._checker.ask_glimpse()()
        return frames[0].time_s, self._checker.samples(frames)

    def _test_turn(self, shown: Facelets, seen: Samples) -> Move | None:
        """Return the turn that changes most of what each camera sees; None if none does."""
        best, most = None, LEAST_CHANGED - 1
        for face in FACES:
            if face in self._rig.faces:
                move = Move(face, 1)
                changing = _recoloured(shown, move)
                least = min(int(np.count_nonzero(changing & _finite(each))) for each in seen)
                if least > most:
                    best, most = move, least
        return best


def _moved(moves: MoveSequence) -> NDArray[np.bool_]:
    """Return which of the 54 places are moved by any of some moves."""
    moved = np.zeros(54, dtype=bool)
    for move in moves:
        moved |= np.array(SOLVED.apply(move).facelet_places()) != np.arange(54)
    return moved


def _recoloured(shown: Facelets, move: Move) -> NDArray[np.bool_]:
    """Return which of the 54 places have another colour after a move."""
    before = np.array(list(shown.text))
    return np.asarray(before[list(SOLVED.apply(move).facelet_places())] != before)


def _finite(colours: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(colours).all(axis=1))


def _only_changed(
    before: NDArray[np.float64], after: NDArray[np.float64], moved: NDArray[np.bool_]
) -> bool:
    """Return whether stickers in moved places changed, and no others."""
    both, changed = changes(before, after)
    others = both & ~moved
    return bool(
        np.count_nonzero(changed & moved) >= LEAST_CHANGED
        and np.count_nonzero(changed & others) <= _MOST_UNLIKE * np.count_nonzero(others)
    )


def _matches(
    before: NDArray[np.float64], after: NDArray[np.float64], changing: NDArray[np.bool_]
) -> bool:
    """Return whether the stickers in some places changed, and all others are as before."""
    both, changed = changes(before, after)
    wanted, unlike = changing & both, both & (changed != changing)
    return bool(
        np.count_nonzero(unlike) <= _MOST_UNLIKE * np.count_nonzero(both)
        and np.count_nonzero(unlike & wanted) <= _MOST_UNLIKE * np.count_nonzero(wanted)
    )
