"""The devices with access to a panel on the network: each has its own token, until it is revoked.

The token of the panel itself is its owner's: it allows everything.
"""

import hashlib
import logging
import secrets
import time
from enum import StrEnum
from pathlib import Path

import msgspec

from documents.errors import ConfigError, MissingDocumentError
from documents.files import read_bytes, write_atomically
from frontends.control.calibrate_commands import CalibrateCommand
from frontends.control.commands import Command
from thistlebot.errors import RefusedError, UsageError

_BYTES = 16
_LONGEST_NAME = 40
_log = logging.getLogger("uvicorn.error")  # of the server that prints it, and not too often


class DeviceScope(StrEnum):
    """The permissions of a device; each includes the previous ones.

    Every device may stop, but a visitor sees the page Show only.
    """

    VISIT = "visit"
    WATCH = "watch"
    OPERATE = "operate"
    CALIBRATE = "calibrate"

    def allows(self, other: "DeviceScope") -> bool:
        """Return whether this permission includes the other one."""
        order = [*DeviceScope]
        return order.index(self) >= order.index(other)


def scope_of_command(command: Command) -> DeviceScope:
    """Return the permission that a command needs."""
    calibrates = isinstance(command, CalibrateCommand)
    return DeviceScope.CALIBRATE if calibrates else DeviceScope.OPERATE


def require_scope(allowed: DeviceScope | None, needed: DeviceScope) -> None:
    """Refuse a command that a device may not give.

    Raises:
        RefusedError: The device may not give it.
    """
    if allowed is None or not allowed.allows(needed):
        only = f"may only {allowed}" if allowed else "is no longer known"
        raise RefusedError(
            "scope", f"this device {only}; this command needs a device that may {needed}"
        )


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A device.

    Attributes:
        name: Its owner's name for it.
        scope: Its permission.
        made_s: When it was added, seconds since 1970.
        digest: SHA-256 of its token.
    """

    name: str
    scope: DeviceScope
    made_s: float
    digest: str


class Devices:
    """The devices of one panel, in a file that only its owner may read.

    Args:
        file: The file; it is read again each time, because a command may have changed it.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def known(self) -> tuple[Device, ...]:
        """Return all devices.

        Raises:
            UsageError: The file cannot be read.
        """
        try:
            return msgspec.json.decode(read_bytes(self._file), type=tuple[Device, ...])
        except MissingDocumentError:
            return ()
        except (ConfigError, msgspec.DecodeError, RecursionError) as error:
            raise UsageError(f"cannot read {self._file} ({error}): remove it") from None

    def add(self, name: str, scope: DeviceScope) -> str:
        """Add a device, and return its token.

        Args:
            name: Its name; an existing device of that name is replaced.
            scope: Its permission.

        Raises:
            UsageError: The name is not allowed.
            UnwritableError: It cannot be stored.
        """
        if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            raise UsageError(f"{name!r} is not a device name: use 1 to 40 printable characters")
        token = secrets.token_urlsafe(_BYTES)
        device = Device(name=name, scope=scope, made_s=time.time(), digest=_digest(token))
        self._keep((*(each for each in self.known() if each.name != name), device))
        return token

    def of_token(self, token: str) -> Device | None:
        """Return the device of a token; none, with a warning, if the file cannot be read."""
        if not token:
            return None
        try:
            known = self.known()
        except UsageError as error:
            _log.warning("no device may use the panel: %s", error)
            return None
        digest = _digest(token)
        return next((each for each in known if secrets.compare_digest(each.digest, digest)), None)

    def revoke(self, name: str) -> None:
        """Revoke the access of a device.

        Raises:
            UsageError: There is no device with this name.
        """
        known = self.known()
        rest = tuple(each for each in known if each.name != name)
        if len(rest) == len(known):
            have = ", ".join(each.name for each in known) or "none"
            raise UsageError(f"there is no device {name!r}; the devices are {have}")
        self._keep(rest)

    def _keep(self, devices: tuple[Device, ...]) -> None:
        write_atomically(self._file, msgspec.json.encode(devices), mode=0o600)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
