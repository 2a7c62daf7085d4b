"""The verb `school learn`: a method at slow speed, with each step explained."""

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
from teaching.cli.language import Facelets, Scramble, Speech, Spoken, chosen_words, say_place
from teaching.films.lesson_film import lesson_film
from teaching.films.writing import require_picture, write_film
from teaching.lesson import Lesson, ToldStep
from teaching.methods.brackets import bracketed
from teaching.methods.catalogue import ENTRIES, entry_named, load_method
from teaching.methods.method import Walk
from teaching.methods.worked_example import WorkedExample, goals, may_turn
from teaching.wording import Wording, colour_word
from thistlebot.cli import options
from thistlebot.cli.option_rules import require_only, require_with
from thistlebot.config import Folders
from thistlebot.errors import StoppedError
from thistlebot.reading.hand_steps import HandHold
from thistlebot.reading.reader import Reader
from thistlebot.reading.refusal import refusal
from thistlebot.reading.rig_views import tell_unseen
from thistlebot.reading.typed_cube import solvable_state
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.session.cube_source import CubeSource, require_one
from thistlebot.session.machine import Machine, open_machine
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import DEFAULT, Words, load_words

_FIVE = "five-stages"
_NAMES = (*(entry.name for entry in ENTRIES), _FIVE)
# mypy wants the members of an enumeration spelt out; these are the catalogue's.
MethodName = StrEnum("MethodName", {name: name for name in _NAMES})  # type: ignore[misc]
Taught = Annotated[
    MethodName | None,
    typer.Argument(
        help="Name of the method; `school compare` shows how many moves each method needs. Without "
        "it: list them all."
    ),
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


def learn(
    context: typer.Context,
    method: Taught = None,
    scramble: Scramble = None,
    facelets: Facelets = None,
    order: options.Order = None,
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
    language: Spoken = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Explain a method step by step.

    Each step tells its purpose, and the pieces that it moves and solves. The command scans and
    turns the cube in the rig; without a rig it uses the virtual rig and a random cube, and with
    --dry-run it only prints the steps. On a terminal, each step waits for a key, unless --json is
    given. (To adapt a colour profile to the light, set THISTLEBOT_LEARN=1 for `solve`.)

    [bold]thistlebot school learn layers[/]
    [bold]thistlebot school learn thistlethwaite --dry-run --scramble "R U F2 D' L"[/]
    [bold]thistlebot school learn five-stages --example --dry-run[/]  S2's example, checked
    [bold]thistlebot school learn layers --dry-run --picture lesson.html[/]
    """
    screen, folders = Screen(quiet=json), Folders.of_platform()
    speech = Speech(screen, chosen_words(language), "learn")
    if method is None:
        require_only(context, "the list", ("language", "json"))
        _list(speech, as_json=json)
        return
    name, printed = _ALIASES.get(method.value, method.value), WorkedExample() if example else None
    require_with(
        context,
        ("example", _FIVE, name == _ALIASES[_FIVE]),
        ("order", "--facelets", facelets is not None),
    )
    require_picture(picture)
    require_one(scramble=scramble, facelets=facelets, example=example or None)
    colours = options.parse_scheme(scheme)
    typed = CubeSource(facelets=facelets, scramble=scramble, order=order).typed()
    if typed is not None:
        typed.tell(screen.note)
    told = None if typed is None else typed.known_scheme(colours)
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, seed or 0, colours, aligned)
    chosen = printed or load_method(name, TableStore(folders.cache / "tables"))
    with open_machine(choices, folders) as machine, Keyboard(wanted=not json) as keyboard:
        given = printed.state if printed else (None if typed is None else typed.state)
        given = _placed(machine, given, name, speech, seed=seed, dry_run=dry_run)
        driver = None if dry_run else machine.driver()
        checker: Reader | None = None if dry_run else machine.view_reader()
        state, known = (
            (given, told or machine.scheme) if given else _scanned(checker or machine.view_reader())
        )
        _show_cube(speech, state, known, printed, by_hand=dry_run)
        made = Lesson(
            chosen,
            machine.rig,
            tell=lambda told: _tell(speech, told, known, example=example, as_json=json),
            wait=lambda: _wait(keyboard, speech),
            driver=driver,
            checker=checker,
            pause_s=pause_s(pause, watched=keyboard.available),
        ).run(state)
    _tell_end(speech, made, (state, known), printed, verified=not dry_run, as_json=json)
    if picture is not None:
        words = speech.words
        titles = _titles(name, printed, state, scramble, words)
        write_film(picture, lesson_film(made, words, *titles, known))
        screen.note(words("lesson.wrote", file=picture))


def _placed(
    machine: Machine,
    given: CubeState | None,
    name: str,
    speech: Speech,
    *,
    seed: int | None,
    dry_run: bool,
) -> CubeState | None:
    """Choose the machine, and put a cube into a virtual one; None for one in a real machine."""
    choices = machine.choices
    if not (choices.virtual or dry_run or choices.port or machine.has_rig_file):
        speech.screen.note(speech.words("learn.no_rig"))
        machine.use_virtual()
    if given is None and (dry_run or machine.choices.virtual):
        given = _random(name, np.random.default_rng(seed))
    if machine.choices.virtual:
        machine.scramble_virtual_cube(given, np.random.default_rng(seed))
    if given is None or not dry_run:
        tell_unseen(machine.unseen_stickers(), speech.screen.note)
    return given


def _show_cube(
    speech: Speech,
    state: CubeState,
    scheme: Mapping[str, str] | None,
    printed: WorkedExample | None,
    *,
    by_hand: bool,
) -> None:
    if by_hand:
        hold, words = HandHold.of(scheme), speech.words
        key = "learn.hold" if hold.known else "learn.hold_usual"
        colours = {"up": colour_word(hold.up, words), "front": colour_word(hold.front, words)}
        speech.line("hold", words(key, **colours))
    if printed:
        speech.line("scramble", f"{printed.scramble}  (S2)")
    speech.screen.net(state.to_facelets(), scheme)


def _list(speech: Speech, *, as_json: bool) -> None:
    titles = {entry.name: entry.title for entry in ENTRIES} | {_FIVE: Wording(f"method.{_FIVE}")}
    for name, title in titles.items():
        speech.screen.line(f"{name:<{max(map(len, _NAMES))}}  {title.text(speech.words)}")
        if as_json:
            typer.echo(to_line({"name": name, "text": title.text(load_words(DEFAULT))}))


def _titles(
    method: str,
    printed: WorkedExample | None,
    state: CubeState,
    scramble: str | None,
    words: Words,
) -> tuple[str, str]:
    """The text above a picture."""
    if printed:
        return words("learn.example"), words("learn.scrambled", moves=printed.scramble)
    title = entry_named(method).title.text(words)
    cube = words("learn.cube", facelets=state.to_facelets().text)
    made = words("learn.scrambled", moves=scramble) if scramble else cube
    return title[0].upper() + title[1:], made


def pause_s(wished: float | None, *, watched: bool) -> float:
    """The pause after each turn: as given, else only for a person at a terminal."""
    if wished is not None:
        return wished
    return _SLOW_S if watched else 0.0


def _tell_end(
    speech: Speech,
    made: Walk,
    cube: tuple[CubeState, Mapping[str, str] | None],
    printed: WorkedExample | None,
    *,
    verified: bool,
    as_json: bool,
) -> None:
    words, (state, scheme) = speech.words, cube
    if not verified:
        speech.screen.line()
        speech.screen.net(state.apply(made.moves).to_facelets(), scheme)
    speech.line("moves", str(made.moves))
    speech.line("length", words("learn.length", turns=len(made.moves), steps=len(made.steps)))
    if verified:
        speech.line("verified", words("learn.verified"))
    if as_json:
        record: dict[str, Any] = {"method": made.method, "facelets": state.to_facelets().text}
        record |= {"moves": str(made.moves), "verified": verified}
        if printed:
            record |= {"source": "S2", "scramble": str(printed.scramble)}
        typer.echo(to_line(record))


def _random(method: str, rng: np.random.Generator) -> CubeState:
    """A random state that the method can solve."""
    if entry_named(method).any_state:
        return random_state(rng)
    turns = (ALL_MOVES[int(number)] for number in rng.integers(0, len(ALL_MOVES), _NEAR))
    return SOLVED.apply(MoveSequence.of(turns))


def _scanned(reader: Reader) -> tuple[CubeState, Mapping[str, str]]:
    reading = reader.read(reader.look())
    if reading.facelets is None:
        raise refusal(reading)
    return solvable_state(reading.facelets).apply(reader.turned), dict(reading.scheme)


def _tell(
    speech: Speech, told: ToldStep, known: Mapping[str, str] | None, *, example: bool, as_json: bool
) -> None:
    """Describe a step; for a stage of S2's example, count its goal before and after it."""
    screen, words = speech.screen, speech.words
    row = _row(told, words, example=example)
    screen.line()
    of = words("learn.of", number=row["step"], count=row["of"])
    screen.line(f"{of}    {told.step.title(words)}")
    speech.line("for", row["caption"])
    speech.line("about", " ".join(row["pieces"]) or "–")
    speech.line("turns", row["moves"] or words("learn.no_turns"))
    if "[" in row["brackets"]:
        speech.line("brackets", row["brackets"])
    speech.line("move", " ".join(row["moving"]) or "–")
    speech.line("settled", row["settles"])
    if told.step.place is not None and not example:
        say_place(speech, told.step.place)
        if told.number == 1:
            screen.note(words("learn.tables"))
    if example:
        speech.line("may_turn", " ".join(row["may_turn"]))
        for goal in row["goals"]:
            key = "learn.missed" if goal["after"] else "learn.reached"
            counts = {"before": goal["before"], "after": goal["after"]}
            speech.line("goal", words(key, goal=goal["text"], **counts))
        nets = {words(f"lesson.{when}"): row[when] for when in ("before", "after")}
        screen.nets(nets, known or WESTERN_SCHEME)
    if as_json:
        typer.echo(to_line(_row(told, load_words(DEFAULT), example=example)))


def _row(told: ToldStep, words: Words, *, example: bool) -> dict[str, Any]:
    """Return a step in a language, of S2's example with the cube before and after it."""
    step = told.step
    row = {
        "step": told.number,
        "of": told.total,
        "name": step.name,
        "caption": step.caption.text(words),
        "moves": str(step.moves),
        "brackets": bracketed(step.moves),
        "pieces": list(step.pieces),
        "moving": list(told.moving),
        "settles": step.settles.text(words),
        "place": None if step.place is None else asdict(step.place),
    }
    if example:
        stage, after = FIVE_STAGE_NAMES.index(step.name), told.state.apply(step.moves)
        found = goals(stage, told.state, after)
        row["may_turn"] = may_turn(stage)
        row["goals"] = [asdict(goal) | {"text": goal.text.text(words)} for goal in found]
        row["before"] = told.state.to_facelets().text
        row["after"] = after.to_facelets().text
    return row


def _wait(keyboard: Keyboard, speech: Speech) -> None:
    """Wait for a key on a terminal; do not wait in a pipe."""
    if not keyboard.available:
        return
    speech.screen.note(speech.words("learn.key"))
    while (key := keyboard.key(_LOOK_S)) is None:
        pass
    if key == "q":
        raise StoppedError("stopped; every face stands at a detent")
