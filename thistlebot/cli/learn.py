"""The verb `learn`: a method performed slowly, each step explained."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

import numpy as np
import typer

from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.methods.catalogue import ENTRIES, load_method
from solver.methods.method import Walk
from solver.tables import TableStore
from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.errors import StoppedError
from thistlebot.looking.reader import Reader
from thistlebot.looking.refusal import refusal
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.session.cube_source import given_state, require_one
from thistlebot.session.lesson import Lesson, Told
from thistlebot.session.machine import open_machine
from thistlebot.solving.solver import solvable_state
from thistlebot.terminal.by_hand import hold_text
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.unseen import tell_unseen

MethodName = StrEnum("MethodName", {entry.name: entry.name for entry in ENTRIES})  # type: ignore[misc]
Taught = Annotated[
    MethodName, typer.Argument(help="Which method; `compare` shows what each takes.")
]
Scramble = Annotated[
    str | None, typer.Option(metavar="MOVES", help="The cube as the moves that made it.")
]
_SLOW_S, _LONGEST_S, _LOOK_S, _NEAR = 0.5, 3600.0, 0.1, 3


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("learn")(learn)


def learn(
    method: Taught,
    scramble: Scramble = None,
    facelets: Annotated[
        str | None, typer.Option(metavar="S", help="The cube as 54 letters.")
    ] = None,
    pause: Annotated[
        float | None,
        typer.Option(
            metavar="S", min=0.0, max=_LONGEST_S, help="Rest after each turn; 0.5 s on a terminal."
        ),
    ] = None,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    dry_run: options.DryRun = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Perform a method step by step: what each step is for, which pieces move, what it settles.

    On the rig, which scans the cube first; without one on the virtual rig, with a random cube; with
    --dry-run as text only. On a terminal each step waits for a key, without --json. (Letting a
    profile follow the light is another thing: `solve --learn`.)

    [bold]thistlebot learn layers[/]
    [bold]thistlebot learn thistlethwaite --dry-run --scramble "R U F2 D' L"[/]
    """
    screen, folders = Screen(quiet=json), Folders.of_platform()
    require_one(scramble=scramble, facelets=facelets)
    colours = options.parse_scheme(scheme)
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, seed or 0, colours)
    chosen = load_method(method.value, TableStore(folders.cache / "tables"))
    with open_machine(choices, folders) as machine, Keyboard(wanted=not json) as keyboard:
        if not (virtual or dry_run or port or machine.has_rig_file):
            screen.note("no rig is configured: this is the virtual one")
            machine.use_virtual()
        state, known = given_state(facelets, scramble), machine.scheme
        if state is None and (dry_run or machine.choices.virtual):
            state = _random(method.value, np.random.default_rng(seed))
        if machine.choices.virtual:
            machine.scramble_virtual_cube(state, np.random.default_rng(seed))
        if state is None or not dry_run:
            tell_unseen(machine.unseen_stickers(), screen)
        driver = None if dry_run else machine.driver()
        checker: Reader | None = None if dry_run else machine.view_reader()
        if state is None:
            state, known = _scanned(checker or machine.view_reader())
        if dry_run:
            screen.line(f"hold      {hold_text(known)}")
        screen.net(state.to_facelets(), known)
        lesson = Lesson(
            chosen,
            machine.rig,
            tell=lambda told: _tell(screen, told, as_json=json),
            wait=lambda: _wait(keyboard, screen),
            driver=driver,
            checker=checker,
            pause_s=pause_s(pause, watched=keyboard.available),
        )
        made = lesson.run(state)
    if dry_run:
        screen.line()
        screen.net(state.apply(made.moves).to_facelets(), known)
    _tell_end(screen, made, state, verified=not dry_run, as_json=json)


def pause_s(wished: float | None, *, watched: bool) -> float:
    """So long a lesson rests after each turn: as wished, else only for somebody who looks on."""
    if wished is not None:
        return wished
    return _SLOW_S if watched else 0.0


def _tell_end(
    screen: Screen, made: Walk, state: CubeState, *, verified: bool, as_json: bool
) -> None:
    screen.line(f"moves     {made.moves}")
    screen.line(f"length    {len(made.moves)} HTM in {len(made.steps)} steps")
    if verified:
        screen.line("verified  the cube was seen solved")
    if as_json:
        record: dict[str, Any] = {"method": made.method, "facelets": state.to_facelets().text}
        record |= {"moves": str(made.moves), "verified": verified}
        typer.echo(to_line(record))


def _random(method: str, rng: np.random.Generator) -> CubeState:
    """A random state that the method reaches."""
    if next(entry.any_state for entry in ENTRIES if entry.name == method):
        return random_state(rng)
    turns = (ALL_MOVES[int(number)] for number in rng.integers(0, len(ALL_MOVES), _NEAR))
    return SOLVED.apply(MoveSequence.of(turns))


def _scanned(reader: Reader) -> tuple[CubeState, Mapping[str, str]]:
    reading = reader.read(reader.look())
    if reading.facelets is None:
        raise refusal(reading)
    return solvable_state(reading.facelets).apply(reader.turned), dict(reading.scheme)


def _tell(screen: Screen, told: Told, *, as_json: bool) -> None:
    step = told.step
    screen.line()
    screen.line(f"{told.number} of {told.total}    {step.name}")
    screen.line(f"for       {step.caption}")
    screen.line(f"about     {' '.join(step.pieces) or '–'}")
    screen.line(f"turns     {step.moves if len(step.moves) else 'none: it is so already'}")
    screen.line(f"move      {' '.join(told.moving) or '–'}")
    screen.line(f"settled   {step.settles}")
    if as_json:
        typer.echo(to_line(_record(told)))


def _record(told: Told) -> dict[str, Any]:
    step = told.step
    return {
        "step": told.number,
        "of": told.total,
        "name": step.name,
        "caption": step.caption,
        "moves": str(step.moves),
        "pieces": list(step.pieces),
        "moving": list(told.moving),
        "settles": step.settles,
    }


def _wait(keyboard: Keyboard, screen: Screen) -> None:
    """Wait for a key on a terminal; what is piped goes on at once."""
    if not keyboard.available:
        return
    screen.note("any key turns it, q ends")
    while (key := keyboard.key(_LOOK_S)) is None:
        pass
    if key == "q":
        raise StoppedError("stopped; every face stands at a detent")
