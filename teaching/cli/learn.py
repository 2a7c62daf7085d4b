"""The verb `learn`: a method at slow speed, with each step explained."""

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import numpy as np
import typer

from cube.moves import ALL_MOVES, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.stages.solution import FIVE_STAGE_NAMES
from solver.tables import TableStore
from teaching.cli.coset_text import say_place, say_tables
from teaching.films.lesson_film import lesson_film
from teaching.films.writing import require_picture, write_film
from teaching.lesson import Lesson, ToldStep
from teaching.methods.brackets import bracketed
from teaching.methods.catalogue import ENTRIES, load_method
from teaching.methods.method import Walk
from teaching.methods.worked_example import WorkedExample, goals, may_turn
from thistlebot.cli import options
from thistlebot.cli.options import require_only, require_with
from thistlebot.config import Folders
from thistlebot.errors import StoppedError
from thistlebot.reading.reader import Reader
from thistlebot.reading.refusal import refusal
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.session.cube_source import given_state, require_one
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.solver import solvable_state
from thistlebot.terminal.by_hand import hold_text
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.unseen import tell_unseen

_FIVE = "five-stages"
_NAMES = (*(entry.name for entry in ENTRIES), _FIVE)
# mypy wants the members of an enumeration spelt out; these are the catalogue's.
MethodName = StrEnum("MethodName", {name: name for name in _NAMES})  # type: ignore[misc]
Taught = Annotated[
    MethodName | None,
    typer.Argument(
        help="Name of the method; `compare` shows how many moves each method needs. Without it: "
        "list them all."
    ),
]
Scramble = Annotated[
    str | None,
    typer.Option(metavar="MOVES", help="Use the cube that these moves make from the solved one."),
]
Example = Annotated[
    bool, typer.Option("--example", help="Replay S2's printed example of the five stages.")
]
_ALIASES = {_FIVE: "thistlethwaite-five"}
_SLOW_S, _LONGEST_S, _LOOK_S, _NEAR = 0.5, 3600.0, 0.1, 3

