"""The output of every benchmark: tables of rows, goals met or missed, and the exit code.

A row is a `Row` or a dataclass, and its fields are the columns, with units in their names. The text
in ``Annotated[float, ".1%"]`` is the format for people, ``Annotated[str, "<44"]`` gives the width
of a column. A row with a field `met` is a goal. With ``--json`` every row is a record on its own
line, identified by its keys.
"""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn, Self, TypeVar, get_args, get_type_hints

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen

HIDDEN = ""
"""``Annotated[…, HIDDEN]`` is a field for programs only."""
Wide = Annotated[str, "<44"]
Percent = Annotated[float, ".1%"]
Tenths = Annotated[float, ".1f"]
Whole = Annotated[float, ".0f"]
Given = Namespace
Rows = Iterator[object]
T = TypeVar("T")


class Row(msgspec.Struct):
    """The base of rows."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure.

    Attributes:
        name: What was measured.
        value: The figure.
        unit: Its unit.
        goal: The goal in words; empty if there is none.
        met: Whether it is met.
    """

    name: Annotated[str, "<58"]
    value: Annotated[float, ".6g"]
    unit: Annotated[str, "<6"] = ""
    goal: Annotated[str, "<14"] = ""
    met: bool = True

    @classmethod
    def at_most(cls, name: str, value: float, goal: float, unit: str = "", digits: int = 3) -> Self:
        """Compare a value, with some digits, with its maximum."""
        return cls(name, round(value, digits), unit, f"≤ {goal:g}", bool(value <= goal))


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """The result of a case in a campaign.

    Attributes:
        kind: Its kind.
        struck: Number of faults that struck in the middle of something.
        wrong: The errors.
    """

    kind: str
    struck: int
    wrong: tuple[str, ...] = ()


def parser_of(doc: str, **options: float | str | type) -> ArgumentParser:
    """Return a script's parser, which has ``--json``.

    Args:
        doc: The script's docstring.
        options: The default values of options, such as ``--budget-ms``: False for a flag, and a
            type for a required argument.
    """
    parser = ArgumentParser(description=doc, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print a record a line, no tables")
    for name, usual in options.items():
        told = f"--{name.replace('_', '-')}"
        if isinstance(usual, type):
            parser.add_argument(name, type=usual)
        elif usual is False:
            parser.add_argument(told, action="store_true")
        else:
            parser.add_argument(told, type=type(usual), default=usual, help=f"usually {usual!r}")
    return parser


def run(parser: ArgumentParser, measure: "Callable[[Given, Report], Rows]") -> NoReturn:
    """Parse the command line, print the measurements row by row, and end with the exit code.

    An early end, by Ctrl-C or SIGTERM, also ends the programs that it started.
    """
    given = parser.parse_args()
    report = Report(json=given.json)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    os.register_at_fork(after_in_child=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL))
    try:
        code = report.show(measure(given, report))
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


class Report:
    """Prints rows as they come.

    Args:
        json: For programs: one record per line.
        guides: Also print progress on standard error with `json`.

    Attributes:
        screen: The terminal, for notes and progress.
    """

    def __init__(self, *, json: bool = False, guides: bool = True) -> None:
        self.screen = Screen(quiet=json, guides=guides)
        self._json = json
        self._table: type | None = None
        self._goals: list[tuple[str, bool]] = []

    def show(self, rows: Iterable[object]) -> int:
        """Print rows, and at the end the missed goals; return the exit code."""
        for row in rows:
            self.add(row)
        missed = [name for name, met in self._goals if not met]
        if self._goals:
            self.screen.line(f"goals missed: {', '.join(missed) or 'none'}")
        return int(bool(missed))

    def add(self, row: object) -> None:
        """Print a row, with the names of the columns at the beginning of a table."""
        columns = _columns(type(row))
        if self._table is not type(row):
            titles = {name: name.replace("_", " ") for name in columns}
            self.screen.line("\n" * (self._table is not None) + _line(titles, columns))
            self._table = type(row)
        fields = _fields(row)
        cells = {name: _cell(fields.get(name), spec) for name, spec in columns.items()}
        if "met" in cells:
            good = "✓" if fields.get("goal", True) else ""
            cells["met"] = good if fields["met"] else "MISSED"
        self.screen.line(_line(cells, columns))
        self.record(row)

    def record(self, row: object) -> None:
        """Print a row for programs only."""
        fields = _fields(row)
        if self._json:
            typer.echo(to_line(fields))
        if "met" in fields and fields.get("goal", True):
            self._goals.append((str(next(iter(fields.values()))), fields["met"]))

    def track(self, items: Iterable[T], what: str = "", total: int | None = None) -> Iterator[T]:
        """Yield items, with a progress bar on a terminal."""
        columns = TextColumn(what), BarColumn(), MofNCompleteColumn()
        progress = self.screen.progress(*columns)
        progress.live.auto_refresh = False  # a separate thread would not survive a fork
        with progress:
            yield from progress.track(items, total=total)


def _fields(row: object) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(row, enc_hook=lambda number: number.tolist())
    return fields


def _columns(kind: type) -> dict[str, str]:
    """Return the columns for people, and their formats."""
    specs = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        hints = [*_parts(hint)]
        usual = ".2f" if float in hints else "<28" if str in hints else "d"
        specs[name] = next((each for each in hints if isinstance(each, str)), usual)
    return {name: spec for name, spec in specs.items() if spec != HIDDEN}


def _parts(hint: object) -> Iterator[object]:
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


def _line(cells: dict[str, str], columns: dict[str, str]) -> str:
    specs = (spec if spec[0] == "<" else f">{max(9, len(name))}" for name, spec in columns.items())
    return " ".join(map(format, cells.values(), specs)).rstrip()


def _cell(value: Any, spec: str) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(each, spec)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_cell(each, spec) for each in value)
    if value is None or isinstance(value, str):
        return "–" if value is None else value
    if spec[0] == "<" or (spec[-1] == "g" and float(value).is_integer()):
        return f"{value:.0f}"
    return f"{value:{spec}}"
