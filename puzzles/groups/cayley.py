"""The Cayley graph of a small group of turns as a picture, and the tree of a search (S5).

Each state is a point, and each turn joins two states. The solved state is in the centre, the others
lie on rings by their distance from it. If there are too many states, the arrangements of one kind
of pieces are drawn instead: the cosets of the turns that leave this kind alone.
"""

from dataclasses import dataclass
from math import atan2, cos, pi, sin

import numpy as np

from cube.drawing import colour_of
from cube.svg import chart, element, text, title
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import Puzzle, PuzzleTurn, State, may_follow
from solver.errors import SolverError

MOST_STATES, MOST_NODES = 200, 1000
_WIDEST_LEGEND = 60.0
_RING, _MARGIN, _LEGEND, _POINT = 60.0, 40.0, 18.0, 5.0


@dataclass(frozen=True, slots=True)
class CayleyGraph:
    """A group's states and turns.

    Attributes:
        what: What is drawn: the states, or the places of a kind of pieces.
        turns: Names of the turns, without those that undo an earlier one.
        distances: The distance of each state from the solved one, which is the first.
        edges: Numbers of two states, and of the turn that leads from one to the other.
        goals: Numbers of the states that are drawn as goals.
    """

    what: str
    turns: tuple[str, ...]
    distances: tuple[int, ...]
    edges: tuple[tuple[int, int, int], ...]
    goals: frozenset[int] = frozenset({0})


def search_tree(puzzle: Puzzle[State], state: State, depth: int) -> CayleyGraph:
    """Return the tree that backtracking searches: from a state, all paths of up to `depth` turns.

    A path ends at the solved puzzle; no layer turns twice in a row, and of turns about one axis
    only one order is tried.

    Raises:
        SolverError: There are more than 1000 paths.
    """
    order = {turn.name: number for number, turn in enumerate(puzzle.turns)}
    nodes: list[tuple[State, PuzzleTurn | None]] = [(state, None)]
    distances, edges = [0], list[tuple[int, int, int]]()
    for number, (here, last) in enumerate(nodes):
        if distances[number] == depth or puzzle.is_solved(here):
            continue
        for turn in puzzle.turns:
            if may_follow(last, turn, order):
                edges.append((number, len(nodes), order[turn.name]))
                nodes.append((puzzle.apply(here, turn), turn))
                distances.append(distances[number] + 1)
        if len(nodes) > MOST_NODES:
            raise SolverError(
                f"{puzzle.name}: more than {MOST_NODES} paths of up to {depth} turns, too many to "
                "draw; use a state nearer to solved"
            )
    goals = frozenset(i for i, (there, _) in enumerate(nodes) if puzzle.is_solved(there))
    return CayleyGraph("paths", tuple(order), tuple(distances), tuple(edges), goals)


def cayley_graph(puzzle: Puzzle[State]) -> CayleyGraph:
    """Return the graph of a puzzle's states, or of the places of a kind of its pieces.

    Raises:
        SolverError: There are more than 200 of each.
    """
    pieces = puzzle.pieces
    kinds = [(f"arrangements of the {kind.name}", kind.slots[:, 0]) for kind in pieces.kinds]
    turns, order = list[str](), {turn.name: number for number, turn in enumerate(puzzle.turns)}
    for turn in puzzle.turns:
        if order[turn.inverse] >= order[turn.name]:
            turns.append(turn.name)
    moves = [pieces.turns[name] for name in turns]
    place_of = np.arange(len(pieces.colours))
    for kind in pieces.kinds:
        place_of[kind.slots] = kind.slots[:, :1]  # a piece in its place, however it is turned
    whole = ("states", place_of, np.arange(len(place_of)))
    parts = [(what, slots, place_of) for what, slots in kinds]
    for what, slots, labels in (whole, *parts):
        shown = np.arange(len(place_of)) if what == "states" else slots
        found = _walked(moves, shown, labels)
        if found is not None:
            return CayleyGraph(what, tuple(turns), *found)
    raise SolverError(
        f"{puzzle.name}: more than {MOST_STATES} states, too many to draw; try R2U2, 1x2x2 or phi3"
    )


