"""Publishes what the page Calibrate shows."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from calibration.pair_scores import advice, failed_pairs, pair_scores
from calibration.profiles import known_profiles
from cube.moves import FACES
from frontends.control.job_context import JobContext
from frontends.control.view_model.calibrate import (
    CalibratePane,
    Colours,
    MovablePart,
    Shade,
    ViewPoints,
)
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import ActionRule
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from vision.colours.colour_spaces import lab_to_srgb
from vision.colours.profile import ColourProfile


def show_machine(context: JobContext) -> None:
    """Show a machine that was just opened: its settings, and the possible choices."""
    machine, pane = context.machine, pane_now(context)
    rig = machine.rig
    colours = replace(pane.colours, doing="", told=None, can_save=False)
    if machine.profile is not None:
        colours = replace(colours, **shades_of(machine.profile), measured=machine.profile.name)
    elif not pane.colours.trouble:
        colours = Colours(saved=colours.saved)
    context.hub.update(
        calibrate=CalibratePane(
            profiles=known_profiles(machine.folders.profiles),
            chosen=machine.choices.profile or "",
            cameras=tuple(camera.name for camera in rig.cameras) or machine.camera_names,
            keeps=not machine.choices.virtual,
            colours=colours,
            points=ViewPoints(saved=pane.points.saved),
            motors=replace(
                pane.motors,
                parts=parts_of(rig),
                searchable="".join(rig.motors) if isinstance(rig, FaceMotors) else "",
                measurable=tuple(rig.variables) if isinstance(rig, ActionMachine) else (),
                doing="",
                align="",
                asking=None,
                can_save=False,
            ),
        ),
    )


def pane_now(context: JobContext) -> CalibratePane:
    """Return the pane of the page."""
    return context.hub.view.panes.calibrate or CalibratePane()


def show_colours(context: JobContext, **changes: Any) -> None:
    """Update the colours."""
    pane = pane_now(context)
    context.hub.update(calibrate=replace(pane, colours=replace(pane.colours, **changes)))


def show_points(context: JobContext, points: ViewPoints) -> None:
    """Show a camera's view."""
    context.hub.update(calibrate=replace(pane_now(context), points=points))


def show_motors(context: JobContext, **changes: Any) -> None:
    """Update the motors."""
    pane = pane_now(context)
    context.hub.update(calibrate=replace(pane, motors=replace(pane.motors, **changes)))


def show_profiles(context: JobContext) -> None:
    """Update the list of profiles."""
    profiles = known_profiles(context.machine.folders.profiles)
    context.hub.update(calibrate=replace(pane_now(context), profiles=profiles))


@contextmanager
def doing_motors(context: JobContext, doing: str, part: str = "") -> Iterator[None]:
    """Show the activity of motors while it lasts, no matter how it ends."""
    show_motors(context, doing=doing, part=part, align="")
    try:
        yield
    finally:
        show_motors(context, doing="", part="", align="")


def shades_of(profile: ColourProfile) -> dict[str, Any]:
    """Return the colours of a profile as fields of `Colours`."""
    scores = pair_scores(profile)
    shades = []
    for face, lab in profile.colours.items():
        red, green, blue = (round(float(value)) for value in lab_to_srgb(lab))
        srgb = f"#{red:02x}{green:02x}{blue:02x}"
        shades.append(Shade(face, profile.scheme[face], srgb, profile.spread.get(face, 0.0)))
    return {"shades": tuple(shades), "pairs": scores, "advice": advice(failed_pairs(scores))}


def parts_of(rig: Mechanism) -> tuple[MovablePart, ...]:
    """Return the parts that can be buzzed."""
    motors = []
    for name, motor in rig.motors.items():
        quarter_ms = round(motor.turn(1).duration_s * 1000, 1)
        turns = name if name in FACES else ""
        shown = MovablePart(name, motor.direction, motor.channel, quarter_ms, turns, (name,))
        motors.append(shown)
    rules = rig.actions if isinstance(rig, ActionMachine) else ()
    actions = {
        rule.name: MovablePart(rule.name, turns=_turn_of(rule), moves=tuple(rule.change))
        for rule in rules
    }
    return (*motors, *(actions[name] for name in rig.action_names))


def _turn_of(rule: ActionRule) -> str:
    """Return the turn of an action that an actuator can make in the wrong direction."""
    if not {"+", "-"} & set(map(str, rule.change.values())):
        return ""
    turn = rule.cube or next(iter(rule.layer), "")
    return turn.translate(str.maketrans("xyz", "RUF"))
