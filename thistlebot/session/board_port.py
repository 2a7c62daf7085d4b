"""Opens a board's port, and lets other programs ask its owner to stop."""

import hashlib
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from robot.errors import NoAnswerError, PortBusyError, PortMissingError
from robot.ports.boards import open_board
from robot.ports.port import Port
from robot.rigs.mechanism import Mechanism
from robot.running.driver import find_port
from thistlebot.config import Folders
from thistlebot.session.choices import Choices

_WHO, _STOP = b"who", b"stop"
_MOST = 400
"""Size of a request or a reply in bytes."""
_PATIENCE_S = 2.0


class StopDoor:
    """Tells this user's other programs who uses a board, and stops it on request.

    It is a system socket in a folder of the user's, so that it can be found from any terminal, and
    the system closes it when the program ends. Windows has none: use Ctrl-C there.

    Args:
        folder: The folder of such sockets; without permission there, nothing is done.
        port: Port of the board.
        stop: Stops what turns; called from another thread.
    """

    def __init__(self, folder: Path, port: str, stop: Callable[[], None]) -> None:
        self._who = f"thistlebot {' '.join(sys.argv[1:2])} (process {os.getpid()})"
        self._stop = stop
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
            threading.Thread(target=self._serve, name="stop door", daemon=True).start()

    def _serve(self) -> None:
        while self._listener is not None:
            try:
                asking, _ = self._listener.accept()
            except OSError:  # the socket was closed
                return
            with asking, suppress(OSError):
                asking.settimeout(_PATIENCE_S)
                if asking.recv(_MOST) == _STOP:
                    self._stop()
                asking.sendall(self._who.encode()[:_MOST])

    def close(self) -> None:
        """Close the socket."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._file.unlink(missing_ok=True)
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()


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
    if rig.board is not None and not choices.port:
        from robot.local.local_board import LocalBoard

        return LocalBoard(rig.board, held=stop)
    try:
        return open_board(name or find_port(rig.baud), rig.baud)
    except PortBusyError:
        if name and (who := _ask(folders.state / door_name(name), _WHO)):
            raise PortBusyError(
                f"{name} is in use by `{who}`: `thistlebot stop` stops its turns; close that "
                "program and try again"
            ) from None
        raise
    except (PortMissingError, NoAnswerError) as error:
        if name:
            raise
        raise type(error)(
            f"{error}\n"
            "without a rig, add --virtual (solve, pattern, copy, run, scramble and learn "
            "also accept --dry-run, which only prints the moves)"
        ) from error


def ask_to_stop(folder: Path, port: str | None) -> tuple[str, ...]:
    """Ask the programs that use a board to stop it.

    Args:
        folder: The folder of the sockets.
        port: Port of the board; None for all boards of this user's programs.

    Returns:
        The programs that were asked.
    """
    files = sorted(folder.glob("port-*.sock")) if port is None else [folder / door_name(port)]
    return tuple(who for file in files if (who := _ask(file, _STOP)))


def _ask(file: Path, what: bytes) -> str:
    with suppress(OSError, AttributeError), socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_PATIENCE_S)
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
