"""Measures the colours of a solved cube with a machine's own cameras, into a profile.

Sees the cube in a rig as a solve does, for calibrations that judge by it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from calibration.colours import measure_colours
from calibration.place_colours import KnownLook, learn_places
from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
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
