"""The ramp of a servo's pulse, frame by frame as in the firmware, and the speed that plans give it.

A pulse that jumps to its target cannot be stopped: the servo goes on to where it was told to go. So
a plan gives each servo a speed at which the pulse takes half of the action's time. A stop in that
time holds the servo on its way. The servo then has the other half to catch up.
"""

from functools import cache

from robot.protocol.messages import SERVO_FRAME_MS

FASTEST = 255
"""Largest speed on the wire, in microseconds per frame."""
_SHARE = 2


def next_pace(pace: int, distance: int, speed: int) -> int:
    """Return how far a pulse changes in the next frame, in microseconds.

    The speed grows by a quarter of its limit each frame, and falls in the same way before the end.

    Args:
        pace: How far it changed in the frame before.
        distance: How far it is from its target.
        speed: The limit, above 0.
    """
    rise = speed // 4 + 1
    pace = min(pace + rise, speed)
    while sum(range(pace, 0, -rise)) > distance and pace > rise:
        pace -= rise
    return min(pace, distance)


def frames_of(distance: int, speed: int) -> int:
    """Return the number of frames in which a pulse reaches its target; one without a limit."""
    count = pace = 0
    while distance > 0 and speed:
        pace = next_pace(pace, distance, speed)
        distance -= pace
        count += 1
    return max(count, 1)


@cache
def stoppable(distance: int, time_ms: int) -> tuple[int, int]:
    """Return the slowest speed for a distance in half of a time, and how long to wait then.

    Args:
        distance: How far the pulse changes, in microseconds.
        time_ms: Time of the action.

    Returns:
        The speed in microseconds per frame, 0 for no limit if the time is too short for one; and
        the rest of the time in milliseconds.
    """
    most = time_ms // (_SHARE * SERVO_FRAME_MS)
    speeds = (speed for speed in range(1, FASTEST + 1) if frames_of(distance, speed) <= most)
    speed = next(speeds, 0)
    return speed, time_ms - SERVO_FRAME_MS * (frames_of(distance, speed) - 1)
