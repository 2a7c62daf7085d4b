"""Measures the colours of a solved cube, which a rig may turn to known states, for a profile."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from calibration.colours import measure_colours
from calibration.place_colours import KnownLook, learn_places
from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.mechanism import Mechanism
from robot.running.driver import RigDriver
from vision.colours.profile import ColourProfile
from vision.reading import CubeReading

# Moves between two pictures of a cube that is turned: enough for other colours everywhere.
_TURNS_BETWEEN = 8


def seen_labs(reading: CubeReading) -> NDArray[np.float64]:
    """Return the (54, 3) CIELAB colours as seen, NaN where a sticker was not."""
    labs = np.empty((54, 3))
    labs[list(reading.cells)] = [sticker.lab for sticker in reading.stickers]
    return labs


def turned_looks(
    driver: RigDriver, rig: Mechanism, look: Callable[[], CubeReading], count: int, seed: int
) -> Iterator[KnownLook]:
    """Turn the solved cube to known states, look at each, and turn it back after the last.

    Nothing moves between two of them.

    Args:
        driver: The rig, ready to turn.
        rig: The known values.
        look: Looks at the cube, once it is at rest.
        count: Number of states.
        seed: Seed of the states.

    Raises:
        ThistlebotError: A camera or the rig failed.
    """
    rng = np.random.default_rng(seed)
    state, undo = SOLVED, MoveSequence(())
    for _ in range(count):
        faces = rng.choice(list(rig.faces), _TURNS_BETWEEN)
        moves = MoveSequence.parse(" ".join(f"{face}{rng.choice(['', '2'])}" for face in faces))
        driver.run(rig.plan(moves, start=driver.pose))
        state, undo = state.apply(moves), MoveSequence((*moves.inverse(), *undo))
        yield KnownLook(seen_labs(look()), state.to_facelets())
    driver.run(rig.plan(undo, start=driver.pose))


def measured_profile(
    reading: CubeReading, looks: Sequence[KnownLook], scheme: Mapping[str, str], name: str
) -> ColourProfile:
    """Make the profile of a cube that was seen solved, and then turned if there are more looks.

    Args:
        reading: Reading of the solved cube.
        looks: See `turned_looks`.
        scheme: Colour name of each face.
        name: Name of the profile.

    Raises:
        CalibrationError: The cube is not solved, or its colours cannot be distinguished.
    """
    created = datetime.now().astimezone().isoformat("T", "seconds")
    labs = seen_labs(reading)
    made = measure_colours(labs, scheme, name, created)
    if not looks:
        return made
    return learn_places([KnownLook(labs, SOLVED_FACELETS), *looks], scheme, name, created)
