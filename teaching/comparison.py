"""Comparison of methods on many states, on all cores or on a cluster.

Results are stored state by state, so that the same command continues after an interruption.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Protocol

import msgspec

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from documents.errors import UnwritableError
from solver.errors import SolverError
from solver.tables import TableStore
from teaching.methods.catalogue import load_method
from teaching.methods.fridrich import PlainFridrich
from teaching.methods.method import SolvingMethod, walk
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.shipped import require_extra

_WARM_UP = "R U' F2"
_CONNECT_S = 5


class MethodAttempt(msgspec.Struct, frozen=True):
    """One method on one state.

    Attributes:
        method: Its name.
        moves: The turns; None if it did not solve the cube.
        cpu_ms: Processor time.
        problem: The reason, if it failed.
        curve: For S2's plain evolution the pieces placed after `CURVE_AT` generations; None for
            generations that it did not reach.
    """

    method: str
    moves: str | None
    cpu_ms: float
    problem: str = ""
    curve: tuple[int | None, ...] = ()


class StateTrial(msgspec.Struct, frozen=True):
    """One state, with the attempt of every method."""

    facelets: str
    attempts: tuple[MethodAttempt, ...]


class TrialPool(Protocol):
    """Executes trials."""

    def run(self, states: Iterable[str], methods: tuple[str, ...]) -> Iterator[StateTrial]:
        """Solve every state by every method; yield trials in the order of completion."""


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
            if isinstance(method, PlainFridrich):
                attempt = msgspec.structs.replace(attempt, curve=method.curve_at())
            attempts.append(attempt)
    return StateTrial(facelets, tuple(attempts))


class CorePool:
    """Processes on this computer's cores (joblib with loky).

    Args:
        jobs: Number of processes; -1 for one per core.
    """

    def __init__(self, jobs: int = -1) -> None:
        self._jobs = jobs

    def run(self, states: Iterable[str], methods: tuple[str, ...]) -> Iterator[StateTrial]:
        """Solve every state by every method; see `TrialPool`."""
        import joblib

        for name in methods:  # tables are built once, before all processes would do it
            ready_method(name)
        with joblib.parallel_config("loky", n_jobs=self._jobs, inner_max_num_threads=1):
            tasks = (joblib.delayed(attempt_all)(state, methods) for state in states)
            with closing(joblib.Parallel(return_as="generator_unordered")(tasks)) as done:
                yield from done


class ClusterPool:
    """The workers of a dask scheduler.

    Args:
        scheduler: Its address, such as ``tcp://host:8786``.

    Raises:
        MissingFileError: `dask.distributed` is not installed.
        UsageError: The scheduler does not answer.
    """

    def __init__(self, scheduler: str) -> None:
        require_extra("cluster", "--dask")
        self._distributed: Any = import_module("distributed")
        self._scheduler = scheduler

    def run(self, states: Iterable[str], methods: tuple[str, ...]) -> Iterator[StateTrial]:
        """Solve every state by every method; see `TrialPool`."""
        with ExitStack() as stack:
            try:
                client = self._distributed.Client(self._scheduler, timeout=_CONNECT_S)
            except (OSError, ValueError) as error:
                raise UsageError(f"no dask scheduler at {self._scheduler}: {error}") from error
            stack.enter_context(client)
            futures = client.map(attempt_all, list(states), methods=methods, pure=False)
            for _, trial in self._distributed.as_completed(futures, with_results=True):
                yield trial


class TrialJournal:
    """The completed trials of one command, one per line.

    Args:
        folder: The program's state folder.
        key: Everything that determines the command's results.
    """

    def __init__(self, folder: Path, key: Mapping[str, object]) -> None:
        text = msgspec.json.encode([metadata.version("thistlebot"), key], order="sorted")
        self._file = folder / "compare" / f"{hashlib.sha256(text).hexdigest()[:16]}.jsonl"

    def done(self) -> list[StateTrial]:
        """Return the results of an interrupted command; truncated or damaged lines are ignored."""
        try:
            lines = self._file.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        found = []
        for line in lines[:-1]:
            with suppress(msgspec.DecodeError, UnicodeDecodeError):
                found.append(msgspec.json.decode(line, type=StateTrial))
        return found

    def keep(self, trials: Iterable[StateTrial]) -> Iterator[StateTrial]:
        """Pass trials on, and store each one.

        Raises:
            UnwritableError: The folder cannot be written.
        """
        done = self.done()
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("wb") as file:
                file.writelines(msgspec.json.encode(trial) + b"\n" for trial in done)
                for trial in trials:
                    file.write(msgspec.json.encode(trial) + b"\n")
                    file.flush()
                    yield trial
        except OSError as error:
            raise UnwritableError(f"cannot write {self._file}: {error.strerror}") from error

    def forget(self) -> None:
        """Delete the file, because the command is complete."""
        self._file.unlink(missing_ok=True)


def compare(
    states: list[str], methods: tuple[str, ...], pool: TrialPool, journal: TrialJournal
) -> Iterator[StateTrial]:
    """Try every method on every state; completed trials in the journal are not repeated.

    Yields:
        The trials, those of the journal first.
    """
    wanted = set(states)
    done = [trial for trial in journal.done() if trial.facelets in wanted]
    yield from done
    known = {trial.facelets for trial in done}
    left = [state for state in states if state not in known]
    if left:
        yield from journal.keep(pool.run(left, methods))
