"""Solves a file of states, one line out for each line in."""

from pathlib import Path

import typer

from cube.errors import ThistlebotError
from cube.written.written_cube import WrittenCube
from robot.rigs.mechanism import Mechanism
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode, exit_code_of
from thistlebot.output import printable
from thistlebot.reading.typed_cube import solvable_state
from thistlebot.records import solve_record, to_line
from thistlebot.solving.solver import Solve
from thistlebot.text_lines import read_lines


def solve_states(
    file: Path,
    solver: Solve,
    rig: Mechanism,
    order: str | None = None,
    *,
    as_json: bool,
) -> int:
    """Solve every state in a file, and print one line for each.

    A state that cannot be solved gets a line that says why; the others are solved all the same.

    Args:
        file: One state per line.
        solver: Solves a state.
        rig: The rig for the packets and times in the records.
        order: Order of the stickers in each line; None to find it.
        as_json: Print records instead of moves.

    Returns:
        The exit code: 0, or that of the first line that failed.

    Raises:
        MissingFileError: The file is missing or unreadable.
        UsageError: It contains no state.
    """
    worst = ExitCode.DONE
    line = ""
    for number, line in read_lines(file):
        try:
            told = _solve_line(line, solver, rig, order, as_json=as_json)
        except ThistlebotError as error:
            code = exit_code_of(error)
            worst = worst or code
            record = {"facelets": line.strip(), "error": str(error), "exit_code": int(code)}
            told = to_line(record) if as_json else printable(f"line {number}: {error}")
        typer.echo(told)  # when nobody reads on, this ends the work
    if not line:
        raise UsageError(f"{file} contains no states; write one cube of 54 stickers per line")
    return worst


def _solve_line(
    line: str,
    solver: Solve,
    rig: Mechanism,
    order: str | None,
    *,
    as_json: bool,
) -> str:
    facelets = WrittenCube.parse(line, order).facelets
    solution = solver(solvable_state(facelets))
    if not as_json:
        return str(solution.moves)
    program = rig.plan(solution.moves)
    return to_line(solve_record(facelets, solution, program))
