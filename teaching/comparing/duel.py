"""A picture of a few methods on one cube, side by side on one clock."""

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import CubeState
from teaching.comparing.comparison import MethodAttempt, StateTrial, ready_method
from teaching.films.film import Film
from teaching.films.lesson_film import Failure, duel_film
from teaching.methods.catalogue import ENTRIES
from teaching.methods.method import MethodStep, Walk, walk
from thistlebot.errors import UsageError

FEWEST, MOST = 2, 4


def require_few(methods: tuple[str, ...]) -> None:
    """Make sure that there is room for so many methods side by side.

    Raises:
        UsageError: There is not.
    """
    if not FEWEST <= len(methods) <= MOST:
        raise UsageError(
            f"--picture shows {FEWEST} to {MOST} methods side by side, not {len(methods)}: choose "
            "them with --methods, such as --methods thistlethwaite,fridrich"
        )


def duel(trial: StateTrial, *, several: bool = False) -> Film:
    """What became of one state by a few methods.

    Args:
        trial: The state and the attempts.
        several: Whether it is the first of several states.
    """
    state = CubeState.from_facelets(Facelets(trial.facelets))
    names = ", ".join(attempt.method for attempt in trial.attempts)
    which = "the first of the cubes" if several else "one cube"
    attempts = [_attempted(attempt, state) for attempt in trial.attempts]
    return duel_film(attempts, f"{names} on {which}", f"The cube {trial.facelets}.")


def _attempted(attempt: MethodAttempt, state: CubeState) -> Walk | Failure:
    if attempt.moves is None:
        return Failure(attempt.method, state, attempt.problem)
    made = walk(ready_method(attempt.method), state)
    if str(made.moves) == attempt.moves:
        return made
    # What searches for some time may find another way next time: the one that was counted is shown.
    title = next(entry.title for entry in ENTRIES if entry.name == attempt.method)
    moves = MoveSequence.parse(attempt.moves)
    step = MethodStep("all at once", f"{title[0].upper()}{title[1:]}.", moves, (), "")
    return Walk(attempt.method, state, (step,), attempt.cpu_ms)
