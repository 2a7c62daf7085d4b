"""The quickest ways of a machine from one turn of a layer to the next, whatever lies between."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cube.orientation import orientations
from robot.rigs.action_machine.deeds import Machine, MachineState, Stride

Times = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

COUNT = 24
"""Orientations of a cube."""


def composed() -> Numbers:
    """Return the number of ``q.then(r)``, (24, 24), by the numbers of q and r."""
    every = orientations()
    return np.array([[q.then(r).index for r in every] for q in every], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Turns:
    """Everything that turns layers.

    Attributes:
        strides: Each stride that does, whatever is done beside it.
        ends: The machine's states after these, and its start, each once.
        end_of: For each stride, its state's place in `ends`.
        begins: The states in which these begin, each once.
        begin_of: For each stride, its state's place in `begins`.
    """

    strides: tuple[Stride, ...]
    ends: tuple[MachineState, ...]
    end_of: tuple[int, ...]
    begins: tuple[MachineState, ...]
    begin_of: tuple[int, ...]


class Ways:
    """All shortest ways that turn no layer.

    Args:
        machine: Its states and strides.
        starts: States to start from, besides those in which a turn ends.
    """

    def __init__(self, machine: Machine, starts: tuple[MachineState, ...]) -> None:
        self.machine = machine
        strides = [stride for each in machine.strides.values() for stride in each]
        turning = tuple(stride for stride in strides if stride.turns)
        self._holding = [stride for stride in strides if not stride.turns]
        ends = tuple(dict.fromkeys([*starts, *(stride.after for stride in turning)]))
        begins = tuple(dict.fromkeys(stride.before for stride in turning))
        self.turns = Turns(
            turning,
            ends,
            tuple(ends.index(stride.after) for stride in turning),
            begins,
            tuple(begins.index(stride.before) for stride in turning),
        )
        self._numbers = {state: number for number, state in enumerate(machine.strides)}
        self._quickest: dict[tuple[int, int], Stride] = {}
        self._times, self._before = self._search()

    @cached_property
    def between(self) -> Times:
        """Milliseconds from where a turn ended to where another one can begin.

        Returns: Shape (ends, 24, begins, 24): from an end, with the cube held in some way, to where
            a turn begins with the cube held in some way.
        """
        return self._to(self.turns.begins)

    @cached_property
    def between_ends(self) -> Times:
        """The same to where a turn ended, (ends, 24, ends, 24): without turning any layer."""
        return self._to(self.turns.ends)

    def way(self, end: int, held: int, to: MachineState, as_held: int) -> list[Stride]:
        """Return the strides of a quickest way.

        Args:
            end: Place in `turns.ends` of the state in which it begins.
            held: Number of the orientation in which the cube is held then.
            to: The state in which it ends.
            as_held: Number of the orientation then.
        """
        every = orientations()
        relative = every[held].inverse().then(every[as_held]).index
        node = self._numbers[to] * COUNT + relative
        first = self._numbers[self.turns.ends[end]] * COUNT
        strides = []
        while node != first:
            before = int(self._before[end, node])
            strides.append(self._quickest[before, node])
            node = before
        return strides[::-1]

    def _to(self, states: Sequence[MachineState]) -> Times:
        numbers = [self._numbers[state] for state in states]
        each = self._times.reshape(len(self.turns.ends), -1, COUNT)[:, numbers, :]
        every = orientations()
        relative = np.array([[q.inverse().then(p).index for p in every] for q in every])
        return np.moveaxis(each[:, :, relative], 2, 1)

    def _search(self) -> tuple[Times, Numbers]:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        then = composed()
        for stride in self._holding:
            turned = then[:, stride.rotation.index]
            before = self._numbers[stride.before] * COUNT
            after = self._numbers[stride.after] * COUNT
            for held in range(COUNT):
                edge = before + held, after + int(turned[held])
                if edge[0] == edge[1]:
                    continue
                known = self._quickest.get(edge)
                if known is None or stride.time_ms < known.time_ms:
                    self._quickest[edge] = stride
        nodes = len(self._numbers) * COUNT
        starts = [self._numbers[state] * COUNT for state in self.turns.ends]
        if not self._quickest:
            graph = csr_array((nodes, nodes))
        else:
            edges = np.array(list(self._quickest), dtype=np.int64)
            times = [stride.time_ms for stride in self._quickest.values()]
            graph = csr_array((times, (edges[:, 0], edges[:, 1])), shape=(nodes, nodes))
        times, before = dijkstra(graph, indices=starts, return_predecessors=True)
        return times, before
