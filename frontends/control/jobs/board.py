"""The board and the rig file: firmware, the findings of `doctor`, and changes with checks."""

from contextlib import nullcontext
from pathlib import PurePath

from documents.errors import ConfigError
from documents.files import there_is
from documents.typed_toml import parse_document
from frontends.control.assistant_commands import Examine, FlashBoard, SaveRigFile
from frontends.control.job_context import JobContext, offered_camera
from frontends.control.task import CALIBRATE, Jobs, NamedJob
from frontends.control.view_model.view import BoardPane
from robot.ports.serial_port import port_names
from robot.rigs.catalogue import mechanism_type
from robot.rigs.mechanism import Mechanism
from thistlebot.config import find_rig_file, load_rig
from thistlebot.errors import UsageError
from thistlebot.session.examination import examine_everything
from thistlebot.session.flashing import plan_flashing, run_flashing
from thistlebot.session.measured_file import measured_file, write_measured


def flash_board(context: JobContext, command: FlashBoard) -> None:
    """Load the firmware, then open the machine again.

    Raises:
        UsageError: There is no such port or board.
        MissingFileError: A tool is missing or failed; the message says what to do.
    """
    if command.port not in port_names():
        raise UsageError(f"{command.port!r} is not a serial port of this computer: connect a board")
    flashing = plan_flashing(command.board, command.port)
    if context.known_driver is not None:
        context.known_driver.close()
    context.reopen()
    run_flashing(flashing, quiet=True)
    context.hub.update(board=BoardPane(flashed=command.port))


def examine(context: JobContext, _command: Examine) -> None:
    """Check the open machine, part by part."""
    machine, found = context.machine, list[tuple[str, str, str]]()
    for finding in examine_everything(
        machine.choices, machine.folders, opening=lambda *_: nullcontext(machine)
    ):
        context.require_not_stopped()
        found.append((finding.subject, finding.health.value, finding.text))
        context.hub.update(board=BoardPane(findings=tuple(found)))


def save_rig_file(context: JobContext, command: SaveRigFile) -> None:
    """Check a text, and write it into the rig file.

    Raises:
        ConfigError: It is not a rig file; the message names the key.
        UsageError: It names a device or a file that a browser may not name.
    """
    folders = context.machine.folders
    file = find_rig_file(None, folders) or folders.config / "rig.toml"
    document = parse_document(command.text, dict, file.name)
    made = parse_document(command.text, mechanism_type(document), file.name)
    before = load_rig(file, folders) if there_is(file) else None
    _require_offered(context, made, before)
    target = measured_file(file, None, virtual=False)
    written = write_measured(target, command.text.strip() + "\n")
    context.hub.update(board=BoardPane(saved=str(written.file), backup=str(written.backup or "")))
    context.reopen()


def _require_offered(context: JobContext, made: Mechanism, before: Mechanism | None) -> None:
    """Refuse cameras, ports and files that a browser may not open by other commands."""
    machine = context.machine
    old = () if before is None else before.cameras
    known = (*machine.camera_sources(), *(camera.device for camera in old))
    for camera in made.cameras:
        if camera.device not in known:
            offered_camera(str(camera.device), known)
        path = PurePath(camera.view)
        if (path.is_absolute() or ".." in path.parts) and camera.view not in {c.view for c in old}:
            raise ConfigError(f"{camera.view}: name a view file beside the rig file")
    ports = {"", machine.port_name, *port_names(), *([] if before is None else [before.port])}
    if made.port not in ports:
        raise UsageError(
            f"{made.port!r} is not a serial port of this computer: leave `port` empty, or name "
            f"one of {', '.join(port_names()) or 'none that is connected'}"
        )


BOARD_JOBS: Jobs = {
    FlashBoard: NamedJob("flash", flash_board),
    Examine: NamedJob("examine", examine),
    SaveRigFile: NamedJob(CALIBRATE, save_rig_file),
}
