"""The target of `solve --to`: another cube, from photos, colours or letters, or in the rig."""

from pathlib import Path

import numpy as np

from robot.running.driver import RigDriver
from thistlebot.cli.scan import read_rig
from thistlebot.cli.solve.one import SolveJob
from thistlebot.config import load_profile
from thistlebot.errors import StoppedError, UsageError
from thistlebot.reading.readers import ColourReader, PhotoReader
from thistlebot.reading.refusal import state_of
from thistlebot.reading.rig_views import tell_unseen
from thistlebot.records import full_reading_record
from thistlebot.session.machine import open_machine
from thistlebot.session.target import Target
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from vision.reading import CubeReading

POLL_S = 0.05


def like_target(given: str, job: SolveJob) -> Target:
    """Return the state of another cube.

    Args:
        given: A folder of photos, a file of colours, or ``rig``: then the rig reads it, and the
            cubes are exchanged.
        job: The cube to turn; the faces of the other one may come in the same orders.

    Raises:
        ThistlebotError: The reading is not trusted, or turns cannot make that cube.
    """
    job.screen.line("the other cube")
    if given == "rig":
        return _seen_in_rig(job)
    path, choices = Path(given), job.choices
    profile = load_profile(choices.profile, job.folders)
    kind = PhotoReader if path.is_dir() else ColourReader
    reader = kind(path, profile, any_order=job.source.any_order, scheme=choices.scheme)
    return _target(reader.read(reader.look()), job.screen)


def wait_for_exchange(keyboard: Keyboard, screen: Screen, driver: RigDriver | None = None) -> None:
    """Ask for the cubes to be exchanged, and wait for a press.

    Args:
        keyboard: Any key counts.
        screen: Where to ask.
        driver: The board whose button counts, too; None for no board.

    Raises:
        StoppedError: The user pressed ``q``.
        LinkError: The board was lost.
    """

    def pressed() -> bool:
        return driver is not None and driver.wait_for_button(POLL_S)

    pressed()  # while the cube was read; such key presses do not count
    while keyboard.key() is not None:
        pass
    screen.line("exchange the cubes, then press the button or a key (q to quit)")
    while not pressed():
        key = keyboard.key(POLL_S)
        if key == "q":
            raise StoppedError("stopped; no motor has moved")
        if key is not None:
            return


def _seen_in_rig(job: SolveJob) -> Target:
    """Read the other cube in the rig, and wait until it is exchanged for the cube to turn."""
    choices, screen = job.choices, job.screen
    with open_machine(choices, job.folders) as machine, Keyboard() as keyboard:
        if choices.virtual:
            seed = None if job.seed is None else job.seed + 1
            machine.scramble_virtual_cube(None, np.random.default_rng(seed))
        elif job.dry_run and not keyboard.available:
            raise UsageError(
                "--to rig needs a terminal, to ask when the cubes are exchanged: run it in a "
                "terminal, or give photos, colours or letters of the other cube"
            )
        tell_unseen(machine.unseen_stickers(), screen.note)
        if not job.dry_run:
            machine.connected_driver()  # a missing board is reported before cameras are opened
        reading, _ = read_rig(machine.view_reader(moving=not job.dry_run), screen)
        pose = machine.known_pose()
        if pose is not None:
            machine.connected_driver().run(machine.rig.rest(pose))
        target = _target(reading, screen)
        if not choices.virtual:
            board = None if job.dry_run else machine.connected_driver()
            wait_for_exchange(keyboard, screen, board)
    return target


def _target(reading: CubeReading, screen: Screen) -> Target:
    """Return the state of the other cube.

    Raises:
        ThistlebotError: The reading is not trusted, or turns cannot make that cube.
    """
    screen.reading(full_reading_record(reading))
    return Target(state_of(reading), reading.scheme)
