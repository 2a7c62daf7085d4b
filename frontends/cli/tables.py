"""The verbs `tables …`: the solver's tables on disk."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from documents.errors import ConfigError
from documents.files import require_writable
from robot.rigs.catalogue import default_rig
from solver.goal import Goal
from solver.search.objectives import Objective, search_for, tables_stored
from solver.search.tables.cosets import COSET_TABLE_SET
from solver.search.tables.pruning import DEFAULT_MB, SIZES, grow
from solver.search.tables.symmetry_coordinates import TURN_TABLE_SET
from solver.tables import TableStore
from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.records import to_line
from thistlebot.solving.approach import Approach, all_cores
from thistlebot.terminal.ready_solver import ready_solver
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.table_progress import TableProgress


def build(
    objective: options.Objective = Goal.HTM,
    forbidden: options.Forbidden = "",
    memory: options.Memory = None,
    optimal: Annotated[
        bool,
        typer.Option(
            "--optimal",
            help="Build the table of `solve --method optimal` with --memory 128MB, 512MB "
            "(default) or 2GB: a larger one proves faster.",
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """Build the full tables of an objective now, so that every solve can use them."""
    screen, store = Screen(quiet=json), TableStore(Folders.of_platform().cache / "tables")
    if optimal:
        Approach(goal=objective, forbidden=forbidden, memory_mb=memory, optimal=True)
        _build_optimal(store, memory or DEFAULT_MB, screen)
        list_(json)
        return
    approach = Approach(goal=objective, forbidden=forbidden, memory_mb=memory)
    wanted = search_for(Objective(objective), approach.forbidden)
    for tables in (TURN_TABLE_SET, wanted.tables):
        _require_place(store.path(tables))
    solving = ready_solver(approach, default_rig(), screen)
    if not tables_stored(store, solving.objective, solving.forbidden):
        raise MissingFileError("; ".join(solving.tables().notes()))
    list_(json)


def _build_optimal(store: TableStore, memory_mb: float, screen: Screen) -> None:
    """Build the largest table of the optimal search within a size."""
    table = SIZES[max(size for size in SIZES if size <= memory_mb)]
    _require_place(store.path(table.tables))
    cosets = store.obtain(COSET_TABLE_SET).arrays
    text = f"building a table of {table.size_bytes / 1e6:.0f} MB for --method optimal"
    with TableProgress(screen, text, remaining=True) as progress:
        growing = replace(table.tables, build=partial(grow, table, cosets, all_cores()))
        obtained = store.obtain(growing, progress)
    if not store.path(growing).exists():
        raise MissingFileError(obtained.note)


def _require_place(path: Path) -> None:
    """Check, before the long computation, that its result can be stored."""
    try:
        require_writable(path)
    except ConfigError as error:
        raise MissingFileError(
            f"cannot store tables in {path.parent}: {error}, or choose another cache folder "
            "with THISTLEBOT_CACHE_DIR"
        ) from error


def list_(json: options.Json = False) -> None:
    """Check and list the tables on disk."""
    store = TableStore(Folders.of_platform().cache / "tables")
    files = store.stored()
    for file in files:
        if json:
            record = {"name": file.name, "file": str(file.path), "bytes": file.size_bytes}
            typer.echo(to_line(record | {"problem": file.problem}))
        else:
            state = file.problem or "sound"
            typer.echo(f"{file.name:<14} {file.size_bytes / 1e6:7.1f} MB  {state}  {file.path}")
    if not files:
        Screen().note(f"no tables in {store.folder}; the program builds them when it needs them")


def remove(
    name: Annotated[str | None, typer.Argument(help="One set of tables. Default: all.")] = None,
) -> None:
    """Remove tables from the disk; they can be rebuilt."""
    store = TableStore(Folders.of_platform().cache / "tables")
    names = dict.fromkeys(file.name for file in store.stored())
    if name is None and not names:
        Screen().note(f"no tables in {store.folder}")
    if name is not None and name not in names:
        have = f"there are {', '.join(names)}" if names else "there are none"
        raise UsageError(f"no tables {name!r} in {store.folder}: {have}")
    for path in store.remove(name):
        typer.echo(f"removed {path}")


VERBS = {"build": build, "list": list_, "remove": remove}
"""The verbs of the group."""
