"""How long a run was in each phase."""

from collections.abc import Iterable

from thistlebot.runs.events import Entered, Event, Phase

_ENDS = frozenset({Phase.DONE, Phase.STOPPED, Phase.FAILED})


def phase_times(events: Iterable[tuple[float, Event]]) -> list[tuple[Phase, float]]:
    """Return the phases of a run in order, with the seconds that each took.

    The first one lasts from the beginning of the run, and that in which a run was cut off until it
    was heard of last.

    Args:
        events: With the seconds since the run began.
    """
    found: list[tuple[Phase, float]] = []
    phase, since_s, time_s = None, 0.0, 0.0
    for time_s, event in events:
        if isinstance(event, Entered):
            if phase is not None:
                found.append((phase, time_s - since_s))
                since_s = time_s
            phase = event.phase
    if phase is not None and phase not in _ENDS:
        found.append((phase, time_s - since_s))
    return found
