"""The colour profiles of a user, one for each light: named, listed, copied, deleted by name."""

import itertools
from dataclasses import dataclass
from pathlib import Path

import msgspec

from documents.errors import ConfigError
from documents.files import require_writable, there_is, write_atomically
from documents.typed_toml import document_text, load_document
from vision.colours.profile import ColourProfile

LONGEST_NAME = 60

# Names that Windows reserves for devices, whatever follows their dot.
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)}


@dataclass(frozen=True, slots=True)
class KnownProfile:
    """A profile of the user.

    Attributes:
        name: Its name for `--profile`.
        created: Time of the measurement, ISO 8601; empty if its file is wrong.
        trouble: What is wrong with its file; empty if it can be used.
    """

    name: str
    created: str
    trouble: str = ""


def profile_file(folder: Path, name: str) -> Path:
    """Return the file of the profile with that name, existing or not, in the folder of profiles.

    Raises:
        ConfigError: The name is not allowed; the message says which are.
    """
    plain = name == name.strip() and name.isprintable() and 0 < len(name) <= LONGEST_NAME
    elsewhere = name.startswith(".") or not set(name).isdisjoint('/\\:*?"<>|')
    device = name.partition(".")[0].lower() in _DEVICES
    if not plain or elsewhere or device or name.endswith((".toml", ".")):
        raise ConfigError(
            f"{name[: LONGEST_NAME + 1]!r} is not a valid name for a profile: use at most "
            f"{LONGEST_NAME} letters, digits, spaces, - and _, such as town hall"
        )
    return folder / f"{name}.toml"


def known_profiles(folder: Path) -> tuple[KnownProfile, ...]:
    """List the profiles by name, including those with an invalid file."""
    files = sorted(folder.glob("*.toml"), key=lambda file: file.stem.lower())
    return tuple(_known(file) for file in files)


def copy_profile(folder: Path, source: str, target: str) -> None:
    """Copy a profile under another name, as a start for a new light.

    Raises:
        ConfigError: There is no such profile, the new name exists, or a name is not allowed.
    """
    file = profile_file(folder, target)
    profile = load_document(_present(folder, source), ColourProfile)
    if there_is(file):
        raise ConfigError(f"profile {target!r} already exists: choose another name")
    require_writable(file)
    write_atomically(file, document_text(msgspec.structs.replace(profile, name=target)))


def delete_profile(folder: Path, name: str) -> Path:
    """Rename a profile to ``NAME.toml.1.bak`` and so on, so that nothing is lost by mistake.

    Returns:
        Its new path.

    Raises:
        ConfigError: There is no such profile, or its file cannot be moved.
    """
    file = _present(folder, name)
    numbered = (file.with_name(f"{file.name}.{number}.bak") for number in itertools.count(1))
    backup = next(path for path in numbered if not path.exists())
    try:
        file.rename(backup)
    except OSError as error:
        raise ConfigError(f"cannot move {file} to a backup ({error.strerror})") from None
    return backup


def _present(folder: Path, name: str) -> Path:
    file = profile_file(folder, name)
    if not there_is(file):
        have = ", ".join(each.name for each in known_profiles(folder)) or "none yet"
        raise ConfigError(f"there is no profile {name!r} (profiles: {have})")
    return file


def _known(file: Path) -> KnownProfile:
    try:
        return KnownProfile(file.stem, load_document(file, ColourProfile).created)
    except ConfigError as error:
        return KnownProfile(file.stem, "", str(error))