Pause = Annotated[
    float | None,
    typer.Option(
        metavar="S",
        min=0.0,
        max=_LONGEST_S,
        help="Pause after each turn. Default: 0.5 s on a terminal.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("learn")(learn)


def learn(
    context: typer.Context,
    method: Taught = None,
    scramble: Scramble = None,
    facelets: Annotated[
        str | None, typer.Option(metavar="S", help="The cube as 54 letters.")
    ] = None,
    example: Example = False,
    pause: Pause = None,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    aligned: options.Aligned = False,
    dry_run: options.DryRun = False,
    picture: options.Picture = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Explain a method step by step: the purpose of each step, the pieces it moves and solves.

    Scans and turns the cube in the rig; without a rig it uses the virtual rig and a random cube,
    and with --dry-run it only prints the steps. On a terminal, each step waits for a key, unless
    --json is given. (To adapt a colour profile to the light, use `solve --learn` instead.)

    [bold]thistlebot learn layers[/]
    [bold]thistlebot learn thistlethwaite --dry-run --scramble "R U F2 D' L"[/]
    [bold]thistlebot learn five-stages --example --dry-run[/]   S2's example, each stage checked
    [bold]thistlebot learn layers --dry-run --picture lesson.html[/]
    """
    screen, folders = Screen(quiet=json), Folders.of_platform()
    if method is None:
        require_only(context, "the list", ("json",))
        _list(screen, as_json=json)
        return
    name, printed = _ALIASES.get(method.value, method.value), WorkedExample() if example else None
    require_with(context, ("example", _FIVE, name == _ALIASES[_FIVE]))
    require_picture(picture)
    require_one(scramble=scramble, facelets=facelets, example=example or None)
    colours = options.parse_scheme(scheme)
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, seed or 0, colours, aligned)
    chosen = printed or load_method(name, TableStore(folders.cache / "tables"))
    with open_machine(choices, folders) as machine, Keyboard(wanted=not json) as keyboard:
        given = printed.state if printed else given_state(facelets, scramble)
        given = _placed(machine, given, name, screen, seed=seed, dry_run=dry_run)
        driver = None if dry_run else machine.driver()
        checker: Reader | None = None if dry_run else machine.view_reader()
        state, known = (
            (given, machine.scheme) if given else _scanned(checker or machine.view_reader())
        )
        _show_cube(screen, state, known, printed, by_hand=dry_run)
        made = Lesson(
            chosen,
            machine.rig,
            tell=lambda told: _tell(screen, told, known, example=example, as_json=json),
            wait=lambda: _wait(keyboard, screen),
            driver=driver,
            checker=checker,
            pause_s=pause_s(pause, watched=keyboard.available),
        ).run(state)
    if dry_run:
        screen.line()
        screen.net(state.apply(made.moves).to_facelets(), known)
    _tell_end(screen, made, state, printed, verified=not dry_run, as_json=json)
    if picture is not None:
        write_film(picture, lesson_film(made, *_titles(name, printed, state, scramble), known))
        screen.note(f"wrote {picture}")


def _placed(
    machine: Machine,
    given: CubeState | None,
    name: str,
    screen: Screen,
    *,
    seed: int | None,
    dry_run: bool,
) -> CubeState | None:
    """Choose the machine, and put a cube into a virtual one; None for one in a real machine."""
    choices = machine.choices
    if not (choices.virtual or dry_run or choices.port or machine.has_rig_file):
        screen.note("there is no rig file: using the virtual rig")
        machine.use_virtual()
    if given is None and (dry_run or machine.choices.virtual):
        given = _random(name, np.random.default_rng(seed))
    if machine.choices.virtual:
        machine.scramble_virtual_cube(given, np.random.default_rng(seed))
    if given is None or not dry_run:
        tell_unseen(machine.unseen_stickers(), screen)
    return given


def _show_cube(
    screen: Screen,
    state: CubeState,
    scheme: Mapping[str, str] | None,
    printed: WorkedExample | None,
    *,
    by_hand: bool,
) -> None:
    if by_hand:
        screen.line(f"hold      {hold_text(scheme)}")
    if printed:
        screen.line(f"scramble  {printed.scramble}  (S2)")
    screen.net(state.to_facelets(), scheme)


def _list(screen: Screen, *, as_json: bool) -> None:
    texts = {entry.name: entry.title for entry in ENTRIES}
    for name, text in (texts | {_FIVE: "S2's five stages, with its printed example"}).items():
        screen.line(f"{name:<{max(map(len, _NAMES))}}  {text}")
        if as_json:
            typer.echo(to_line({"name": name, "text": text}))


def _titles(
    method: str, printed: WorkedExample | None, state: CubeState, scramble: str | None
) -> tuple[str, str]:
    """The text above a picture."""
    if printed:
        return "S2's worked example of the five stages", f"Scrambled by {printed.scramble}."
    title = next(entry.title for entry in ENTRIES if entry.name == method)
    made = f"Scrambled by {scramble}." if scramble else f"The cube {state.to_facelets().text}."
    return title[0].upper() + title[1:], made


def pause_s(wished: float | None, *, watched: bool) -> float:
    """The pause after each turn: as given, else only for a person at a terminal."""
    if wished is not None:
        return wished
    return _SLOW_S if watched else 0.0


def _tell_end(
    screen: Screen,
    made: Walk,
    state: CubeState,
    printed: WorkedExample | None,
    *,
    verified: bool,
    as_json: bool,
) -> None:
    screen.line(f"moves     {made.moves}")
    screen.line(f"length    {len(made.moves)} HTM in {len(made.steps)} steps")
    if verified:
        screen.line("verified  the camera saw the cube solved")
    if as_json:
        record: dict[str, Any] = {"method": made.method, "facelets": state.to_facelets().text}
        record |= {"moves": str(made.moves), "verified": verified}
        if printed:
            record |= {"source": "S2", "scramble": str(printed.scramble)}
        typer.echo(to_line(record))


def _random(method: str, rng: np.random.Generator) -> CubeState:
    """A random state that the method can solve."""
    if next(entry.any_state for entry in ENTRIES if entry.name == method):
        return random_state(rng)
    turns = (ALL_MOVES[int(number)] for number in rng.integers(0, len(ALL_MOVES), _NEAR))
    return SOLVED.apply(MoveSequence.of(turns))


def _scanned(reader: Reader) -> tuple[CubeState, Mapping[str, str]]:
    reading = reader.read(reader.look())
    if reading.facelets is None:
        raise refusal(reading)
    return solvable_state(reading.facelets).apply(reader.turned), dict(reading.scheme)


def _tell(
    screen: Screen, told: ToldStep, known: Mapping[str, str] | None, *, example: bool, as_json: bool
) -> None:
    """Describe a step; for a stage of S2's example, count its goal before and after it."""
    step, checked = told.step, _checked(told) if example else {}
    screen.line()
    screen.line(f"{told.number} of {told.total}    {step.name}")
    screen.line(f"for       {step.caption}")
    screen.line(f"about     {' '.join(step.pieces) or '–'}")
    screen.line(f"turns     {step.moves if len(step.moves) else 'none: already done'}")
    if "[" in (brackets := bracketed(tuple(step.moves))):
        screen.line(f"that is   {brackets}")
    screen.line(f"move      {' '.join(told.moving) or '–'}")
    screen.line(f"settled   {step.settles}")
    if step.place is not None and not example:
        say_place(screen, step.place)
        if told.number == 1:
            say_tables(screen)
    if example:
        screen.line(f"may turn  {' '.join(checked['may_turn'])}")
        for goal in checked["goals"]:
            reached = "reached" if goal["after"] == 0 else "missed"
            screen.line(f"goal      {goal['text']}: {goal['before']} → {goal['after']}, {reached}")
        nets = {when: checked[when] for when in ("before", "after")}
        screen.nets(nets, known or WESTERN_SCHEME)
    if as_json:
        typer.echo(to_line(_record(told) | checked))


def _checked(told: ToldStep) -> dict[str, Any]:
    """A stage of S2's example: the cube before and after it, and its goal counted in both."""
    stage, after = FIVE_STAGE_NAMES.index(told.step.name), told.state.apply(told.step.moves)
    return {
        "may_turn": may_turn(stage),
        "goals": [asdict(goal) for goal in goals(stage, told.state, after)],
        "before": told.state.to_facelets().text,
        "after": after.to_facelets().text,
    }


def _record(told: ToldStep) -> dict[str, Any]:
    step = told.step
    return {
        "step": told.number,
        "of": told.total,
        "name": step.name,
        "caption": step.caption,
        "moves": str(step.moves),
        "brackets": bracketed(tuple(step.moves)),
        "pieces": list(step.pieces),
        "moving": list(told.moving),
        "settles": step.settles,
        "place": None if step.place is None else asdict(step.place),
    }


def _wait(keyboard: Keyboard, screen: Screen) -> None:
    """Wait for a key on a terminal; do not wait in a pipe."""
    if not keyboard.available:
        return
    screen.note("press any key to turn, q to quit")
    while (key := keyboard.key(_LOOK_S)) is None:
        pass
    if key == "q":
        raise StoppedError("stopped; every face stands at a detent")
