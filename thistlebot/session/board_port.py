"""Opens a board's port, and lets other programs ask its owner to stop."""

import hashlib
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from robot.errors import PortBusyError
from robot.ports.boards import open_board
from robot.ports.port import Port
from robot.rigs.board_file import DIALECTS, BoardFile, GCodeFile, dialect_of
from robot.rigs.mechanism import Mechanism
from robot.running.find_port import find_port
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.session.choices import Choices

_WHO, _STOP = b"who", b"stop"
_RESTS, _TURNS = "rests ", "turns "
_MOST = 400
"""Size of a request or a reply in bytes."""
_PATIENCE_S = 2.0
STOPPING_S = 5.0
"""Time in which a program must have stopped its board: a turn takes less than a second."""
_POLL_S = 0.01


class StopDoor:
    """Tells this user's other programs who uses a board, and stops it on request.

    It is a system socket in a folder of the user's, so that it can be found from any terminal, and
    the system closes it when the program ends. Windows has none: use Ctrl-C there.

    Args:
        folder: The folder of such sockets; without permission there, nothing is done.
        port: Port of the board.
        stop: Stops what turns; called from another thread.
        at_rest: Returns whether the board has confirmed that nothing turns.
    """

    def __init__(
        self, folder: Path, port: str, stop: Callable[[], None], at_rest: Callable[[], bool]
    ) -> None:
        self._who = f"thistlebot {' '.join(sys.argv[1:2])} (process {os.getpid()})"
        self._stop = stop
        self._at_rest = at_rest
        self._file = folder / door_name(port)
        self._listener: socket.socket | None = None
        with suppress(OSError, AttributeError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file.unlink(
                missing_ok=True
            )  # of a program that was killed; this one has the port
            listener = socket.socket(socket.AF_UNIX)
            with _short(self._file) as name:
                listener.bind(name)
            self._file.chmod(0o600)
            listener.listen()
            self._listener = listener
            self._server = threading.Thread(target=self._serve, name="stop door", daemon=True)
            self._server.start()

    def _serve(self) -> None:
        while self._listener is not None:
            try:
                asking, _ = self._listener.accept()
            except OSError:  # the socket was closed
                return
            with asking, suppress(OSError):
                asking.settimeout(_PATIENCE_S)
                asked = asking.recv(_MOST)
                told = self._stopped() if asked == _STOP else ""
                asking.sendall(f"{told}{self._who}".encode()[:_MOST])

    def _stopped(self) -> str:
        """Stop, and wait until nothing turns, or until this program ends."""
        self._stop()
        give_up_s = time.monotonic() + STOPPING_S
        while not self._at_rest():
            if self._listener is None or time.monotonic() > give_up_s:
                return _TURNS
            time.sleep(_POLL_S)
        return _RESTS

    def close(self) -> None:
        """Close the socket; who asked for a stop is answered first."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._file.unlink(missing_ok=True)
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
            self._server.join(_PATIENCE_S)


def door_name(port: str) -> str:
    """Return the name of the socket for a port, whichever link the user gave."""
    return f"port-{hashlib.sha256(os.path.realpath(port).encode()).hexdigest()[:12]}.sock"


def open_port(choices: Choices, rig: Mechanism, folders: Folders, stop: Callable[[], None]) -> Port:
    """Open the port of a real board.

    Args:
        choices: The machine.
        rig: What the board drives.
        folders: Where other programs are found that use the board.
        stop: Stops what the machine does; for the button of a board that is part of this computer.

    Raises:
        LinkError: There is none, or another program has it; the message says which, and what to do.
        PluginError: A plugin opens it, and cannot be loaded.
    """
    name = choices.port or rig.port
    if isinstance(rig.board, BoardFile) and not choices.port:
        from robot.local.local_board import LocalBoard

        return LocalBoard(rig.board, held=stop)
    try:
        dialect = dialect_of(name)
        if isinstance(rig.board, GCodeFile) and not dialect:
            kinds = " or ".join(f"{kind}:{name or 'PORT'}" for kind in DIALECTS)
            raise UsageError(f"a [board] with G-code needs its dialect in the port: {kinds}")
        if dialect:
            return _open_controller(name.removeprefix(f"{dialect}:"), dialect, rig)
        return open_board(name or find_port(rig.baud), rig.baud)
    except PortBusyError:
        if name and (who := _ask(folders.state / door_name(name), _WHO)):
            raise PortBusyError(
                f"{name} is in use by `{who}`: `thistlebot stop` stops its turns; close that "
                "program and try again"
            ) from None
        raise


def _open_controller(device: str, dialect: str, rig: Mechanism) -> Port:
    """Open the port of a controller that speaks G-code, and greet it."""
    from robot.gcode.board import GCodeBoard

    file = rig.board if isinstance(rig.board, GCodeFile) else GCodeFile()
    port = open_board(device, rig.baud)
    try:
        return GCodeBoard(port, dialect, file, rig.motors)
    except BaseException:
        port.close()
        raise


@dataclass(frozen=True, slots=True)
class AskedProgram:
    """A program that was asked to stop its board.

    Attributes:
        who: Its command, and the number of its process.
        stopped: Whether its board has confirmed since that nothing turns.
    """

    who: str
    stopped: bool


def ask_to_stop(folder: Path, port: str | None) -> tuple[AskedProgram, ...]:
    """Ask the programs that use a board to stop it, and wait for each.

    Args:
        folder: The folder of the sockets.
        port: Port of the board; None for all boards of this user's programs.

    Returns:
        The programs that were asked.
    """
    files = sorted(folder.glob("port-*.sock")) if port is None else [folder / door_name(port)]
    with ThreadPoolExecutor(max(1, len(files))) as pool:
        told = list(pool.map(partial(_ask, what=_STOP), files))
    return tuple(
        AskedProgram(each.removeprefix(_RESTS).removeprefix(_TURNS), each.startswith(_RESTS))
        for each in told
        if each
    )


def _ask(file: Path, what: bytes) -> str:
    with suppress(OSError, AttributeError), socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_PATIENCE_S + (STOPPING_S if what == _STOP else 0))
        with _short(file) as name:
            asking.connect(name)
        asking.sendall(what)
        return asking.recv(_MOST).decode(errors="replace")
    return ""


@contextmanager
def _short(file: Path) -> Iterator[str]:
    """Return a short name for a socket: the system allows about 100 characters."""
    with ExitStack() as stack:
        if len(os.fsencode(file)) < 100 or sys.platform != "linux":
            yield str(file)
            return
        folder = os.open(file.parent, os.O_PATH)
        stack.callback(os.close, folder)
        yield f"/proc/self/fd/{folder}/{file.name}"
