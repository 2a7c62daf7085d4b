"""The quickest scan program: how to show the cameras enough of the cube.

A cube in a machine shows some of its facelets to the cameras, and others after it is moved. The
scan program is a shortest path over the machine's state, the cube's orientation, and the facelets
already seen. It turns no layer, so all pictures show the same state. The set of seen facelets only
grows: for each set, small ones first, the search finds the quickest paths from the looks that
produced it to all looks that show more. Of equally long programs, the one with earlier looks is
chosen.
"""

import heapq
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from cube.facelets import facelet_name, facelets_text
from cube.moves import FACES
from cube.orientation import facelet_places, orientations
from robot.errors import NotPossibleError
from robot.rigs.action_machine.paths import COUNT, Holding, Numbers, Times
from robot.rigs.action_machine.program import program_of
from robot.rigs.action_machine.transitions import MachineState, StateGraph, Stride
from robot.rigs.mechanism import ScanProgram, ScanStop, Sight
from robot.rigs.program import Pose

Masks = npt.NDArray[np.int64]
"""Sets of facelets: bit 0 for U1 to bit 53 for B9."""
_MS = float(1 << 24)
"""A millisecond in the key that compares programs; the rest of the key is the sum of the start
times of the looks.
"""


def plan_scan(
    holding: Holding,
    sights: Sequence[Sight],
    wanted: frozenset[int],
    start: Pose,
    *,
    spare_faces: int = 0,
) -> ScanProgram:
    """Find the quickest scan program and convert it for the board; see `Mechanism.plan_scan`.

    Args:
        holding: The strides between layer turns; `start` is one of its states.
        sights: What each camera sees.
        wanted: The facelets of the cube that must be seen.
        start: The pose at the beginning.
        spare_faces: Number of faces that may stay unseen.

    Raises:
        NotPossibleError: The cameras can never see enough; the message names what is missing.
    """
    machine = holding.machine
    stops, pose = [], start
    for strides in _Looking(holding, sights, wanted, spare_faces).quickest(start):
        program = program_of(machine.rig, strides, pose)
        pose = program.end or pose
        cameras = tuple(
            number for number, sight in enumerate(sights) if _open(machine, sight, pose.places)
        )
        stops.append(ScanStop(program, cameras, facelet_places(pose.held)))
    return ScanProgram(tuple(stops), start)


def _open(machine: StateGraph, sight: Sight, state: MachineState) -> bool:
    """Return whether a camera has a clear view."""
    stands = dict(zip(machine.names, state, strict=True))
    variables = machine.rig.variables
    return all(variables[name].places[stands[name]] in at for name, at in sight.needs.items())


