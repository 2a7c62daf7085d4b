"""Cayley graphs of small groups: every state once, every turn a line, distances by the turns."""

from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from puzzles.groups.analysis import Analysis
from puzzles.groups.cayley import cayley_graph, drawn_graph, search_tree
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.puzzle import turned
from solver.errors import SolverError


@pytest.mark.parametrize(
    ("name", "what", "rings"),
    [
        ("R2U2", "states", [1, 2, 2, 2, 2, 2, 1]),
        ("1x2x2", "states", [1, 7, 22, 14, 4]),
        ("UD", "states", [1, 6, 9]),
        ("phi3", "arrangements of the corners", [1, 6, 27, 42, 20]),
    ],
)
def test_graphs_have_all_states_on_rings(name: str, what: str, rings: list[int]) -> None:
    puzzle = puzzle_named(name)
    graph = cayley_graph(puzzle)
    found = Counter(graph.distances)
    assert graph.what == what
    if what == "states" and puzzle.pieces.holds == 1:
        assert sum(found.values()) == Analysis(puzzle).group_order
    assert sum(rings) == sum(found.values())
    assert [found[distance] for distance in sorted(found)] == rings
    for turn in range(len(graph.turns)):  # a turn permutes the states
        targets = [there for _, there, by in graph.edges if by == turn]
        assert sorted(targets) == list(range(len(graph.distances)))
    drawn = ET.fromstring(drawn_graph(graph, name))
    assert len(drawn.findall(".//{*}circle")) == len(graph.distances)


def test_the_tree_of_a_search_has_every_path_and_its_solutions() -> None:
    """Nine turns of the 2×2×2, then six of the other two layers after each."""
    puzzle = puzzle_named("2x2x2")
    tree = search_tree(puzzle, turned(puzzle, puzzle.solved, "R U"), 2)
    assert Counter(tree.distances) == {0: 1, 1: 9, 2: 54}
    assert len(tree.edges) == 63
    (goal,) = tree.goals
    path, here = list[str](), goal
    while here:
        here, turn = next((a, by) for a, b, by in tree.edges if b == here)
        path.append(tree.turns[turn])
    assert path == ["R'", "U'"]
    assert drawn_graph(tree, "tree").count("#c22") == 1
    with pytest.raises(SolverError):
        search_tree(puzzle, puzzle_named("2x2x2").apply(puzzle.solved, puzzle.turns[0]), 5)


def test_large_groups_are_refused() -> None:
    with pytest.raises(SolverError):
        cayley_graph(puzzle_named("3x3x3"))
