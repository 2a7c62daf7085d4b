"""The assistant for a first run: rig, board and cameras, directions, views, a test solve.

Its progress is kept in a file of the user, so that it resumes where it stopped.
"""

from dataclasses import replace as with_changes
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from calibration.rig_file import with_camera, with_swapped
from cube.errors import ThistlebotError
from documents.errors import ConfigError
from documents.files import there_is
from documents.typed_toml import load_document, save_document
from frontends.control.assistant_commands import (
    AssistantStep,
    ChooseRig,
    FindDevices,
    GoToStep,
    JudgePart,
    TryPart,
    UseCamera,
)
from frontends.control.calibrate_commands import Buzz, FlipDirection
from frontends.control.job_context import JobContext, offered_camera
from frontends.control.jobs.calibrate.motors import buzz, flip_direction, save_changed
from frontends.control.jobs.calibrate.telling import show_machine
from frontends.control.task import CALIBRATE, Jobs, NamedJob
from frontends.control.view_model.view import AssistantPane
from robot.rigs.catalogue import RIGS, cautious_rig_text
from thistlebot.config import Folders, find_rig_file
from thistlebot.errors import UsageError
from thistlebot.reading.rig_views import unseen_text
from thistlebot.session.choices import Choices
from thistlebot.session.measured_file import measured_file, rig_target, write_measured
from vision.cameras.camera_kinds import list_cameras
from vision.cameras.camera_source import shown_source


class AssistantState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The progress of the assistant, as it is stored.

    Attributes:
        step: The current step.
        rig: The chosen built-in rig; empty if there is none.
        virtual: Whether it is used virtually.
        checked: The parts that moved as they should.
        skipped: The steps that were skipped.
    """

    step: AssistantStep = AssistantStep.RIG
    rig: str = ""
    virtual: bool = False
    checked: tuple[str, ...] = ()
    skipped: tuple[AssistantStep, ...] = ()


def state_file(folders: Folders) -> Path:
    """Return the file of the assistant's progress."""
    return folders.config / "assistant.toml"


def load_state(folders: Folders) -> AssistantState | None:
    """Load the progress of the assistant; None if it was never used.

    Raises:
        ConfigError: The file is wrong; the message names the key.
    """
    file = state_file(folders)
    return load_document(file, AssistantState) if there_is(file) else None


def names_machine(choices: Choices) -> bool:
    """Return whether the user named a machine, or parts of one, on the command line."""
    return bool(choices.rig or choices.virtual or choices.cameras or choices.port)


def opens_first(folders: Folders) -> bool:
    """Return whether the panel begins with the assistant, if the user named no machine.

    Raises:
        ConfigError: See `load_state`.
    """
    state = load_state(folders)
    if state is None:
        return find_rig_file(None, folders) is None
    return state.step is not AssistantStep.DONE


def resumed_choices(choices: Choices, folders: Folders) -> Choices:
    """Return the choices with the virtual machine that the user chose in the assistant.

    A machine that the user named, and a rig file, come first.

    Raises:
        ConfigError: See `load_state`.
    """
    if names_machine(choices) or find_rig_file(None, folders) is not None:
        return choices
    state = load_state(folders)
    if state is None or not state.virtual or state.rig not in RIGS:
        return choices
    return with_changes(choices, rig=Path(state.rig), virtual=True)


def show_opened(context: JobContext) -> None:
    """Show a machine that was just opened, on all pages."""
    show_machine(context)
    machine, before, state = context.machine, _pane(context), _state(context)
    pane = AssistantPane(
        step=state.step,
        rig=state.rig,
        virtual=machine.choices.virtual,
        file=str(find_rig_file(machine.choices.rig, machine.folders) or ""),
        backup=before.backup,
        sources=tuple(map(shown_source, machine.camera_sources())),
        checked=state.checked,
        skipped=state.skipped,
    )
    if state.step is AssistantStep.DEVICES:
        pane = replace(pane, **_found(context))
    if state.step not in (AssistantStep.RIG, AssistantStep.DONE):
        pane = replace(pane, unseen=_unseen(context))
    context.hub.update(assistant=pane)


def _found(context: JobContext) -> dict[str, Any]:
    """Look for the board and the cameras; nothing moves."""
    machine = context.machine
    found: dict[str, Any] = {
        "cameras": {str(each.source): each.name for each in list_cameras()},
    }
    for name, look in (
        ("board_trouble", context.connect),
        ("camera_trouble", lambda: machine.view_reader(enough=False).pictures()),
    ):
        try:
            look()
        except ThistlebotError as error:
            found[name] = str(error)
    context.tell_machine()
    return found


