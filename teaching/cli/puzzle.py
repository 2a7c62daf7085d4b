"""The verb `school puzzle`: the facts about a puzzle, and paths between two of its states."""

import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from cube.errors import NotationError
from documents.errors import ConfigError
from documents.files import read_text, write_atomically
from puzzles.groups.analysis import Analysis
from puzzles.groups.export import exported
from puzzles.kinds.balls import Face, parse_faces
from puzzles.kinds.catalogue import CATALOGUE, AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import scrambled
from solver.errors import SolverError
from solver.tables import TableStore
from teaching.cli.language import Speech, Spoken, chosen_words
from teaching.cli.puzzle_files import draw
from teaching.cli.puzzle_text import (
    differing,
    found,
    known,
    listed,
    say,
    say_all,
    say_foreign,
    say_list,
    say_way,
)
from teaching.films.writing import require_picture
from teaching.puzzles_as_typed import (
    SEARCHES,
    FoundPath,
    Made,
    PathSearch,
    PuzzleMethod,
    connect,
    made_by,
)
from thistlebot.cli import options
from thistlebot.cli.option_rules import require_only, require_with
from thistlebot.config import Folders
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.table_progress import TableProgress
from thistlebot.words.words import Words

_SOLVED = "solved"
_MANY_STICKERS = 80
_LONGEST_MOVE = 8
_SEARCHED = f"--solve {' or '.join(SEARCHES)}"

End = Annotated[
    str | None,
    typer.Option(metavar="MOVES|STATE", help="Target: moves, a state, or `solved`."),
]
Method = Annotated[
    PuzzleMethod | None, typer.Option("--solve", help="Find a path to the target by this method.")
]
Limit = Annotated[int, typer.Option(metavar="N", min=0, help="Maximum number of moves in a path.")]
Memory = Annotated[int, typer.Option(metavar="MB", min=16, help="Memory limit for the search.")]
Every = Annotated[
    bool, typer.Option("--all", help="Also list every longer solution within --limit, with nets.")
]
Faces = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="For balls: an OFF file, or a text file with the corners of one face per line.",
    ),
]
Name = Annotated[
    str | None, typer.Argument(help="3x3x3, 4x4x4, RU, supercube … Without it: list all puzzles.")
]
Scramble = Annotated[
    str | None, typer.Option(metavar="MOVES", help='Moves to start with, such as "R 2U2 F".')
]
Random = Annotated[int | None, typer.Option(metavar="N", min=1, help="Start with N random moves.")]
State = Annotated[
    str | None,
    typer.Option(metavar="STATE", help="Start from this state, as printed after `code`."),
]
Reassemble = Annotated[
    bool,
    typer.Option("--reassemble", help="Take the puzzle apart and start from a random re-assembly."),
]
Picture = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw the state, or the path turn by turn: .svg or .html."),
]
Group = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the group of the turns as a program for GAP."),
]
Quarters = Annotated[
    bool, typer.Option("--quarters", help="Count single steps of each layer only, as S5 does.")
]


