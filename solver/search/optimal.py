"""The optimal search: it excludes one number of turns after another, and so proves an answer.

It searches the solutions of each length completely (IDA*), with a table of lower bounds for the
cube and its inverse. The anytime search gives the answer whose length bounds the search above.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState
from solver.clock import thread_clock_ns
from solver.cubies import of_state
from solver.errors import SolverError
from solver.kernels.optimal import layout
from solver.kernels.slots import set_slots
from solver.search.tables.cosets import COSET_TABLE_SET, piece_words
from solver.search.tables.prefixes import Prefixes, after_turns, symmetry_count, without_images
from solver.search.tables.pruning import SIZES, PruningTable, coset_context, position_words
from solver.search.threads import run_threads
from solver.stages.solution import Solution
from solver.stages.thistlethwaite import require_solvable
from solver.table_files import Arrays
from solver.tables import TableStore

_POLL_S = 0.02
_PREFIX, _PREFIX_FROM = 3, 8
_FACTOR = 13.3
_EASY_S = 1.0
_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class OptimalTables:
    """The loaded tables of the optimal search."""

    table: PruningTable
    cosets: Arrays
    grades: NDArray[np.uint8]

    @classmethod
    def load(cls, store: TableStore, limit_mb: float | None = None) -> "OptimalTables | None":
        """Load the largest stored table within a limit in megabytes; None if there is none."""
        for size_mb, table in sorted(SIZES.items(), reverse=True):
            fits = limit_mb is None or size_mb <= limit_mb
            if fits and (arrays := store.load(table.tables)) is not None:
                return cls(table, store.obtain(COSET_TABLE_SET).arrays, arrays["grades"])
        return None


@dataclass(frozen=True, slots=True)
class Depth:
    """The progress of the search.

    Attributes:
        length: The number of turns whose solutions are searched now.
        share: Share of this length that is done.
        nodes: Positions visited so far, of all lengths.
        left_s: Estimated time left for this length, seconds.
        next_s: Estimated time for the next length, seconds.
    """

    length: int
    share: float
    nodes: int
    left_s: float
    next_s: float


class OptimalSearch:
    """Searches the solutions of a state by their number of turns.

    Args:
        state: The state.
        tables: The loaded tables.
        threads: Number of threads.
        target: The end.
        every: Whether to find all solutions of a length, or the first one.

    Attributes:
        every: The same.
        excluded: No solution has this number of turns or fewer; at first none.
        nodes: Positions visited.
        cpu_ms: Processor time of all threads.
        last_s: The time that the last length took, as a clock on the wall shows it.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
    """

    def __init__(
        self,
        state: CubeState,
        tables: OptimalTables,
        *,
        threads: int = 1,
        target: CubeState = SOLVED,
        every: bool = False,
    ) -> None:
        require_solvable(state)
        require_solvable(target)
        self._state, self._target = state, target
        self._cubies = of_state(target.inverse() * state)
        self._tables, self._threads, self.every = tables, threads, every
        self._kernel: Callable[[int], int] | None = None
        self._roots: dict[int, Prefixes] = {}
        self.excluded = -1 if state == target else 0
        self.nodes, self.cpu_ms, self.last_s = 0, 0.0, 0.0

    def of_length(
        self,
        length: int,
        progress: Callable[[Depth], None] = lambda _: None,
        cancel: threading.Event | None = None,
    ) -> tuple[MoveSequence, ...]:
        """Return solutions with a number of turns; of opposite faces in a row only one order.

        The shorter ones must be excluded. Without a solution, this length is excluded, too, unless
        it was cancelled.

        Raises:
            SolverError: A solution is wrong, so a table is, or there are too many.
        """
        from solver.kernels.machine_code import machine_function

        if length == 0:
            found = [MoveSequence()] if self._state == self._target else []
        else:
            self._kernel = self._kernel or machine_function("optimal.proof", "prove")
            run = _Run(self._tables, self._roots_for(length), length, every=self.every)
            begun = time.monotonic()
            self._watch(run, length, begun, progress, cancel)
            self.nodes, self.last_s = self.nodes + run.nodes, time.monotonic() - begun
            self.cpu_ms += run.cpu_ms
            found = run.solutions()
        if any(self._state.apply(moves) != self._target for moves in found):
            raise SolverError("the search gave a wrong solution: remove and rebuild the tables")
        if not found and not (cancel is not None and cancel.is_set()):
            self.excluded = length
        return tuple(sorted(found, key=lambda moves: [move.index for move in moves]))

    def _roots_for(self, length: int) -> Prefixes:
        depth = _PREFIX if length >= _PREFIX_FROM else 0
        if depth not in self._roots:
            roots = after_turns(self._cubies, depth)
            if depth and not self.every and symmetry_count(self._cubies) > 1:
                roots = without_images(roots, inverses=True)
            self._roots[depth] = roots
        return self._roots[depth]

    def _watch(
        self,
        run: "_Run",
        length: int,
        begun: float,
        progress: Callable[[Depth], None],
        cancel: threading.Event | None,
    ) -> None:
        """Let threads search, and supervise them until they end."""
        kernel = self._kernel
        assert kernel is not None

        def look() -> None:
            if cancel is not None and cancel.is_set():
                run.stop()
            share, spent_s = run.share, time.monotonic() - begun
            whole_s = spent_s / share if share else 0.0
            left_s = max(whole_s - spent_s, 0.0)
            nodes = self.nodes + run.nodes
            progress(Depth(length, share, nodes, left_s, whole_s * _FACTOR))

        run_threads([partial(run.run, kernel)] * self._threads, _POLL_S, look, run.stop)


class _Run:
    """The search of one length, by any number of threads."""

    def __init__(self, tables: OptimalTables, roots: Prefixes, length: int, *, every: bool) -> None:
        self._tables, self._prefixes = tables, roots
        self._shared = np.zeros(layout.SHARED_SLOTS, dtype=np.int64)
        self._shared[layout.EVERY] = every
        self._found = np.zeros((layout.MOST_FOUND, layout.FOUND_BYTES), dtype=np.uint8)
        self._roots = _root_items(roots)
        self._rest = length - roots.turns.shape[1]
        self._contexts: list[NDArray[Any]] = []
        self.cpu_ms = 0.0

    def run(self, kernel: Callable[[int], int]) -> None:
        """Search in the calling thread until the end."""
        begun = thread_clock_ns()
        context = coset_context(self._tables.cosets, self._tables.grades, self._tables.table)
        lists = np.empty((layout.MOST_TURNS + 1) * layout.LIST_BYTES, dtype=np.uint8)
        candidates = np.empty(layout.CANDIDATES_BYTES, dtype=np.uint8)
        memory = np.zeros(layout.MEMORY_BYTES, dtype=np.uint8)
        mine = {layout.LISTS: lists, layout.CANDIDATES: candidates, layout.MEMORY: memory}
        mine[layout.REST] = self._rest
        common = {layout.SHARED: self._shared, layout.FOUND_LIST: self._found}
        roots = {layout.ROOTS: self._roots, layout.ROOT_COUNT: len(self._roots)}
        set_slots(context, mine | common | roots)
        self._contexts.append(context)
        kernel(context.ctypes.data)
        self.cpu_ms += (thread_clock_ns() - begun) / 1e6

    def stop(self) -> None:
        """Make every thread end soon."""
        self._shared[layout.STOP] = 1

    @property
    def share(self) -> float:
        """Share of the roots that are done."""
        begun = int(self._shared[layout.NEXT]) - len(self._contexts)
        return min(max(begun / len(self._roots), 0.0), 1.0)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return sum(int(context[layout.NODES]) for context in list(self._contexts))

    def solutions(self) -> list[MoveSequence]:
        """Return the solutions found.

        Raises:
            SolverError: There are too many.
        """
        count = int(self._shared[layout.FOUND])
        if count > layout.MOST_FOUND:
            raise SolverError(
                f"there are {count} shortest solutions, more than {layout.MOST_FOUND}: leave "
                "--all out"
            )
        found = []
        for row in self._found[:count]:
            before = self._prefixes.turns[int(row[:8].view("<i8")[0])].tolist()
            after = row[8 : 8 + self._rest][::-1].tolist()
            found.append(MoveSequence(tuple(map(Move.from_index, before + after))))
        return found[: None if self._shared[layout.EVERY] else 1]


def _root_items(roots: Prefixes) -> NDArray[np.int64]:
    """Return the roots as items of the search: position, corners, edges, turns that may follow."""
    words = position_words(roots.cubies) | layout.FROM_ROOT << 46
    return np.stack([words, *piece_words(roots.cubies), roots.followers], axis=1)


def prove(
    search: OptimalSearch,
    first: Solution,
    *,
    improve: Callable[[float], Solution] | None = None,
    on_bounds: Callable[[Solution, float], None] = lambda _best, _next_s: None,
    progress: Callable[[Depth], None] = lambda _: None,
    cancel: threading.Event | None = None,
) -> tuple[Solution, tuple[MoveSequence, ...]]:
    """Exclude one length after another until the best solution is proven shortest.

    Args:
        search: The search of the state.
        first: A solution of the state.
        improve: Searches a shorter solution for some milliseconds. This is worthwhile before a
            long step, because a solution need not be found again to be proven.
        on_bounds: Called when a bound has changed: with the best solution, whose lower bound is
            `Solution.excluded`, and the estimated time of the next length in seconds.
        progress: Called often.
        cancel: Set it to get the best solution so far, with what is excluded.

    Returns:
        The best solution, and all shortest ones if the search wants every one.
    """
    best, improved_s = first, 0.0
    all_: tuple[MoveSequence, ...] = ()

    def stopped() -> bool:
        return cancel is not None and cancel.is_set()

    while search.excluded < len(best.moves) - 1 and not stopped():
        next_s = search.last_s * _FACTOR
        on_bounds(_bounded(best, search), next_s)
        if improve is not None and next_s > max(_EASY_S, improved_s):
            improved_s = next_s
            better = improve(1000 * _SHARE * next_s)
            if len(better.moves) < len(best.moves):
                best = better
                continue
        found = search.of_length(search.excluded + 1, progress, cancel)
        if found:
            best, all_ = replace(best, moves=found[0]), found
            break
    if search.every and not all_ and not stopped():
        all_ = search.of_length(len(best.moves), progress, cancel)
    best = _bounded(best, search)
    on_bounds(best, 0.0)
    return best, all_


def _bounded(best: Solution, search: OptimalSearch) -> Solution:
    """Return a solution with what the search knows about its length."""
    turns = len(best.moves)
    proven, nodes = search.excluded >= turns - 1, best.nodes + search.nodes
    cpu_ms, excluded = best.cpu_ms + search.cpu_ms, min(search.excluded, turns - 1)
    return replace(
        best, value=turns, proven_optimal=proven, nodes=nodes, cpu_ms=cpu_ms, excluded=excluded
    )
