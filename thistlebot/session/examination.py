"""Examines the parts of a machine one by one, so that the first broken one is easy to find."""

import inspect
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import typer

from cube.errors import ThistlebotError
from cube.moves import FACES, MoveSequence
from cube.state import SOLVED
from documents.plugins import Plugin, Plugins, strays
from robot.errors import NoAnswerError, PortMissingError
from robot.ports.boards import BOARDS
from robot.rigs.catalogue import RIGS, default_rig, named_rig
from solver.search.metrics import METRICS
from solver.search.objectives import HTM, search_for, tables_stored
from solver.tables import TableStore
from thistlebot.config import Folders, load_profile, load_rig
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode, exit_code_of
from thistlebot.reading.rig_views import unseen_text
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import QUICK
from thistlebot.solving.solver import Solving
from vision.cameras.camera_kinds import CAMERA_KINDS
from vision.colours.sticker_colours import StickerColours
from vision.decoding.classifiers import CLASSIFIERS
from vision.errors import CameraError


class Health(Enum):
    """The result of a check."""

    GOOD = "good"
    ABSENT = "absent"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking one part, and how to fix it.

    Attributes:
        subject: The part.
        health: The result.
        text: What was found, and what to do.
        code: The exit code for this finding.
        plugin: What the plugin adds, if this is about one.
    """

    subject: str
    health: Health
    text: str
    code: ExitCode = ExitCode.DONE
    plugin: Plugin | None = None


Opening = Callable[[Choices, Folders], AbstractContextManager[Machine]]


def examine_everything(
    choices: Choices,
    folders: Folders,
    more: Sequence[Plugins[Any]] = (),
    opening: Opening = open_machine,
) -> Iterator[Finding]:
    """Check plugins, program, configuration, solver, board, views and cameras in this order."""
    yield from _plugins(more)
    told: dict[str, str] = {}
    examinations: tuple[tuple[str, Callable[[], str]], ...] = (
        ("program", lambda: _program(folders)),
        ("rig", lambda: _rig(choices, folders)),
        ("profile", lambda: _profile(choices, folders)),
        ("solver", lambda: _solver(folders)),
        *(
            (subject, partial(_opened, examine, opening, choices, folders))
            for subject, examine in (("board", _board), ("views", _views), ("cameras", _cameras))
        ),
    )
    for subject, examine in examinations:
        finding = _examine(subject, examine)
        if finding.text in told:
            finding = replace(finding, text=f"not checked: fix the {told[finding.text]} first")
        told.setdefault(finding.text, subject)
        yield finding


def _opened(
    examine: Callable[[Machine], str], opening: Opening, choices: Choices, folders: Folders
) -> str:
    with opening(choices, folders) as machine:
        return examine(machine)


def _examine(subject: str, examine: Callable[[], str]) -> Finding:
    try:
        return Finding(subject, Health.GOOD, examine())
    except (PortMissingError, NoAnswerError, CameraError) as error:
        return Finding(subject, Health.ABSENT, str(error), ExitCode.NO_DEVICE)
    except ThistlebotError as error:
        asked = exit_code_of(error) is ExitCode.USAGE
        code = ExitCode.USAGE if asked else ExitCode.NO_DEVICE
        return Finding(subject, Health.BAD, str(error), code)


def _plugins(more: Sequence[Plugins[Any]]) -> Iterator[Finding]:
    """Load every plugin that is installed, whether or not the machine needs it."""
    tables: tuple[Plugins[Any], ...] = (CAMERA_KINDS, BOARDS, RIGS, CLASSIFIERS, METRICS, *more)
    for table in tables:
        for plugin, unloaded in table.examined():
            problem = unloaded or _trial(plugin, table)
            health, code = (
                (Health.BAD, ExitCode.NO_DEVICE) if problem else (Health.GOOD, ExitCode.DONE)
            )
            yield Finding("plugin", health, problem or str(plugin), code, plugin)
    kinds = [table.kind for table in tables]
    groups = [f"thistlebot.{kind}" for kind in kinds]
    for plugin in strays(kinds):
        problem = f"{plugin}: there is no such group; the groups are {', '.join(groups)}"
        yield Finding("plugin", Health.BAD, problem, ExitCode.NO_DEVICE, plugin)


def _command_line(name: str, verb: Callable[..., Any]) -> object:
    app = typer.Typer()
    app.command(name)(verb)
    return typer.main.get_command(app)


_GRID = np.repeat(np.arange(0.0, 60.0, 10.0), 9)
_TRIALS: dict[str, Callable[[str, Any], object]] = {
    "cameras": lambda _, opens: inspect.signature(opens).bind("address"),
    "boards": lambda _, opens: inspect.signature(opens).bind("address", 250_000),
    "rigs": lambda name, text: isinstance(text, type) or named_rig(name),
    "classifiers": lambda _, reads: reads(
        StickerColours.of_lab(np.stack([50 + _GRID, _GRID, -_GRID], axis=1)), scheme=None
    ),
    "objectives": lambda _, metric: metric.measure(MoveSequence.parse("R U2")),
    "verbs": _command_line,
}
"""Use a plugin of each kind once; cameras and boards are not opened, but could be called."""


def _trial(plugin: Plugin, table: Plugins[Any]) -> str:
    """Use a plugin once, and return what is wrong with it; empty if nothing is."""
    try:
        _TRIALS[plugin.kind](plugin.name, table[plugin.name])
    except Exception as error:  # noqa: BLE001 - whatever another package raises
        told = f"{type(error).__name__}: {error}"
        return f"{plugin} fails when it is used: {told}; docs/plugins.md has its signature"
    return ""


def _program(folders: Folders) -> str:
    used = map(_sized, (folders.config, folders.cache, folders.data, folders.state))
    system = f"{platform.system()} {platform.machine()}"
    return f"Python {platform.python_version()} on {system}; files in {', '.join(used)}"


def _sized(folder: Path) -> str:
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return f"{folder} ({size / 1e6:.1f} MB)"


def _rig(choices: Choices, folders: Folders) -> str:
    hints: list[str] = []
    rig = load_rig(choices.rig, folders, hints.append)
    cameras = "1 camera" if len(rig.cameras) == 1 else f"{len(rig.cameras)} cameras"
    still = "".join(face for face in FACES if face not in rig.faces)
    search_for(HTM, still)  # the faces that turn have to suffice
    without = f"; solutions leave {still} still, and are longer" if still else ""
    told = "; ".join(["", *hints])
    return f"{rig.name!r}: turns {' '.join(rig.faces)}, {cameras}{without}{told}"


def _profile(choices: Choices, folders: Folders) -> str:
    profile = load_profile(choices.profile, folders)
    if profile is None:
        return "none chosen: the six centres define the colours"
    return f"{profile.name!r} from {profile.created}"


def _solver(folders: Folders) -> str:
    notes: list[str] = []
    Solving(folders.cache, QUICK, default_rig(), notes.append)(SOLVED)
    stored = tables_stored(TableStore(folders.cache / "tables"))
    later = "no tables yet: the first solve builds them, or `thistlebot tables build`"
    return "; ".join(["tables available" if stored else later, *notes])


def _board(machine: Machine) -> str:
    driver = machine.connected_driver()
    board = machine.board
    assert board is not None
    driver.settings()  # it has to have all that the rig needs
    machine.require_aligned()  # and the emergency stop has to be released
    return (
        f"{machine.port_name} answers: {board.board.name.lower().replace('_', '-')}, firmware "
        f"{board.firmware_major}.{board.firmware_minor}.{board.firmware_patch}, "
        f"{board.motors} motors, {board.servos} servos, {board.outputs} outputs, "
        f"{board.state.name.lower()}"
    )


def _views(machine: Machine) -> str:
    if text := unseen_text(machine.unseen_stickers()):
        raise UsageError(text)
    stops = len(machine.scan.first(None).stops)
    if stops > 1:
        return f"every sticker comes into view, in at least {stops} looks"
    shown = {name for view in machine.views() for name in view.names()}
    centres = ", ".join(face for face in FACES if f"{face}5" not in shown)
    return "every sticker is in view" + (
        f"; hidden centres are given: {centres}" if centres else ""
    )


def _cameras(machine: Machine) -> str:
    frames = machine.view_reader(enough=False).pictures()
    seen = ", ".join(f"{frame.source} {frame.size[0]}×{frame.size[1]}" for frame in frames)
    held = "; ".join(f"{name}: {light.text}" for name, light in machine.lights())
    return f"pictures arrive: {seen}" + (f"; {held}" if held else "")