def _walked(
    moves: list[Arrangement], shown: Arrangement, labels: Arrangement
) -> tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]] | None:
    """Return distances and edges, or None if there are too many states."""
    start = np.arange(len(labels))
    numbers = {labels[start[shown]].tobytes(): 0}
    queue, distances, edges = [start], [0], list[tuple[int, int, int]]()
    both = [*moves, *(np.argsort(move) for move in moves)]
    for number, here in enumerate(queue):
        for turn, move in enumerate(both):
            there = here[move]
            key = labels[there[shown]].tobytes()
            if key not in numbers:
                if len(numbers) == MOST_STATES:
                    return None
                numbers[key] = len(queue)
                queue.append(there)
                distances.append(distances[number] + 1)
            if turn < len(moves):
                edges.append((number, numbers[key], turn))
    return tuple(distances), tuple(edges)


def drawn_graph(graph: CayleyGraph, name: str) -> str:
    """Draw a graph as SVG: points on rings by distance, lines in the colour of their turn."""
    farthest = max(graph.distances)
    middle = max(_WIDEST_LEGEND * len(graph.turns) / 2, _MARGIN + _RING * farthest)
    spots = _spots(graph, middle)
    colours = [colour_of(turn, graph.turns) for turn in graph.turns]
    size = _POINT if len(spots) <= MOST_STATES else 2.0
    drawn = set[tuple[int, int, int]]()
    lines = []
    for one, other, turn in graph.edges:
        key = (min(one, other), max(one, other), turn)
        if one != other and key not in drawn:
            drawn.add(key)
            (x1, y1), (x2, y2) = spots[one], spots[other]
            place = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
            lines.append(element("line", stroke=colours[turn], stroke_width=1.5, **place))
    dots = [
        element(
            "circle",
            title(f"distance {distance}"),
            cx=x,
            cy=y,
            r=size + 2 if number in graph.goals else size,
            fill="#c22" if number in graph.goals else "#333",
        )
        for number, ((x, y), distance) in enumerate(zip(spots, graph.distances, strict=True))
    ]
    said = f"{name}: {len(spots)} {graph.what}, at most {farthest} turns away"
    legend = [text(said, 10, 2 * middle + _LEGEND)]
    for number, (name_of_turn, colour) in enumerate(zip(graph.turns, colours, strict=True)):
        x, y = 10 + 60 * number, 2 * middle + 2 * _LEGEND
        legend += [
            element("line", x1=x, y1=y - 4, x2=x + 20, y2=y - 4, stroke=colour, stroke_width=3),
            text(name_of_turn, x + 26, y),
        ]
    return chart((2 * middle, 2 * middle + 3 * _LEGEND), [*lines, *dots, *legend])


def _mean(angles: list[float]) -> float:
    """Return the mean direction of angles in radians, 0 to 2π."""
    return atan2(sum(map(sin, angles)), sum(map(cos, angles))) % (2 * pi)


def _spots(graph: CayleyGraph, middle: float) -> list[tuple[float, float]]:
    """Return a point for each state: on its ring, near the states of the ring before it."""
    angles = [0.0] * len(graph.distances)
    near: dict[int, list[int]] = {}
    for one, other, _ in graph.edges:
        for here, there in ((one, other), (other, one)):
            if graph.distances[there] == graph.distances[here] - 1:
                near.setdefault(here, []).append(there)
    for distance in range(1, max(graph.distances) + 1):
        ring = [i for i, each in enumerate(graph.distances) if each == distance]
        wished = {i: _mean([angles[j] for j in near[i]]) for i in ring}
        ring.sort(key=lambda i: wished[i])
        step = 2 * pi / len(ring)
        offset = _mean([wished[i] - step * place for place, i in enumerate(ring)])
        for place, state in enumerate(ring):
            angles[state] = (offset + step * place) % (2 * pi)
    return [
        (middle + _RING * d * sin(angle), middle - _RING * d * cos(angle))
        for d, angle in zip(graph.distances, angles, strict=True)
    ]
