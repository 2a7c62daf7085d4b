"""Figures that a benchmark measures, and how they are printed."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import typer

from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen


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

    name: str
    value: float
    unit: str
    goal: str = ""
    met: bool = True


def show(figures: Iterable[Figure], screen: Screen, *, json: bool) -> None:
    """Print figures as they come, and last of all which goals were missed."""
    missed = []
    for figure in figures:
        goal = f"{figure.goal} {'✓' if figure.met else 'MISSED'}" if figure.goal else ""
        screen.line(f"{figure.name:<58} {figure.value:>9.6g} {figure.unit:<5} {goal}".rstrip())
        if json:
            typer.echo(to_line(asdict(figure)))
        if not figure.met:
            missed.append(figure.name)
    screen.line(f"goals missed: {', '.join(missed) if missed else 'none'}")
