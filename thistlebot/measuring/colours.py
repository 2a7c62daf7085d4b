"""Measures the colours of a solved cube with a machine's own cameras, into a profile.

Sees the cube in a rig as a solve does, for calibrations that judge by it.

The colour profiles of a user, one for each venue: listed, copied, deleted by name.
"""

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.colours import measure_colours
from calibration.place_colours import KnownLook, learn_places
from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from documents.errors import ConfigError
from documents.files import require_writable, there_is, write_atomically
from documents.typed_toml import document_text, load_document
from thistlebot.config import Folders
from thistlebot.reading.reader import Reader
from thistlebot.session.machine import Machine
from vision.colours.profile import ColourProfile
from vision.reading import CubeReading


class ReaderObserver:
    """Looks through a reader; see `calibration.motors.CubeObserver`.

    Args:
        reader: The rig's cameras.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def state(self) -> CubeState | None:
        """Return what the cube shows, None when it cannot be read."""
        reading = self._reader.read(self._reader.look())
        self._reader.put_back()
        return None if reading.facelets is None else CubeState.from_facelets(reading.facelets)


# Moves between two pictures of a cube that is turned: enough to bring other colours everywhere.
_TURNS_BETWEEN = 8


def seen_labs(reading: CubeReading) -> NDArray[np.float64]:
    """Return the (54, 3) CIELAB colours as they were seen, NaN where a sticker was not."""
    labs = np.empty((54, 3))
    labs[list(reading.cells)] = [sticker.lab for sticker in reading.stickers]
    return labs


def turned_looks(
    machine: Machine, count: int, seed: int, on_look: Callable[[int], None] = lambda _: None
) -> list[KnownLook]:
    """Turn the solved cube to known states, look at each, and turn it back.

    Args:
        machine: Its cube is solved.
        count: How many states.
        seed: Of the states.
        on_look: Told how many looks are done, between two programs.

    Raises:
        ThistlebotError: A camera or the rig failed.
    """
    rng = np.random.default_rng(seed)
    reader, driver = machine.view_reader(), machine.driver()
    state, undo = SOLVED, MoveSequence(())
    looks: list[KnownLook] = []
    for _ in range(count):
        faces = rng.choice(list(machine.rig.faces), _TURNS_BETWEEN)
        moves = MoveSequence.parse(" ".join(f"{face}{rng.choice(['', '2'])}" for face in faces))
        driver.run(machine.rig.plan(moves, start=driver.pose))
        state, undo = state.apply(moves), MoveSequence((*moves.inverse(), *undo))
        time.sleep(0.0 if machine.choices.virtual else machine.rig.settle_ms / 1000)
        looks.append(KnownLook(seen_labs(reader.read(reader.look())), state.to_facelets()))
        reader.put_back()
        on_look(len(looks))
    driver.run(machine.rig.plan(undo, start=driver.pose))
    return looks


def measured_profile(
    reading: CubeReading, looks: Sequence[KnownLook], scheme: Mapping[str, str], name: str
) -> ColourProfile:
    """Make the profile of a cube that was seen solved, and then turned if there are more looks.

    Args:
        reading: Of the solved cube.
        looks: See `turned_looks`.
        scheme: Colour name of each face.
        name: What to call the profile.

    Raises:
        CalibrationError: The cube is not solved, or its colours cannot be told apart.
    """
    created = datetime.now().astimezone().isoformat("T", "seconds")
    labs = seen_labs(reading)
    made = measure_colours(labs, scheme, name, created)
    if not looks:
        return made
    return learn_places([KnownLook(labs, SOLVED_FACELETS), *looks], scheme, name, created)


LONGEST_NAME = 60

# Names that Windows keeps for devices, whatever follows their dot.
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)}


@dataclass(frozen=True, slots=True)
class KnownProfile:
    """A profile of the user.

    Attributes:
        name: As `--profile` takes it.
        created: When it was measured, ISO 8601; empty when its file is wrong.
        trouble: What is wrong with its file; empty when it can be used.
    """

    name: str
    created: str
    trouble: str = ""


def profile_file(folders: Folders, name: str) -> Path:
    """Return where the profile of that name is, or would be: always in the folder of profiles.

    Raises:
        ConfigError: The name is no name for a profile; the message says what one is.
    """
    plain = name == name.strip() and name.isprintable() and 0 < len(name) <= LONGEST_NAME
    if not plain or name.endswith((".toml", ".")) or name.partition(".")[0].lower() in _DEVICES:
        raise ConfigError(
            f"{name[: LONGEST_NAME + 1]!r} is no name for a profile: use at most {LONGEST_NAME} "
            "letters, digits, spaces, - and _, such as town hall"
        )
    return folders.profile_file(name)


def known_profiles(folders: Folders) -> tuple[KnownProfile, ...]:
    """List the profiles by name; those whose file is wrong say so."""
    files = sorted((folders.config / "profiles").glob("*.toml"), key=lambda file: file.stem.lower())
    return tuple(_known(file) for file in files)


def copy_profile(folders: Folders, source: str, target: str) -> None:
    """Copy a profile under another name, so that a new venue begins with what is known.

    Raises:
        ConfigError: There is no such profile, there is one of the new name, or a name is none.
    """
    file = profile_file(folders, target)
    profile = load_document(_present(folders, source), ColourProfile)
    if there_is(file):
        raise ConfigError(f"there is a profile {target!r} already: choose another name")
    require_writable(file)
    write_atomically(file, document_text(msgspec.structs.replace(profile, name=target)))


def delete_profile(folders: Folders, name: str) -> Path:
    """Put a profile aside as ``NAME.toml.1.bak`` and so on, so that a slip loses nothing.

    Returns:
        Where it is now.

    Raises:
        ConfigError: There is no such profile, or its file cannot be moved.
    """
    file = _present(folders, name)
    numbered = (file.with_name(f"{file.name}.{number}.bak") for number in itertools.count(1))
    backup = next(path for path in numbered if not path.exists())
    try:
        file.rename(backup)
    except OSError as error:
        raise ConfigError(f"{file} cannot be put aside ({error.strerror})") from None
    return backup


def _present(folders: Folders, name: str) -> Path:
    file = profile_file(folders, name)
    if not there_is(file):
        have = ", ".join(each.name for each in known_profiles(folders)) or "none yet"
        raise ConfigError(f"there is no profile {name!r}; there is {have}")
    return file


def _known(file: Path) -> KnownProfile:
    try:
        return KnownProfile(file.stem, load_document(file, ColourProfile).created)
    except ConfigError as error:
        return KnownProfile(file.stem, "", str(error))
