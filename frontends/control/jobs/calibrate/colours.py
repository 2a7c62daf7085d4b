"""Measures the colours of a solved cube, with the rig's cameras or by hand."""

import msgspec

from calibration.colours import describe_colours, measured_profile, seen_labs
from calibration.errors import CalibrationError
from calibration.profiles import profile_file
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from documents.typed_toml import document_text
from frontends.control.calibrate_commands import (
    MeasureColours,
    RedoFace,
    SaveColours,
    TakeFace,
)
from frontends.control.job_context import JobContext
from frontends.control.jobs.calibrate.telling import shades_of, show_colours
from frontends.control.task import CALIBRATE, Jobs, NamedJob
from frontends.control.view_model.by_hand import CAMERA
from thistlebot.errors import UsageError
from thistlebot.reading.hand_guide import HandGuide
from thistlebot.session.bench import MachineObserver
from thistlebot.session.measured_file import measured_file, write_measured
from vision.errors import CameraError
from vision.reading import CubeReading

_VIRTUAL = " (virtual)"


def measure_colours(context: JobContext, command: MeasureColours) -> None:
    """Look at the solved cube, and show its colours and how well each pair can be distinguished."""
    context.calibration.profile = None
    fresh = {"shades": (), "pairs": (), "advice": "", "trouble": "", "saved": "", "captured": {}}
    doing = "hand" if command.by_hand else "looking"
    show_colours(context, **fresh, doing=doing, measured="", can_save=False, done=0, total=1)
    try:
        _conclude(context, (_shown_by_hand if command.by_hand else _seen_in_rig)(context))
    finally:
        show_colours(context, doing="", told=None, held=0.0)


def save_colours(context: JobContext, command: SaveColours) -> None:
    """Store the measured colours in a profile, and use it."""
    measured, machine = context.calibration.profile, context.machine
    if measured is None:
        raise UsageError("there are no colours to save: measure them first")
    name = command.profile
    if machine.choices.virtual:  # no real light looks like this
        name = name.removesuffix(_VIRTUAL) + _VIRTUAL
    target = measured_file(profile_file(machine.folders.profiles, name), None, virtual=False)
    write_measured(target, document_text(msgspec.structs.replace(measured, name=name)))
    context.calibration.profile = None
    show_colours(context, saved=name, can_save=False)
    context.reopen(profile=name)


def _seen_in_rig(context: JobContext) -> CubeReading:
    if not context.machine.scan.moves_nothing:
        context.connect()
    look = MachineObserver(context.machine).solved()
    context.tell_reading(look)
    context.require_not_stopped()
    return look.reading


def _shown_by_hand(context: JobContext) -> CubeReading:
    source = (*context.machine.camera_sources(), 0)[0]
    guide = HandGuide(None, context.machine.scheme, until_sure=False)
    step = guide.start
    with context.webcam(source, CAMERA) as camera:
        while not guide.done:
            show_colours(
                context,
                told=step.told,
                held=round(step.progress, 1),
                captured=dict(step.faces),
                done=len(step.faces),
                total=len(FACES),
            )
            match context.next_input(0.0):
                case TakeFace():
                    step = guide.capture_now() or step
                case RedoFace(face):
                    guide.redo(face)
                case _:
                    try:
                        frame = camera.read()
                    except CameraError as error:
                        return guide.finish(error)
                    step = guide.feed(frame)
            guide.conclude()
    assert guide.reading is not None
    return guide.reading


def _conclude(context: JobContext, reading: CubeReading) -> None:
    """Show the measured colours, even if they cannot be used."""
    scheme = context.machine.scheme or WESTERN_SCHEME
    try:
        profile = measured_profile(reading, scheme, "measured")
    except CalibrationError as error:
        show_colours(context, trouble=str(error))  # even if a face was hardly seen
        described = describe_colours(seen_labs(reading), scheme, "measured", "")
        show_colours(context, **shades_of(described))
        return
    context.calibration.profile = profile
    show_colours(context, **shades_of(profile), can_save=True)


COLOUR_JOBS: Jobs = {
    MeasureColours: NamedJob("measure_colours", measure_colours),
    SaveColours: NamedJob(CALIBRATE, save_colours),
}
