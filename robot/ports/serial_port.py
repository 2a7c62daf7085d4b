"""The serial port of a real board, opened and closed without a reset of the board.

DTR resets an Arduino each time it becomes active. Linux and macOS make it active when a port opens;
we tell them not to drop it at the end, so it stays active after the first opening. Windows always
drops it when a handle is closed, so on Windows we never make it active; our boards do not need it.
A board still restarts when it is plugged in, when another program makes DTR active, or if a driver
changes DTR while it opens the port. The boot id shows it.
"""

import errno
import os
import sys
import time
from pathlib import Path

import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from robot.errors import LinkError, NoAnswerError, PortBusyError, PortMissingError
from robot.protocol.messages import BAUD

_SYSTEM_ERRORS: tuple[type[Exception], ...] = (serial.SerialException, OSError)
if sys.platform != "win32":
    import termios

    _SYSTEM_ERRORS += (termios.error,)  # no OSError, and pyserial lets it through
_OPENING_ERRORS: tuple[type[Exception], ...] = (*_SYSTEM_ERRORS, ValueError)

_ADDRESS = "://"
"""In the name of a port on the network."""
_SLICE_S = 0.01
_WRITE_TIMEOUT_S = 1.0


class SerialPort:
    """Implements `robot.ports.port.Port` with pyserial; opened at once and exclusively.

    Args:
        device: Its name, such as "/dev/ttyACM0" or "COM3", or the address of a board on the
            network, such as "socket://192.168.1.20:23".
        baud: Speed of the line.

    Raises:
        PortMissingError: The port does not exist; the message lists those that do.
        PortBusyError: Another program uses it, or the system does not let us open it.
    """

    def __init__(self, device: str, baud: int = BAUD) -> None:
        self._device = device
        self._baud = baud
        self._serial: serial.Serial | None = None
        self.reopen()

    @property
    def name(self) -> str:
        """The device."""
        return self._device

    def reopen(self) -> None:
        """Close the port if it is open, and open it again.

        Raises:
            PortMissingError: The port does not exist.
            PortBusyError: It cannot be opened.
        """
        self.close()
        try:
            port = serial.serial_for_url(
                self._device,
                self._baud,
                do_not_open=True,
                timeout=_SLICE_S,
                write_timeout=_WRITE_TIMEOUT_S,
                exclusive=True,
            )
        except ValueError as error:  # an unknown kind of address
            raise _opening_error(self._device, error) from error
        try:
            if sys.platform == "win32":
                port.dtr = False
            port.open()
            if _ADDRESS not in self._device:
                _keep_board_running(port)
        except _OPENING_ERRORS as error:
            port.close()
            raise _opening_error(self._device, error) from error
        self._serial = port

    def read(self, timeout_s: float) -> bytes:
        """Return the bytes that have arrived; wait at most `timeout_s` for the first one.

        Raises:
            PortMissingError: The port vanished.
        """
        port = self._opened()
        deadline_s = time.monotonic() + timeout_s
        try:
            while True:
                waiting = port.in_waiting
                if waiting or time.monotonic() >= deadline_s:
                    return bytes(port.read(waiting)) if waiting else b""
                first = bytes(port.read(1))
                if first:
                    return first + bytes(port.read(port.in_waiting))
        except _SYSTEM_ERRORS as error:
            raise _vanished(self._device) from error

    def write(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            PortMissingError: The port vanished.
            NoAnswerError: The port does not accept bytes.
        """
        port = self._opened()
        try:
            port.write(data)
        except serial.SerialTimeoutException as error:
            raise NoAnswerError(
                f"{self._device} does not accept data: unplug the board, plug it in and try again"
            ) from error
        except _SYSTEM_ERRORS as error:
            raise _vanished(self._device) from error

    def close(self) -> None:
        """Close the port; closing twice is allowed."""
        port, self._serial = self._serial, None
        if port is not None:
            port.close()

    def _opened(self) -> serial.Serial:
        if self._serial is None:
            raise PortMissingError(f"{self._device} is closed: open it again")
        return self._serial


def serial_ports() -> list[ListPortInfo]:
    """Return the serial ports of this computer with the system's descriptions, by device."""
    return sorted(list_ports.comports(), key=lambda port: port.device)


def port_names() -> list[str]:
    """Return the names of the serial ports of this computer, sorted."""
    return [port.device for port in serial_ports()]


NUMBERED = "usb "
"""The beginning of the identity of a board with a serial number."""


def board_identity(device: str) -> str:
    """Return what distinguishes a board from others: its serial number, or else its port.

    Args:
        device: The name of its port, or a link to it.
    """
    path = os.path.realpath(device) if os.path.lexists(device) else device
    found = [port for port in list_ports.comports() if os.path.realpath(port.device) == path]
    number = found[0].serial_number if found else None
    return f"{NUMBERED}{found[0].vid:04x}:{found[0].pid:04x} {number}" if number else path


def _keep_board_running(port: serial.Serial) -> None:
    """Ask the system not to drop DTR when the port closes."""
    if sys.platform == "win32":
        return
    attributes = termios.tcgetattr(port.fileno())
    attributes[2] &= ~termios.HUPCL
    termios.tcsetattr(port.fileno(), termios.TCSANOW, attributes)


def _opening_error(device: str, error: Exception) -> LinkError:
    """Return why a port could not be opened, and what to do."""
    if _ADDRESS in device:
        return PortMissingError(
            f"cannot connect to {device}: {error}; check the address, and that the board is on"
        )
    number = getattr(error, "errno", None)
    if "PermissionError(" in str(error):  # of Windows, which so calls a port in use; text only
        number = errno.EBUSY
    if error.args[:1] == (errno.EIO,):  # unplugged while it was being opened
        return _vanished(device)
    if number == errno.EACCES or isinstance(error, PermissionError):
        return PortBusyError(
            f"no permission to open {device}: add yourself to its group with "
            "`sudo usermod -a -G dialout $USER`, log out and in again"
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        holder = _holder(device)
        by = f"by {holder}" if holder else "by another program"
        return PortBusyError(f"{device} is in use {by}: close that program and try again")
    names = port_names()
    known = device in names or Path(device).exists()  # on Windows, ports are no paths
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or not known:
        ports = ", ".join(names)
        there = f"the ports of this computer are {ports}" if ports else "this computer has no ports"
        return PortMissingError(
            f"there is no serial port {device}; {there}: plug the board in, or name another "
            "port with --port"
        )
    return PortMissingError(f"cannot open {device} as a serial port: {error}")


def _vanished(device: str) -> PortMissingError:
    return PortMissingError(f"{device} vanished: plug the board in again and check the cable")


def _holder(device: str) -> str:
    """Return the name of the process that uses a device, if the system tells it; Linux only."""
    target = Path(device).resolve()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if link.readlink() == target:
                process = link.parent.parent
                name = (process / "comm").read_text(encoding="utf-8").strip()
                return f"{name} (process {process.name})"
        except OSError:  # the process has ended, or we may not look at it
            continue
    return ""
