"""The kinds of rigs, and the rigs with a name: built-in ones first, then plugins."""

import itertools
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from importlib import resources
from typing import Any

import msgspec

from documents.errors import ConfigError
from documents.plugins import Plugins, added_names
from documents.typed_toml import parse_document
from robot.errors import NotPossibleError
from robot.rigs.action_machine import mechanism
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism

KINDS: dict[str, type[Mechanism]] = {"": FaceMotors, "actions": ActionMachine}
"""The kinds by the key `kind` of the rig file; a file without it describes motors on the faces."""


def mechanism_type(document: Mapping[str, Any], name: str = "rig file") -> type[Mechanism]:
    """Return the type for a rig file that was read as TOML; its name is for messages.

    Raises:
        PluginError: The kind is a plugin, and cannot be loaded.
        ConfigError: The file needs another kind.
    """
    kind = str(document.get("kind", ""))
    if "variables" in document and kind not in {"actions", *added_names(RIGS.kind)}:
        wrong = f'"{kind}" does not fit the rest of the file' if kind else "this key is missing"
        raise ConfigError(f'{name}, kind: {wrong}; write kind = "actions" above the first table')
    added = RIGS[kind] if kind not in KINDS and kind in RIGS else None
    return added if isinstance(added, type) else KINDS.get(kind, FaceMotors)


def described(name: str) -> str:
    """Describe a rig of `RIGS` in one sentence: by default with its text's first comment.

    Raises:
        KeyError: As for `rig_text`.
    """
    told = {
        "six": "Stepper motors on the six faces of a fixed cube.",
        "five": "The same, without a motor on U.",
    }
    if name in told:
        return told[name]
    lines = rig_text(name).splitlines()
    head = itertools.takewhile(lambda line: line.startswith("#"), lines)
    return " ".join(line.removeprefix("#").strip() for line in head)


def default_rig_text() -> str:
    """Return the commented TOML text of the default rig, as a template."""
    return resources.files("robot").joinpath("data/default_rig.toml").read_text(encoding="utf-8")


def default_rig() -> FaceMotors:
    """Return the default rig."""
    return msgspec.convert(tomllib.loads(default_rig_text()), FaceMotors)


_ON_A_PI = {"cubotino-pi": "cubotino", "four-claws-pi": "four-claws"}
NAMES = ("six", "five", *mechanism.NAMES, *_ON_A_PI)
"""The built-in rigs: motors on six faces, on all but U, other machines, and those whose servos a
Raspberry Pi moves itself.
"""
_AT_A_PORT = """
# Serial port of the board, such as "/dev/ttyACM0" or "COM3". Empty: every port is probed.
port = ""
"""
_AT_A_CONTROLLER = """
# Dialect and port of the controller, such as "grbl:/dev/ttyACM0", "marlin:COM3" or
# "grbl:socket://192.168.1.20:23".
port = "{}:/dev/ttyUSB0"
baud = 115200
"""


def _text(name: str) -> str:
    if name in mechanism.NAMES:
        return mechanism.shipped_text(name)
    if name in _ON_A_PI:
        return _text_for_pi(name, mechanism.shipped_text(_ON_A_PI[name]))
    text = default_rig_text().replace('name = "six"', f'name = "{name}"', 1)
    if name == "five":
        begin, end = text.index("[motors.U]"), text.index("[motors.R]")
        text = text[:begin] + text[end:]
        text = text.replace(
            "# The default rig: six stepper motors on the faces",
            "# Stepper motors on five faces",
            1,
        )
    return text


def _text_for_pi(name: str, text: str) -> str:
    """Return the text of a machine whose servos and camera are connected to a Raspberry Pi."""
    board = resources.files("robot").joinpath(f"data/boards/{name}.toml").read_text("utf-8")
    for old, new in (
        (_AT_A_PORT, "\n"),
        ("\n# The moving parts, one", f"\n{board}\n# The moving parts, one"),
        ("\ndevice = 0\n", '\ndevice = "csi"\n'),
        (f'name = "{_ON_A_PI[name]}"', f'name = "{name}"'),
        (f"rig new {_ON_A_PI[name]}`", f"rig new {name}`"),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    head, first, rest = text.partition(".\n\n")
    return f"{head}; a Raspberry Pi moves the servos{first}{rest}"


RIGS = Plugins[Callable[[], str] | type[Mechanism]](
    "rigs", {name: partial(_text, name) for name in NAMES}
)
"""By the name for --rig: functions that return the commented TOML text of a rig.

A plugin may also be a subclass of `Mechanism`: then its name is a `kind` of rig files.
"""


def rig_text(name: str) -> str:
    """Return the commented TOML text of a rig, as a template.

    Args:
        name: One of `RIGS`.

    Raises:
        KeyError: There is no rig with this name.
        PluginError: The rig is a plugin, and cannot be loaded.
        ConfigError: The name is a kind of rig, not a rig.
    """
    text = RIGS[name]
    if isinstance(text, type):
        raise ConfigError(
            f'{name} is a kind of rig: name a rig file that contains `kind = "{name}"`'
        )
    return text()


_QUICK = "with these values a quarter turn takes 40.0 ms and a half turn 63.0 ms:"
_CAUTIOUS = (
    (re.compile(r"^rate_steps_s = .*", re.M), "rate_steps_s = 4000"),
    (re.compile(r"^acceleration_steps_s2 = .*", re.M), "acceleration_steps_s2 = 80000"),
    (
        re.compile(rf"{_QUICK}\n#(.*)a NEMA 17.*"),
        r"cautious: a quarter turn takes 0.15 s. When the machine works,\n"
        r"#\1`thistlebot calibrate motors` finds how fast it can turn",
    ),
)


def cautious_rig_text(name: str) -> str:
    """Return the text of a rig for a machine that nobody has measured: its motors turn slowly.

    Raises:
        ThistlebotError: As for `rig_text`.
    """
    text = rig_text(name)
    for fast, slow in _CAUTIOUS:
        text = fast.sub(slow, text)
    return text


def controlled_text(name: str, dialect: str) -> str:
    """Return the text of such a rig whose motors a controller turns that speaks G-code.

    Args:
        name: A rig with steppers only.
        dialect: One of `robot.rigs.board_file.DIALECTS`.

    Raises:
        NotPossibleError: The rig has servos, outputs or switches.
    """
    rig, text = named_rig(name), cautious_rig_text(name)
    if any(part.drive != "motor" for part in rig.wired) or "home = {" in text:
        raise NotPossibleError(
            f"rig {name!r} has more than steppers: choose six, five or three, or write [board] "
            "yourself (`thistlebot manual boards`)"
        )
    board = resources.files("robot").joinpath("data/boards/gcode.toml").read_text("utf-8")
    text = text.replace("\nbaud = 250000\n", "\n", 1)
    text = text.replace(_AT_A_PORT, _AT_A_CONTROLLER.format(dialect))
    parts, corners = "\n# The moving parts", "\n# Turns may overlap"
    if corners in text:  # such a controller cannot overlap turns
        text = (
            text[: text.index(corners)] + parts + text[text.index("\n# One table for each face") :]
        )
        return text.replace(parts, f"\n{board}")
    return text.replace(parts, f"\n{board}{parts}", 1)


def named_rig(name: str) -> Mechanism:
    """Return a rig of `RIGS`.

    Raises:
        KeyError: There is no rig with this name.
        PluginError: The rig is a plugin, and cannot be loaded.
        ConfigError: The text of a plugin is not a rig; the message names the key.
    """
    text = rig_text(name)
    return parse_document(text, mechanism_type(parse_document(text, dict, name), name), name)
