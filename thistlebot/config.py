"""Sources of settings: option, environment, ./rig.toml, the user's folder, defaults."""

import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from documents.errors import ConfigError, MissingDocumentError
from documents.files import there_is
from thistlebot.errors import UsageError

if TYPE_CHECKING:
    from robot.rigs.mechanism import Mechanism
    from vision.colours.profile import ColourProfile
    from vision.geometry.view import View

APP = "thistlebot"
LIKE_A_HAND = Path("six")
"""The rig for a person, who can turn all six faces, whatever the rig in this folder can."""
_MOST_MB = 1e12
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?(MB|GB|M|G)?", re.IGNORECASE)

_SLOW_S = 2.0
"""Time of a quarter turn that is more likely a slip than a wish."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The program's folders on this system.

    Attributes:
        config: ``rig.toml`` and ``profiles/``.
        cache: Tables that can be rebuilt.
        state: Tokens of the panel, and the sockets of programs that use a board.
        data: The journal of all runs.
        here: The folder in which the program was started; its ``rig.toml`` is used.
    """

    config: Path
    cache: Path
    here: Path
    state: Path
    data: Path

    @classmethod
    def of_platform(cls, environment: Mapping[str, str] = os.environ) -> "Folders":
        """Return the usual folders, unless ``THISTLEBOT_CONFIG_DIR``, ``…_CACHE_DIR`` … are set."""
        return cls(
            Path(environment.get("THISTLEBOT_CONFIG_DIR") or platformdirs.user_config_path(APP)),
            Path(environment.get("THISTLEBOT_CACHE_DIR") or platformdirs.user_cache_path(APP)),
            Path.cwd(),
            Path(environment.get("THISTLEBOT_STATE_DIR") or platformdirs.user_state_path(APP)),
            Path(environment.get("THISTLEBOT_DATA_DIR") or platformdirs.user_data_path(APP)),
        )

    @property
    def profiles(self) -> Path:
        """The folder of colour profiles."""
        return self.config / "profiles"

    def profile_file(self, name: str) -> Path:
        """Return the file of the colour profile with that name, or the file that it names.

        Raises:
            ConfigError: The name is not allowed for a profile.
        """
        from calibration.profiles import profile_file

        return Path(name) if name.endswith(".toml") else profile_file(self.profiles, name)


def find_rig_file(path: Path | None, folders: Folders) -> Path | None:
    """Return the rig file to use: the given one, ./rig.toml, the user's, or None.

    A built-in rig or one from a plugin has no file.
    """
    if path is not None:
        from robot.rigs.catalogue import RIGS

        return None if str(path) in RIGS else path
    candidates = (folder / "rig.toml" for folder in (folders.here, folders.config))
    return next((candidate for candidate in candidates if there_is(candidate)), None)


def load_rig(
    path: Path | None, folders: Folders, note: Callable[[str], None] = lambda _: None
) -> "Mechanism":
    """Load the rig file to use, or a rig with a name.

    Args:
        path: A file, or the name of a rig, built-in or from a plugin; None for the usual places.
        folders: The usual places.
        note: Is told which keys of today replace older ones in the file, and which motors are slow.

    Raises:
        ConfigError: The file is missing or wrong; the message names file, key and line.
        PluginError: The rig is a plugin, and cannot be loaded.
    """
    from documents.typed_toml import load_document
    from robot.rigs.catalogue import RIGS, default_rig, mechanism_type, named_rig

    if path is not None and str(path) in RIGS:
        return named_rig(str(path))
    file = find_rig_file(path, folders)
    if file is None:
        return default_rig()
    if path is not None and path.name == str(path) and not path.suffix and not there_is(path):
        raise MissingDocumentError(
            f"{path} is neither a file nor a rig's name; the names are {', '.join(RIGS)}"
        )
    document = load_document(file, dict)
    kind = mechanism_type(document, str(file))
    rig = load_document(file, kind)
    slow = [name for name, motor in rig.motors.items() if motor.turn(1).duration_s > _SLOW_S]
    if slow:
        what = f"a quarter turn of {', '.join(slow)} takes over {_SLOW_S:g} s"
        note(f"{file}: {what}; raise rate_steps_s")
    if older := kind.renewed(document)[1]:
        note(f"{file}: {older}")
    return rig


def load_profile(name: str | None, folders: Folders) -> "ColourProfile | None":
    """Load a colour profile by name, or from a file if the name ends in ``.toml``.

    Raises:
        ConfigError: There is no such profile, or its file is wrong.
    """
    if name is None:
        return None
    from documents.typed_toml import load_document
    from vision.colours.profile import ColourProfile

    path = folders.profile_file(name)
    if not there_is(path):
        known = sorted(file.stem for file in folders.profiles.glob("*.toml"))
        have = f"there are {', '.join(known)}" if known else "there are none yet"
        raise ConfigError(
            f"no colour profile {name!r} ({have}); to create it: thistlebot calibrate colours "
            f"--profile {shlex.quote(name)}"
        )
    return load_document(path, ColourProfile)


def load_view(path: Path) -> "View":
    """Load a view file.

    Raises:
        ConfigError: The file is missing or wrong; the message names file, key and line.
    """
    from documents.typed_toml import load_document
    from vision.geometry.view import View

    return load_document(path, View)


def megabytes(text: str, what: str = "") -> float:
    """Return a size such as ``500MB``, ``1.5GB`` or ``900`` in megabytes.

    Args:
        text: A number, optionally with a unit; megabytes by default.
        what: What the size belongs to, for the message.

    Raises:
        UsageError: It is not a size above zero.
    """
    size = _SIZE.fullmatch(text.strip())
    number = float(size[1]) if size else 0.0
    if size is None or not 0 < number < _MOST_MB:
        told = f"{what}: " if what else ""
        raise UsageError(f"{told}{text!r} is not a size: give one such as 500MB or 1GB")
    return number * 1000 if (size[2] or "").upper().startswith("G") else number