def puzzle(
    context: typer.Context,
    name: Name = None,
    scramble: Scramble = None,
    random: Random = None,
    state: State = None,
    reassemble: Reassemble = False,
    to: End = None,
    method: Method = None,
    limit: Limit = 6,
    memory: Memory = 900,
    every: Every = False,
    quarters: Quarters = False,
    faces: Faces = None,
    picture: Picture = None,
    group: Group = None,
    language: Spoken = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Analyse a puzzle, and find ways between its states.

    It prints the invariants and the number of states. Two states can be connected if and only if
    all their invariants agree. --solve finds a path: auto chooses the method that finds the
    shortest ones in this puzzle, words uses a table of commutators, bidirectional and backtracking
    search for a shortest path.

    [bold]thistlebot school puzzle[/]                                  list all puzzles
    [bold]thistlebot school puzzle megaminx --random 9 --solve auto --picture way.html[/]
    [bold]thistlebot school puzzle 2x2x2 --scramble "R U" --solve backtracking --all[/]
    [bold]thistlebot school puzzle RU --scramble "R U" --to "U R"[/]   connect two states
    [bold]thistlebot school puzzle 3x3x3 --reassemble --to solved[/]   one in twelve is solvable
    [bold]thistlebot school puzzle phi3 --scramble "R U"[/]            why half turns cannot undo it
    """
    screen, words = Screen(quiet=json), chosen_words(language)
    speech = Speech(screen, words, "puzzle")
    if name is None:
        honoured = ("language", "json")
        require_only(context, "the list of all puzzles, without a NAME,", honoured)
        say_list(speech)
        for each in CATALOGUE if json else ():
            typer.echo(to_line({"name": each.name, "text": each.text}))
        return
    backtracking = f"--solve {PuzzleMethod.BACKTRACKING}", method is PuzzleMethod.BACKTRACKING
    require_with(
        context,
        ("limit", _SEARCHED, method in SEARCHES),
        *((each, *backtracking) for each in ("quarters", "every")),
    )
    require_picture(picture)
    chosen = puzzle_named(name, polyhedron(faces))
    analysis = Analysis(chosen)
    if group is not None:
        write_atomically(group, exported(chosen))
        screen.note(words("lesson.wrote", file=group))
    rng = np.random.default_rng(seed)
    made = _start(chosen, (scramble, random, state, reassemble), rng)
    end = None if to is None else _end(chosen, to)
    say(speech, analysis, made)
    if analysis.lacks_proof:
        Screen().note(words("puzzle.sympy"))
    code, connection = ExitCode.DONE, None
    record = {**known(analysis), "scramble": " ".join(made.moves)}
    record |= {"state": chosen.code(made.state), "moves": None, "cpu_ms": None}
    if method or to is not None:
        search = PathSearch(method or PuzzleMethod.AUTO, limit, memory * 1_000_000, every, quarters)
        if len(analysis.pieces.colours) > _MANY_STICKERS:
            screen.note(words("puzzle.searching"))
        connection, record["cpu_ms"] = _connected(analysis, (made.state, end), search, rng, words)
        record |= found(connection)
        code = say_way(speech, connection, limit)
        if every:
            record |= listed(chosen, made, connection)
            say_all(speech, chosen, made, connection)
    elif made.foreign:
        differences = analysis.differences(made.state, chosen.solved)
        record |= differing(differences)
        code = say_foreign(speech, made, chosen.name, differences)
    if json:
        typer.echo(to_line(record))
    if picture is not None:
        names = (" ".join(made.moves) or chosen.code(made.state), to or _SOLVED)
        apart, states = bool(made.foreign and code), (made.state, end)
        screen.note(draw(picture, analysis, states, connection, names, words, apart=apart))
    if code:
        raise typer.Exit(code)


def polyhedron(path: Path | None) -> tuple[Face, ...] | None:
    """The faces of a polyhedron in a file.

    Raises:
        MissingFileError: It cannot be read.
        SolverError: It does not describe a polyhedron.
    """
    if path is None:
        return None
    try:
        return parse_faces(read_text(path))
    except ConfigError as error:
        raise MissingFileError(f"cannot read the polyhedron: {error}") from error


def _start(
    chosen: AnyPuzzle,
    ways: tuple[str | None, int | None, str | None, bool],
    rng: np.random.Generator,
) -> Made:
    scramble, random, state, reassemble = ways
    if sum((scramble is not None, random is not None, state is not None, reassemble)) > 1:
        raise UsageError(
            "--scramble, --random, --state and --reassemble all set the start; give one of them"
        )
    if random is not None:
        there, turns = scrambled(chosen, random, rng)
        return Made(there, tuple(turn.name for turn in turns))
    if state is not None:
        return Made(chosen.parse(state))
    if reassemble:
        return Made(chosen.state(chosen.pieces.reassembled(rng)))
    return made_by(chosen, scramble or "")


def _end(chosen: AnyPuzzle, text: str) -> Any:
    """The state that a text means: moves if it has brackets or short words, else a state."""
    if text.strip().lower() == _SOLVED:
        return chosen.solved
    unread = ""
    if set(text) & set("()[]") or all(len(word) <= _LONGEST_MOVE for word in text.split()):
        try:
            return made_by(chosen, text).state
        except NotationError as error:
            unread = f"{error}; "
    try:
        return chosen.parse(text)
    except SolverError as error:
        raise UsageError(
            f"--to {text!r} is neither moves nor a state of this puzzle: {unread}{error}"
        ) from error


def _connected(
    analysis: Analysis[Any],
    ends: tuple[Any, Any],
    search: PathSearch,
    rng: np.random.Generator,
    words: Words,
) -> tuple[FoundPath, float]:
    """Search for a path; also return the processor time in ms."""
    started = time.thread_time()
    with TableProgress(Screen(), words("puzzle.building")) as progress:
        store = TableStore(Folders.of_platform().cache / "tables", progress)
        connection = connect(analysis, *ends, search, store=store, rng=rng)
    return connection, round(1000 * (time.thread_time() - started), 3)