class _Looking:
    """The scan search for one machine and its cameras."""

    def __init__(
        self, holding: Holding, sights: Sequence[Sight], wanted: frozenset[int], spare_faces: int
    ) -> None:
        machine = holding.machine
        self._holding = holding
        self._wanted = _mask(wanted)
        self._faces = [_mask(range(9 * face, 9 * face + 9)) for face in range(len(FACES))]
        self._spare = spare_faces
        self._look_ms = machine.rig.settle_ms
        self._shown = np.zeros(self._holding.nodes, dtype=np.int64)
        """The wanted facelets in sight at each node."""
        for state, number in self._holding.numbers.items():
            sets = (sight.facelets for sight in sights if _open(machine, sight, state))
            in_sight = frozenset[int]().union(*sets)
            for held in orientations():
                at = facelet_places(held)
                seen = _mask(at[place] for place in in_sight)
                self._shown[number * COUNT + held.index] = seen & self._wanted
        self._most = max(1, int(np.bitwise_count(self._shown).max()))
        self._least_ms = int(self._holding.times_ms.min(initial=0))

        from scipy.sparse import csr_array

        nodes = self._holding.nodes
        weights = self._holding.times_ms * _MS
        self._graph = csr_array((weights, tuple(self._holding.edges.T)), shape=(nodes, nodes))
        self._before: dict[int, Numbers] = {}
        """For each set of seen facelets: each node's predecessor, or `nodes` for a look."""
        self._came: dict[int, Masks] = {}
        """For each set of seen facelets: the set before the look at each node."""

    def quickest(self, start: Pose) -> list[list[Stride]]:
        """Return the strides before each look."""
        first = self._holding.numbers[start.places] * COUNT + start.held.index
        self._require_sight(first)
        begun = {0: self._only(first, 0.0)}
        ahead = [(0, 0)]
        limit = self._one_by_one(first)
        last: tuple[int, int] | None = None
        while ahead:
            _, seen = heapq.heappop(ahead)
            keys = begun.pop(seen)
            keys[keys + self._rest_ms(seen) * _MS >= limit] = np.inf
            nodes, looked = self._looks(seen, keys, limit)
            after = seen | self._shown[nodes]
            for then in map(int, np.unique(after)):
                here, at = nodes[after == then], looked[after == then]
                if self._enough(then):
                    if at.min() < limit:
                        limit, last = at.min(), (seen, int(here[at.argmin()]))
                    continue
                if then not in begun:
                    begun[then] = np.full(self._holding.nodes, np.inf)
                    self._came[then] = np.zeros(self._holding.nodes, dtype=np.int64)
                    heapq.heappush(ahead, (then.bit_count(), then))
                better = at < begun[then][here]
                begun[then][here[better]] = at[better]
                self._came[then][here[better]] = seen
        if last is None:
            raise _never(self._wanted & ~max(self._came, key=int.bit_count, default=0))
        return self._traced(*last)

    def _looks(self, seen: int, keys: Times, limit: float) -> tuple[Numbers, Times]:
        """Return the nodes where a look shows more, and their keys after it.

        Args:
            seen: The facelets seen so far.
            keys: The first key of each node with this set.
            limit: Higher keys are ignored.
        """
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        graph, nodes = self._graph, self._holding.nodes
        begin = np.flatnonzero(np.isfinite(keys))
        # One more node with an edge to each of these; plus 1, because a weight of 0 means no edge.
        joined = csr_array(
            (
                np.concatenate([graph.data, keys[begin] + 1]),
                np.concatenate([graph.indices, begin]),
                np.concatenate([graph.indptr, [graph.indptr[-1] + len(begin)]]),
            ),
            shape=(nodes + 1, nodes + 1),
        )
        reached, self._before[seen] = dijkstra(
            joined, indices=nodes, return_predecessors=True, limit=limit + 1
        )
        fresh = (self._shown & ~seen != 0) & np.isfinite(reached[:nodes])
        at = np.flatnonzero(fresh)
        begins = reached[at] - 1
        return at, begins + self._look_ms * _MS + begins // _MS

    def _one_by_one(self, node: int) -> float:
        """Look at the nearest node that shows more, repeat, and return a key above the result."""
        seen, key = 0, 0.0
        while not self._enough(seen):
            nodes, looked = self._looks(seen, self._only(node, key), np.inf)
            if not len(nodes):
                return np.inf
            node, key = int(nodes[looked.argmin()]), float(looked.min())
            seen |= int(self._shown[node])
        return key + 1

    def _only(self, node: int, key: float) -> Times:
        keys = np.full(self._holding.nodes, np.inf)
        keys[node] = key
        return keys

    def _left(self, seen: int) -> list[int]:
        """Return the number of unseen facelets of each face, without the spared faces."""
        missing = self._wanted & ~seen
        left = sorted((missing & face).bit_count() for face in self._faces)
        return left[: len(left) - self._spare]

    def _enough(self, seen: int) -> bool:
        return not any(self._left(seen))

    def _rest_ms(self, seen: int) -> int:
        """Return a lower bound of the time until enough is seen."""
        looks = -(-sum(self._left(seen)) // self._most)
        return looks * self._look_ms + (looks - (not seen)) * self._least_ms

    def _require_sight(self, first: int) -> None:
        nodes, _ = self._looks(0, self._only(first, 0.0), np.inf)
        never = self._wanted & ~int(np.bitwise_or.reduce(self._shown[nodes]))
        if sum(never & face != 0 for face in self._faces) > self._spare:
            raise _never(never)

    def _traced(self, seen: int, node: int) -> list[list[Stride]]:
        groups: list[list[Stride]] = []
        while True:
            groups.append([])
            while (before := int(self._before[seen][node])) < self._holding.nodes:
                groups[-1].append(self._holding.stride(before, node))
                node = before
            if not seen:
                return [group[::-1] for group in reversed(groups)]
            seen = int(self._came[seen][node])


def _mask(facelets: Iterable[int]) -> int:
    return sum(1 << facelet for facelet in facelets)


def _never(facelets: int) -> NotPossibleError:
    names = facelets_text([facelet_name(at) for at in range(54) if facelets >> at & 1])
    return NotPossibleError(
        f"the cameras of this machine never see {names}: add a camera to the rig file, or an "
        "action that turns the cube"
    )