def _unseen(context: JobContext) -> str:
    """Return which stickers no camera can see; empty if enough are seen."""
    try:
        return unseen_text(context.machine.unseen_stickers())
    except ThistlebotError as error:
        return str(error)


def choose_rig(context: JobContext, command: ChooseRig) -> None:
    """Use a built-in rig from now on.

    Raises:
        UsageError: There is no such rig.
        ConfigError: The rig file cannot be written.
    """
    own = find_rig_file(None, context.machine.folders)
    if command.rig not in RIGS and (command.rig or own is None):
        raise UsageError(f"there is no rig {command.rig!r}; choose one of {', '.join(RIGS)}")
    folders, backup = context.machine.folders, ""
    rig: Path | None = Path(command.rig) if command.rig else own
    if command.rig and not command.virtual:
        usual = find_rig_file(None, folders) or folders.config / "rig.toml"
        file = measured_file(usual, None, virtual=False)
        backup = str(write_measured(file, cautious_rig_text(command.rig)).backup or "")
    rig = rig if command.virtual else None
    _store(context, AssistantState(AssistantStep.DEVICES, rig=command.rig, virtual=command.virtual))
    _show(context, backup=backup)
    _open_again(context, rig=rig, virtual=command.virtual)


def find_devices(context: JobContext, _command: FindDevices) -> None:
    """Open the machine again, which looks for its board and its cameras."""
    _open_again(context)


def use_camera(context: JobContext, command: UseCamera) -> None:
    """Write the source of a camera into the rig file.

    Raises:
        ThistlebotError: There is no such camera, or the file cannot be written.
    """
    machine = context.machine
    if not 0 <= command.number < len(machine.rig.cameras):
        raise UsageError(
            f"camera {command.number}: the rig has {len(machine.rig.cameras)} cameras, "
            "numbered from 0"
        )
    text, target, name = rig_target(machine)
    if target is None:
        raise UsageError("the cameras of a virtual machine are virtual, too")
    known, own = machine.camera_sources(), command.number
    device = offered_camera(command.source, (*known[own : own + 1], *known))
    write_measured(target, with_camera(text, command.number, device, name))
    _open_again(context)


def try_part(context: JobContext, command: TryPart) -> None:
    """Move one part there and back."""
    _show(context, tried="")
    buzz(context, Buzz(command.part))
    _show(context, tried=command.part)


def judge_part(context: JobContext, command: JudgePart) -> None:
    """Note that a part moves as it should, or reverse its motor.

    Raises:
        ThistlebotError: It was not moved, or it has no direction.
    """
    if _pane(context).tried != command.part:
        raise UsageError(f"{command.part!r} was not moved yet: try it, then say how it moved")
    if command.moved:
        save_changed(context, with_swapped(context.machine.rig, command.part, command.moved))
    elif not command.right:
        flip_direction(context, FlipDirection(command.part))
    else:
        state = _state(context)
        checked = tuple(dict.fromkeys((*state.checked, command.part)))
        _store(context, replace(state, checked=checked))
    _show(context, tried="")


def go_to_step(context: JobContext, command: GoToStep) -> None:
    """Go to a step; before the devices, the machine is opened again."""
    state = _state(context)
    skipped = tuple(each for each in state.skipped if each is not state.step)
    if command.skips:
        skipped = (*skipped, state.step)
    _store(context, replace(state, step=command.step, skipped=skipped))
    if command.step is AssistantStep.DEVICES:
        _open_again(context)


def _open_again(context: JobContext, **changes: Any) -> None:
    _show(context, opening=True, tried="")
    context.reopening = with_changes(context.machine.choices, **changes)


def _state(context: JobContext) -> AssistantState:
    try:
        return load_state(context.machine.folders) or AssistantState()
    except ConfigError as error:  # changed by hand while the panel runs
        context.note(str(error))
        return AssistantState()


def _store(context: JobContext, state: AssistantState) -> None:
    save_document(state_file(context.machine.folders), state)
    _show(context, step=state.step, rig=state.rig, checked=state.checked, skipped=state.skipped)


def _pane(context: JobContext) -> AssistantPane:
    return context.hub.view.panes.assistant or AssistantPane()


def _show(context: JobContext, **changes: Any) -> None:
    context.hub.update(assistant=replace(_pane(context), **changes))


ASSISTANT_JOBS: Jobs = {
    ChooseRig: NamedJob(CALIBRATE, choose_rig),
    FindDevices: NamedJob(CALIBRATE, find_devices),
    UseCamera: NamedJob(CALIBRATE, use_camera),
    TryPart: NamedJob("buzz", try_part),
    JudgePart: NamedJob(CALIBRATE, judge_part),
    GoToStep: NamedJob(CALIBRATE, go_to_step),
}
