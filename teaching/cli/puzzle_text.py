"""The output of the verb `puzzle`: for a puzzle, one of its states, and a path between two."""

from collections import Counter
from itertools import zip_longest
from typing import Any

from puzzles.groups.analysis import Analysis, Difference
from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.puzzle import PuzzleTurn, turned
from teaching.cli.coset_text import say_place
from teaching.cli.language import Labels
from teaching.methods.method import CosetPlace
from teaching.puzzles_as_typed import FoundPath, Made
from thistlebot.exit_codes import ExitCode
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import DEFAULT, load_words

_MOST_TURNS_SHOWN = 60
_BETWEEN_NETS = 4


def known(analysis: Analysis[Any]) -> dict[str, Any]:
    """The facts about the puzzle in any state; numbers as text, because they may be long."""
    return {
        "puzzle": analysis.puzzle.name,
        "turns": [turn.name for turn in analysis.puzzle.turns],
        "pieces": [
            {"name": kind.name, "count": len(kind.places), "orientations": len(kind.rotations)}
            for kind in analysis.pieces.kinds
        ],
        "invariants": [
            {"name": i.name, "text": i.text, "values": str(i.values)} for i in analysis.invariants
        ],
        "orbits": str(analysis.orbits),
        "states_per_orbit": str(analysis.states_per_orbit),
        "group_order": str(analysis.group_order),
        "proven": analysis.proven,
    }


def found(connection: FoundPath) -> dict[str, Any]:
    """The result of a search for a path."""
    return {
        "moves": None if connection.moves is None else names(connection.moves),
        "method": connection.method,
        "shortest": connection.shortest,
        "failed": connection.failed,
        "counts": list(connection.counts),
        **differing(connection.differences),
    }


def differing(differences: tuple[Difference, ...]) -> dict[str, Any]:
    """The invariants in which two states differ: numbers, or names of pieces."""
    return {
        "differences": [
            {
                "invariant": difference.invariant.name,
                "from": difference.invariant.said(difference.one),
                "to": difference.invariant.said(difference.other),
            }
            for difference in differences
        ]
    }


def nets(chosen: AnyPuzzle, made: Made, connection: FoundPath) -> dict[str, Any]:
    """The states before the scramble, between it and the solution, and after the solution.

    The first is missing if no moves made the state, the last if there is no path.
    """
    found = {"before": chosen.solved} if made.moves else {}
    found["between"] = made.state
    if connection.moves is not None:
        found["after"] = turned(chosen, made.state, names(connection.moves))
    return found


def listed(chosen: AnyPuzzle, made: Made, connection: FoundPath) -> dict[str, Any]:
    """All solutions that were found, and the states around them."""
    around = nets(chosen, made, connection)
    return {
        "solutions": list(map(names, connection.solutions)),
        "nets": {when: chosen.code(state) for when, state in around.items()},
    }


def say_all(screen: Screen, chosen: AnyPuzzle, made: Made, connection: FoundPath) -> None:
    """Show every solution, the shortest first, then the nets before, between and after."""
    lengths = sorted(Counter(map(len, connection.solutions)).items())
    screen.line("of moves  " + ", ".join(f"{length}: {_grouped(of)}" for length, of in lengths))
    for number, moves in enumerate(connection.solutions, start=1):
        screen.line(f"{number:>8}  {names(moves)}")
    around = nets(chosen, made, connection)
    blocks = [[when, *chosen.text(state).splitlines()] for when, state in around.items()]
    widths = [max(map(len, block)) + _BETWEEN_NETS for block in blocks]
    if sum(widths) - _BETWEEN_NETS > screen.out.width:
        for line in (line for block in blocks for line in block):
            screen.line(line)
        return
    for row in zip_longest(*blocks, fillvalue=""):
        cells = (line.ljust(width) for line, width in zip(row, widths, strict=True))
        screen.line("".join(cells).rstrip())


def say(screen: Screen, analysis: Analysis[Any], made: Made) -> None:
    """Show the facts about a puzzle and one of its states."""
    chosen = analysis.puzzle
    shown = names(chosen.turns[:_MOST_TURNS_SHOWN])
    more = " …" if len(chosen.turns) > _MOST_TURNS_SHOWN else ""
    screen.line(f"{chosen.name}: {len(chosen.turns)} turns: {shown}{more}")
    for kind in analysis.pieces.kinds:
        ways = f", each in {len(kind.rotations)} ways" if len(kind.rotations) > 1 else ""
        screen.line(f"pieces    {len(kind.places)} {kind.name}{ways}")
    for invariant in analysis.invariants:
        screen.line(f"invariant {invariant.text}: {_grouped(invariant.values)} values")
    screen.line(f"orbits    {_grouped(analysis.orbits)}")
    proof = "" if analysis.proven else " (probability of error below 2^-60)"
    alike = "" if analysis.counts_alike or analysis.alike == 1 else ", distinguishing equal pieces"
    screen.line(f"states    {_grouped(analysis.states_per_orbit)} in each{alike}{proof}")
    if made.moves:
        screen.line(f"scramble: {' '.join(made.moves)}")
    screen.line(chosen.text(made.state))
    screen.line(f"code      {chosen.code(made.state)}")


def say_foreign(
    screen: Screen, made: Made, name: str, differences: tuple[Difference, ...]
) -> ExitCode:
    """Show whether a puzzle's own turns can undo others; return the exit code."""
    few = len(made.foreign) == 1
    screen.note(f"{' '.join(made.foreign)} {'is not a turn' if few else 'are not turns'} of {name}")
    if not differences:
        screen.note("but its turns lead to the same state: --to solved finds a path")
        return ExitCode.DONE
    _say_differences(screen, differences)
    screen.note(f"the turns of {name} cannot undo it, because the invariants differ")
    return ExitCode.UNSOLVABLE


def _say_differences(screen: Screen, differences: tuple[Difference, ...]) -> None:
    for difference in differences:
        one, other = map(difference.invariant.said, (difference.one, difference.other))
        screen.line(f"differs   {difference.invariant.text}")
        screen.line(f"  here    {one}")
        screen.line(f"  there   {other}")


def say_way(screen: Screen, connection: FoundPath, limit: int) -> ExitCode:
    """Show the path that was found, or why there is none; return the exit code."""
    if connection.differences:
        _say_differences(screen, connection.differences)
        screen.note("no turns lead there, because the invariants differ")
        return ExitCode.UNSOLVABLE
    if connection.moves is None:
        screen.note(f"no solution of at most {limit} moves; --limit allows more, and takes longer")
        return ExitCode.USAGE
    few = ", the fewest" if connection.shortest else ""
    screen.line(
        f"{names(connection.moves) or 'nothing to do'}  "
        f"({len(connection.moves)} moves{few}, {connection.method})"
    )
    if connection.counts:
        place = CosetPlace(len(connection.moves), connection.counts)
        say_place(Labels(screen, ()), place, load_words(DEFAULT), "states")
    if connection.failed:
        screen.line(
            f"failed    {_grouped(connection.failed)} paths kept: states from which the moves left "
            "do not lead home"
        )
    return ExitCode.DONE


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def names(turns: tuple[PuzzleTurn, ...]) -> str:
    """Turns in the notation for typing."""
    return " ".join(turn.name for turn in turns)
