"""Measuring the colours of a solved cube, before the rig's cameras or by hand.

A profile for each venue: chosen, copied, put aside.
"""

import msgspec

from calibration.colours import describe_colours
from calibration.errors import CalibrationError
from calibration.place_colours import KnownLook
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.state import SOLVED
from documents.typed_toml import document_text
from thistlebot.config import load_profile
from thistlebot.control.commands import (
    ChooseProfile,
    CopyProfile,
    DeleteProfile,
    MeasureColours,
    RedoFace,
    SaveColours,
    TakeFace,
)
from thistlebot.control.job_context import Bench
from thistlebot.control.jobs.calibrate.showing import shades_of, show_colours, show_profiles
from thistlebot.control.showing.by_hand import CAMERA, told_of
from thistlebot.errors import UsageError
from thistlebot.looking.hand_guide import HandGuide
from thistlebot.looking.reader import Look
from thistlebot.measuring.colours import (
    copy_profile,
    delete_profile,
    measured_profile,
    profile_file,
    seen_labs,
    turned_looks,
)
from thistlebot.session.measured_file import measured_file, write_measured
from vision.reading import CubeReading


def choose_profile(bench: Bench, command: ChooseProfile) -> None:
    """Use another profile, or none."""
    if command.profile:
        profile_file(bench.machine.folders, command.profile)
        load_profile(command.profile, bench.machine.folders)  # says what is wrong with it
    bench.reopen(profile=command.profile)


def copy(bench: Bench, command: CopyProfile) -> None:
    """Copy a profile under another name."""
    copy_profile(bench.machine.folders, command.profile, command.name)
    show_profiles(bench)


def delete(bench: Bench, command: DeleteProfile) -> None:
    """Put a profile aside; the machine goes on without one if it was in use."""
    delete_profile(bench.machine.folders, command.profile)
    if bench.machine.choices.profile == command.profile:
        bench.reopen(profile="")
    else:
        show_profiles(bench)


MOST_TURNS = 20
_VIRTUAL = " (virtual)"


def measure_colours(bench: Bench, command: MeasureColours) -> None:
    """Look at the solved cube, and show its colours and how well each two are told apart."""
    if not 0 <= command.turns <= MOST_TURNS:
        raise UsageError(f"the cube can be turned 0 to {MOST_TURNS} times, not {command.turns}")
    bench.calibration.profile = None
    fresh = {"shades": (), "pairs": (), "advice": "", "trouble": "", "saved": "", "captured": {}}
    doing = "hand" if command.by_hand else "looking"
    show_colours(bench, **fresh, doing=doing, measured="", can_save=False, done=0, total=1)
    try:
        if command.by_hand:
            reading, looks = _shown_by_hand(bench), []
        else:
            reading = _seen_in_rig(bench)
            looks = _turned(bench, command.turns)
        _conclude(bench, reading, looks)
    finally:
        show_colours(bench, doing="", told=None, held=0.0)


def save_colours(bench: Bench, command: SaveColours) -> None:
    """Write the measured colours into a profile, and use it."""
    measured, machine = bench.calibration.profile, bench.machine
    if measured is None:
        raise UsageError("there are no colours to save: measure them first")
    name = command.profile
    if machine.choices.virtual:  # no real venue looks like this
        name = name.removesuffix(_VIRTUAL) + _VIRTUAL
    target = measured_file(profile_file(machine.folders, name), None, virtual=False)
    write_measured(target, document_text(msgspec.structs.replace(measured, name=name)))
    bench.calibration.profile = None
    show_colours(bench, saved=name, can_save=False)
    bench.reopen(profile=name)


def _seen_in_rig(bench: Bench) -> CubeReading:
    machine = bench.machine
    if machine.choices.virtual:
        machine.world.rig.state = SOLVED
    if not machine.scan.moves_nothing:
        bench.connect()
    reader = machine.view_reader()
    frames = reader.look()
    reading = reader.read(frames)
    reader.put_back()
    bench.tell_reading(Look(frames, reading))
    bench.require_going_on()
    return reading


def _turned(bench: Bench, turns: int) -> list[KnownLook]:
    if not turns:
        return []
    bench.driver()
    show_colours(bench, doing="turning", done=0, total=turns)

    def tell(done: int) -> None:
        show_colours(bench, done=done)
        bench.require_going_on()

    return turned_looks(bench.machine, turns, bench.machine.choices.seed, tell)


def _shown_by_hand(bench: Bench) -> CubeReading:
    source = (*bench.machine.camera_sources(), 0)[0]
    guide = HandGuide(None, bench.machine.scheme, until_sure=False)
    step = guide.start
    with bench.webcam(source, CAMERA) as camera:
        while not guide.done:
            show_colours(
                bench,
                told=told_of(step.told),
                held=round(step.progress, 1),
                captured=dict(step.faces),
                done=len(step.faces),
                total=len(FACES),
            )
            match bench.next_input(0.0):
                case TakeFace():
                    step = guide.capture_now() or step
                case RedoFace(face):
                    guide.redo(face)
                case _:
                    step = guide.feed(camera.read())
            guide.conclude()
    assert guide.reading is not None
    return guide.reading


def _conclude(bench: Bench, reading: CubeReading, looks: list[KnownLook]) -> None:
    """Show what was measured, also where it cannot be used."""
    scheme = bench.machine.scheme or WESTERN_SCHEME
    try:
        profile = measured_profile(reading, looks, scheme, "measured")
    except CalibrationError as error:
        show_colours(bench, trouble=str(error))  # also where a face was hardly seen
        described = describe_colours(seen_labs(reading), scheme, "measured", "")
        show_colours(bench, **shades_of(described))
        return
    bench.calibration.profile = profile
    show_colours(bench, **shades_of(profile), can_save=True)
