"""The verb `copy`: make the cube in the rig match another one.

It waits until the user has put another cube into the rig.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from cube.state import CubeState
from robot.running.driver import RigDriver
from thistlebot.cli import options
from thistlebot.cli.options import require_with
from thistlebot.cli.scan import read_rig
from thistlebot.cli.solve.one import SolveOptions, solve_one
from thistlebot.config import Folders
from thistlebot.errors import StoppedError, UsageError
from thistlebot.reading.refusal import refusal
from thistlebot.reading.rig_views import tell_unseen
from thistlebot.records import full_reading_record
from thistlebot.session.choices import Choices
from thistlebot.session.cube_source import CubeSource, require_one
from thistlebot.session.machine import open_machine
from thistlebot.session.target import Target
from thistlebot.solving.approach import Approach
from thistlebot.terminal.hand_scan import scan_by_hand
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from vision.reading import CubeReading

POLL_S = 0.05

Photos = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Photos of the other cube: U.jpg, R.jpg …; U2.jpg is a second photo of U.",
    ),
]


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


def copy(
    context: typer.Context,
    photos: Photos = None,
    rgb: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Sampled colours of the other cube."),
    ] = None,
    facelets: Annotated[
        str | None, typer.Option(metavar="S", help="The other cube as 54 letters.")
    ] = None,
    hand: Annotated[
        bool, typer.Option("--hand", help="Show the other cube to a webcam, face by face.")
    ] = False,
    order: options.Order = None,
    any_orientation: options.AnyOrientation = False,
    any_order: options.AnyOrder = False,
    verify: options.Verify = True,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    aligned: options.Aligned = False,
    dry_run: options.DryRun = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Read a second cube, and make the cube in the rig look the same.

    By default the rig's own cameras read the other cube first, and then you exchange the cubes. If
    both cubes have the same colours, the copy matches colour by colour, in any orientation;
    otherwise it matches face by face. With --dry-run and no camera, the moves start from a solved
    cube.

    [bold]thistlebot copy[/]                             the rig reads both cubes
    [bold]thistlebot copy --hand --camera 0[/]           show the other cube to a webcam
    [bold]thistlebot copy --photos DIR --virtual[/]      on the virtual rig
    [bold]thistlebot copy --facelets S --dry-run[/]      print the moves only
    """
    require_one(photos=photos, rgb=rgb, facelets=facelets, hand=hand or None)
    stored = photos is not None or rgb is not None
    told = stored or hand or facelets is not None
    by_hand = dry_run and told and not virtual and (hand or camera is None)
    looks = not by_hand or stored or hand
    require_with(
        context,
        ("order", "--facelets", facelets is not None),
        ("any_orientation", "--photos, --rgb or --facelets", stored or facelets is not None),
        ("any_order", "--photos, --rgb or --hand", stored or hand),
        *((name, "a cube that a camera reads", looks) for name in ("profile", "scheme")),
        *((name, "moves that a rig turns", not dry_run) for name in ("port", "verify")),
        ("seed", "--virtual", virtual),
        ("camera", "--hand or a real rig, without --virtual", hand or not virtual),
    )
    screen, folders, cameras = Screen(quiet=json), Folders.of_platform(), tuple(camera or ())
    choices = Choices(
        rig, profile, port, cameras, virtual, seed or 0, options.parse_scheme(scheme), aligned
    )
    source = CubeSource(photos, rgb, facelets, None, order, any_orientation, any_order)
    job = SolveOptions(dry_run, verify, seed=seed, json=json)
    screen.line("the other cube")
    target = _seen_by(source, choices, folders, screen, hand=hand, any_order=any_order)
    if target is None:
        target = _seen_in_rig(choices, folders, screen, job)
    screen.line("the cube to turn" + (": a solved one" if by_hand else ""))
    here = CubeSource(scramble="") if by_hand else CubeSource()
    if hand:
        choices = replace(choices, cameras=())  # it looked at the other cube
    solve_one(here, job, Approach(), choices, folders, screen, target)


def _seen_by(
    source: CubeSource,
    choices: Choices,
    folders: Folders,
    screen: Screen,
    *,
    hand: bool,
    any_order: bool,
) -> Target | None:
    """Return the other cube as given or as shown to a webcam; None if neither."""
    typed = source.typed()
    if typed is not None:
        typed.tell(screen.note)
        screen.net(typed.state.to_facelets(), typed.known_scheme(choices.scheme))
        return Target.typed(typed)
    if not source.stored and not hand:
        return None
    with open_machine(choices, folders) as machine:
        reader = source.reader(machine.profile, choices.scheme)
        if reader is not None:
            return _target(reader.read(reader.look()), screen)
        with machine.open_camera(choices.cameras[0] if choices.cameras else 0) as webcam:
            reading, _ = scan_by_hand(
                webcam, machine.profile, screen, choices.scheme, any_order=any_order
            )
    return _target(reading, screen)


def _seen_in_rig(choices: Choices, folders: Folders, screen: Screen, job: SolveOptions) -> Target:
    """Read the other cube in the rig, and wait until it is exchanged for the cube to turn."""
    with open_machine(choices, folders) as machine, Keyboard() as keyboard:
        if choices.virtual:
            seed = None if job.seed is None else job.seed + 1
            machine.scramble_virtual_cube(None, np.random.default_rng(seed))
        elif job.dry_run and not keyboard.available:
            raise UsageError(
                "copy needs a terminal, to ask when the cubes are exchanged: run it in a "
                "terminal, or describe the other cube with --photos, --rgb, --facelets or "
                "--hand"
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
    if reading.facelets is None:
        raise refusal(reading)
    return Target(CubeState.from_facelets(reading.facelets), reading.scheme)
