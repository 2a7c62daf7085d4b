"""A file of states: one cube a line in, one solution a line out, in order."""

from pathlib import Path

import typer

from cube.errors import ThistlebotError
from cube.notations import parse_facelets
from robot.rigs.mechanism import Mechanism
from thistlebot.exit_codes import ExitCode, exit_code_of
from thistlebot.records import read_lines, solve_record, to_line
from thistlebot.solving.solver import Solve, solvable_state


def solve_states(
    file: Path, solver: Solve, rig: Mechanism, *, five_stages: bool = False, as_json: bool
) -> int:
    """Solve every state of a file and print one line for each.

    A state that cannot be solved gets a line that says why, and the others go on.

    Args:
        file: One state a line.
        solver: Solves a state.
        rig: Whose packets and times records tell.
        five_stages: Records tell five stages, not four.
        as_json: Print records instead of moves.

    Returns:
        The exit code: 0, or that of the first line that failed.

    Raises:
        MissingFileError: The file is missing or unreadable.
    """
    worst = ExitCode.DONE
    for number, line in read_lines(file):
        try:
            told = _solve_line(line, solver, rig, five_stages=five_stages, as_json=as_json)
        except ThistlebotError as error:
            code = exit_code_of(error)
            worst = worst or code
            record = {"facelets": line.strip(), "error": str(error), "exit_code": int(code)}
            told = to_line(record) if as_json else f"line {number}: {error}"
        typer.echo(told)  # when nobody reads on, this ends the work
    return worst


def _solve_line(
    line: str, solver: Solve, rig: Mechanism, *, five_stages: bool, as_json: bool
) -> str:
    facelets = parse_facelets(line)
    solution = solver(solvable_state(facelets))
    if not as_json:
        return str(solution.moves)
    program = rig.plan(solution.moves)
    return to_line(solve_record(facelets, solution, program, five_stages=five_stages))
