"""Comparison of methods on many states, on all cores or on a cluster; the engine is joblib."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from functools import cache
from importlib import import_module
from typing import Any

import msgspec

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.tables import TableStore
from teaching.methods.catalogue import load_method
from teaching.methods.method import SolvingMethod, walk
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.installed import require_extra

_WARM_UP = "R U' F2"
_CONNECT_S = 5


class MethodAttempt(msgspec.Struct, frozen=True):
    """One method on one state.

    Attributes:
        moves: The turns; None if it did not solve the cube.
        problem: The reason, if it failed.
    """

    method: str
    moves: str | None
    cpu_ms: float
    problem: str = ""


class StateTrial(msgspec.Struct, frozen=True):
    """One state, with the attempt of every method."""

    facelets: str
    attempts: tuple[MethodAttempt, ...]


@cache
def ready_method(name: str) -> SolvingMethod:
    """Return a method in this process, compiled and with its tables in memory."""
    method = load_method(name, TableStore(Folders.of_platform().cache / "tables"))
    with suppress(SolverError):  # an evolution with few generations may be stuck at once
        walk(method, SOLVED.apply(MoveSequence.parse(_WARM_UP)))
    return method


def attempt_all(facelets: str, methods: tuple[str, ...]) -> StateTrial:
    """Solve a state by every method; every answer is replayed."""
    from threadpoolctl import threadpool_limits

    state = CubeState.from_facelets(Facelets(facelets))
    attempts = []
    with threadpool_limits(1):
        for name in methods:
            method = ready_method(name)
            try:
                made = walk(method, state)
            except SolverError as error:
                attempt = MethodAttempt(name, None, 0.0, str(error))
            else:
                attempt = MethodAttempt(name, str(made.moves), made.cpu_ms)
            attempts.append(attempt)
    return StateTrial(facelets, tuple(attempts))


def run_trials(
    states: Sequence[str], methods: tuple[str, ...], *, jobs: int = -1, scheduler: str | None = None
) -> Iterator[StateTrial]:
    """Solve every state by every method.

    Args:
        states: The states, as 54 letters each.
        methods: The names of the methods.
        jobs: Number of processes on this computer; -1 for one per core.
        scheduler: The address of a dask scheduler whose workers are used instead, such as
            ``tcp://host:8786``.

    Yields:
        The trials, in the order of completion.

    Raises:
        MissingFileError: `dask.distributed` is not installed.
        UsageError: The scheduler does not answer.
    """
    import joblib

    with ExitStack() as stack:
        if scheduler:
            stack.enter_context(_client(scheduler))
            stack.enter_context(joblib.parallel_config("dask"))
        else:
            for name in methods:  # tables are built once, before all processes would do it
                ready_method(name)
            engine = joblib.parallel_config("loky", n_jobs=jobs, inner_max_num_threads=1)
            stack.enter_context(engine)
        tasks = (joblib.delayed(attempt_all)(state, methods) for state in states)
        done = joblib.Parallel(return_as="generator_unordered")(tasks)
        yield from stack.enter_context(closing(done))


def _client(scheduler: str) -> Any:
    """Connect to a dask cluster, which joblib's back end then uses."""
    require_extra("cluster", "--dask")
    try:
        return import_module("distributed").Client(scheduler, timeout=_CONNECT_S)
    except (OSError, ValueError) as error:
        raise UsageError(f"no dask scheduler at {scheduler}: {error}") from error
