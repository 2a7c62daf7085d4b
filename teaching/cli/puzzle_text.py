"""The output of the verb `school puzzle`: for a puzzle, a state, and a path between two."""

import re
from collections import Counter
from typing import Any

from rich.text import Text

from puzzles.groups.analysis import Analysis, Difference
from puzzles.kinds.catalogue import CATALOGUE, AnyPuzzle
from puzzles.kinds.puzzle import PuzzleTurn, turned
from teaching.cli.language import Speech, say_place
from teaching.methods.method import CosetPlace
from teaching.puzzles_as_typed import FoundPath, Made
from teaching.wording import grouped, kind_said, shown
from thistlebot.exit_codes import ExitCode
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words

_MOST_TURNS_SHOWN = 60
_MOST_FAILED_SHOWN = 24


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
            {"name": str(i.name), "text": str(i.text), "values": str(i.values)}
            for i in analysis.invariants
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
        "failed": len(connection.failed),
        "counts": list(connection.counts),
        **differing(connection.differences),
    }


def differing(differences: tuple[Difference, ...]) -> dict[str, Any]:
    """The invariants in which two states differ: numbers, or names of pieces."""
    return {
        "differences": [
            {
                "invariant": str(difference.invariant.name),
                "from": _plain(difference.invariant.said(difference.one)),
                "to": _plain(difference.invariant.said(difference.other)),
            }
            for difference in differences
        ]
    }


def _plain(value: int | str) -> int | str:
    """Return a phrase as text, which records can hold."""
    return str(value) if isinstance(value, str) else value


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
        "failed_paths": [{"moves": names(made), "left": left} for made, left in connection.failed],
        "nets": {when: chosen.code(state) for when, state in around.items()},
    }


def say_list(speech: Speech) -> None:
    """List all puzzles."""
    width = max(len(each.name) for each in CATALOGUE)
    for each in CATALOGUE:
        slug = re.sub("[^a-z0-9]+", "_", each.name.lower()).strip("_")
        speech.screen.line(f"{each.name:<{width}}  {speech.words(f'puzzle.name_{slug}')}")


def say_all(speech: Speech, chosen: AnyPuzzle, made: Made, connection: FoundPath) -> None:
    """Show every solution, the shortest first, then the nets before, between and after."""
    if connection.moves is None:
        return
    screen, words = speech.screen, speech.words
    lengths = sorted(Counter(map(len, connection.solutions)).items())
    counts = ", ".join(f"{length}: {grouped(of)}" for length, of in lengths)
    speech.line("lengths", counts)
    for number, moves in enumerate(connection.solutions, start=1):
        screen.line(f"{number:>8}  {names(moves)}")
    _say_failed(screen, connection, words)
    around = nets(chosen, made, connection)
    screen.beside({words(f"puzzle.{w}"): Text(chosen.text(each)) for w, each in around.items()})


def say(speech: Speech, analysis: Analysis[Any], made: Made) -> None:
    """Show the facts about a puzzle and one of its states."""
    chosen, screen, words = analysis.puzzle, speech.screen, speech.words
    first = names(chosen.turns[:_MOST_TURNS_SHOWN])
    more = " …" if len(chosen.turns) > _MOST_TURNS_SHOWN else ""
    told = {"puzzle": chosen.name, "count": len(chosen.turns), "turns": f"{first}{more}"}
    screen.line(words("puzzle.turns", **told))
    for kind in analysis.pieces.kinds:
        key = "puzzle.pieces_turned" if len(kind.rotations) > 1 else "puzzle.pieces"
        told = {"count": len(kind.places), "kind": kind_said(kind.name, words)}
        speech.line("pieces", words(key, ways=len(kind.rotations), **told))
    for invariant in analysis.invariants:
        told = {"text": shown(invariant.text, words), "values": grouped(invariant.values)}
        speech.line("invariant", words("puzzle.invariant", **told))
    speech.line("orbits", grouped(analysis.orbits))
    states = words("puzzle.states", count=grouped(analysis.states_per_orbit))
    if not (analysis.counts_alike or analysis.alike == 1):
        states = words("puzzle.alike", text=states)
    if not analysis.proven:
        states = words("puzzle.unproven", text=states)
    speech.line("states", states)
    if made.moves:
        screen.line(words("puzzle.scramble", moves=" ".join(made.moves)))
    screen.line(chosen.text(made.state))
    speech.line("code", chosen.code(made.state))


def say_foreign(
    speech: Speech, made: Made, name: str, differences: tuple[Difference, ...]
) -> ExitCode:
    """Show whether a puzzle's own turns can undo others; return the exit code."""
    screen, words = speech.screen, speech.words
    key = "word.not_turn" if len(made.foreign) == 1 else "word.not_turns"
    screen.note(words(key, moves=" ".join(made.foreign), puzzle=name))
    if not differences:
        screen.note(words("puzzle.same_state"))
        return ExitCode.DONE
    _say_differences(speech, differences)
    screen.note(words("puzzle.no_undoing", puzzle=name))
    return ExitCode.UNSOLVABLE


def _say_differences(speech: Speech, differences: tuple[Difference, ...]) -> None:
    labels, words = speech.labels, speech.words
    for difference in differences:
        invariant = difference.invariant
        values = [invariant.said(value) for value in (difference.one, difference.other)]
        one, other = (shown(value, words) for value in values)
        speech.line("differs", shown(invariant.text, words))
        labels.line(f"  {words('puzzle.here')}", one)
        labels.line(f"  {words('puzzle.there')}", other)


def say_way(speech: Speech, connection: FoundPath, limit: int) -> ExitCode:
    """Show the path that was found, or why there is none; return the exit code."""
    screen, words = speech.screen, speech.words
    if connection.differences:
        _say_differences(speech, connection.differences)
        screen.note(words("puzzle.no_way"))
        return ExitCode.UNSOLVABLE
    if connection.moves is None:
        screen.note(words("puzzle.no_solution", limit=limit))
        return ExitCode.USAGE
    key = "puzzle.way_fewest" if connection.shortest else "puzzle.way"
    told = {"count": len(connection.moves), "method": method_said(connection.method, words)}
    screen.line(f"{names(connection.moves) or words('puzzle.nothing')}  ({words(key, **told)})")
    if connection.counts:
        say_place(speech, CosetPlace(len(connection.moves), connection.counts), "states")
    if connection.failed:
        text = words("puzzle.failed", count=grouped(len(connection.failed)))
        speech.line("failed", text)
    return ExitCode.DONE


def _say_failed(screen: Screen, connection: FoundPath, words: Words) -> None:
    """List failed paths by the number of turns that were left, up to a limit for each number."""
    by_left: dict[int, list[str]] = {}
    for made, left in connection.failed:
        by_left.setdefault(left, []).append(names(made) or "–")
    for left, paths in sorted(by_left.items()):
        first = " · ".join(paths[:_MOST_FAILED_SHOWN])
        more = len(paths) - _MOST_FAILED_SHOWN
        rest = f" · … (+{grouped(more)})" if more > 0 else ""
        screen.line(f"  {words('puzzle.failed_left', count=left)}: {first}{rest}")


def method_said(method: str, words: Words) -> str:
    """Return the name of the method that found a path."""
    key = f"puzzle.method_{re.sub('[^a-z0-9]+', '_', method.lower()).strip('_')}"
    return words(key) if words.has(key) else method


def names(turns: tuple[PuzzleTurn, ...]) -> str:
    """Turns in the notation for typing."""
    return " ".join(turn.name for turn in turns)
