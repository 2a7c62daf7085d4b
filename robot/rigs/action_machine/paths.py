"""The quickest paths of a machine from one layer turn to the next."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cube.orientation import orientations
from robot.rigs.action_machine.transitions import MachineState, StateGraph, Stride

Times = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

COUNT = 24
"""Orientations of a cube."""


def composed() -> Numbers:
    """Return the number of ``q.then(r)``, (24, 24), by the numbers of q and r."""
    every = orientations()
    return np.array([[q.then(r).index for r in every] for q in every], dtype=np.int64)


class Holding:
    """The strides that turn no layer, as a graph of machine states and cube orientations.

    Its nodes are numbered by state, then by orientation.

    Attributes:
        machine: The same.
        numbers: The number of each state.
    """

    def __init__(self, machine: StateGraph) -> None:
        self.machine = machine
        self.numbers = {state: number for number, state in enumerate(machine.strides)}
        self._quickest: dict[tuple[int, int, int], Stride] = {}
        for stride in (stride for each in machine.strides.values() for stride in each):
            if not stride.turns and (stride.before != stride.after or stride.rotation.index):
                between = self.numbers[stride.before], self.numbers[stride.after]
                known = self._quickest.setdefault((*between, stride.rotation.index), stride)
                if stride.time_ms < known.time_ms:
                    self._quickest[(*between, stride.rotation.index)] = stride
        before, after, turned = np.array([*self._quickest], dtype=np.int64).reshape(-1, 3).T
        begin = before[:, None] * COUNT + np.arange(COUNT)
        end = after[:, None] * COUNT + composed()[:, turned].T
        self._edges: Numbers = np.stack([begin.ravel(), end.ravel()])
        times_ms = [stride.time_ms for stride in self._quickest.values()]
        self._times_ms: Times = np.repeat(np.array(times_ms, dtype=float), COUNT)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.numbers) * COUNT

    def strides(self, before: Numbers, first: int, last: int) -> list[Stride]:
        """Return the strides along the path between two nodes.

        Args:
            before: For each node, its predecessor on the path from the same first node.
            first: The start of the path.
            last: The end of the path.
        """
        every = orientations()
        found = []
        while last != first:
            begin = int(before[last])
            rotation = every[begin % COUNT].inverse().then(every[last % COUNT])
            found.append(self._quickest[begin // COUNT, last // COUNT, rotation.index])
            last = begin
        return found[::-1]

    def quickest(self, firsts: Sequence[int]) -> tuple[Times, Numbers]:
        """Return the shortest paths from some nodes to all: times and predecessors."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        graph = csr_array((self._times_ms, tuple(self._edges)), shape=(self.nodes, self.nodes))
        times, before = dijkstra(graph, indices=firsts, return_predecessors=True)
        return times, before

    def way(self, first: MachineState, last: MachineState) -> list[Stride] | None:
        """Return the quickest strides from one state to another, however the cube is held then."""
        begin, end = self.numbers[first] * COUNT, self.numbers[last] * COUNT
        times, before = self.quickest([begin])
        node = end + int(times[0, end : end + COUNT].argmin())
        return self.strides(before[0], begin, node) if np.isfinite(times[0, node]) else None


class TurnlessPaths:
    """All shortest paths that turn no layer, between those strides that do.

    Args:
        holding: The strides between layer turns.
        starts: Further states to start from, besides the ends of turns.

    Attributes:
        turns: The strides that turn layers, including other deeds at the same time.
        ends: The machine's states after these strides, and the starts, without repetition.
        end_of: For each stride, the index of its state in `ends`.
        begins: The states before these strides, without repetition.
        begin_of: For each stride, the index of its state in `begins`.
    """

    def __init__(self, holding: Holding, starts: tuple[MachineState, ...]) -> None:
        self._holding = holding
        strides = (stride for each in holding.machine.strides.values() for stride in each)
        self.turns = tuple(stride for stride in strides if stride.turns)
        self.ends = tuple(dict.fromkeys([*starts, *(stride.after for stride in self.turns)]))
        self.begins = tuple(dict.fromkeys(stride.before for stride in self.turns))
        self.end_of = [self.ends.index(stride.after) for stride in self.turns]
        self.begin_of = [self.begins.index(stride.before) for stride in self.turns]
        firsts = [holding.numbers[state] * COUNT for state in self.ends]
        self._times, self._before = holding.quickest(firsts)

    def between(self) -> Times:
        """Return the milliseconds from the end of a turn to the beginning of another.

        Returns: Shape (ends, 24, begins, 24): from an end, with the cube held in some way, to where
            a turn begins with the cube held in some way.
        """
        numbers = [self._holding.numbers[state] for state in self.begins]
        each = self._times.reshape(len(self.ends), -1, COUNT)[:, numbers, :]
        every = orientations()
        relative = np.array([[q.inverse().then(p).index for p in every] for q in every])
        return np.moveaxis(each[:, :, relative], 2, 1)

    def way(self, end: int, held: int, to: MachineState, as_held: int) -> list[Stride]:
        """Return the strides of a quickest path.

        Args:
            end: Index in `ends` of the first state.
            held: Number of the cube's first orientation.
            to: The last state.
            as_held: Number of the cube's last orientation.
        """
        every = orientations()
        relative = every[held].inverse().then(every[as_held]).index
        node = self._holding.numbers[to] * COUNT + relative
        first = self._holding.numbers[self.ends[end]] * COUNT
        return self._holding.strides(self._before[end], first, node)
