"""The devices with access to a panel on the network: each has its own token, with an expiry.

The token of the panel itself is its owner's: it allows everything, and does not expire.
"""

import hashlib
import logging
import secrets
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import msgspec

from documents.errors import ConfigError, MissingDocumentError, UnwritableError
from documents.files import read_bytes, write_atomically
from frontends.control.commands import CalibrateCommand, Command
from thistlebot.errors import RefusedError, UsageError

PAIRING_S = 120.0
"""Time in which a pairing code may be used, once."""
_DAY_S = 86_400.0
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
        ends_s: Time of expiry.
        digest: SHA-256 of its token; empty until it is paired.
        code: SHA-256 of the pairing code; empty afterwards.
    """

    name: str
    scope: DeviceScope
    made_s: float
    ends_s: float
    digest: str = ""
    code: str = ""


class Devices:
    """The devices of one panel, in a file that only its owner may read.

    Args:
        file: The file; it is read again each time, because a command may have changed it.
        now_s: Seconds since 1970.
    """

    def __init__(self, file: Path, now_s: Callable[[], float] = time.time) -> None:
        self._file = file
        self._now_s = now_s

    def known(self) -> tuple[Device, ...]:
        """Return all devices, including expired ones.

        Raises:
            UsageError: The file cannot be read.
        """
        try:
            return msgspec.json.decode(read_bytes(self._file), type=tuple[Device, ...])
        except MissingDocumentError:
            return ()
        except (ConfigError, msgspec.DecodeError, RecursionError) as error:
            raise UsageError(f"cannot read {self._file} ({error}): remove it") from None

    def _readable(self) -> tuple[Device, ...]:
        """Return all devices; none, with a warning, if the file cannot be read."""
        try:
            return self.known()
        except UsageError as error:
            _log.warning("no device may use the panel: %s", error)
            return ()

    def offer(self, name: str, scope: DeviceScope, days: float) -> str:
        """Add a device, and return the code with which it can be paired once, within two minutes.

        Args:
            name: Its name; an existing device of that name is replaced.
            scope: Its permission.
            days: Days until it expires.

        Raises:
            UsageError: The name is not allowed.
            UnwritableError: It cannot be stored.
        """
        if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            raise UsageError(f"{name!r} is not a device name: use 1 to 40 printable characters")
        code, now_s = secrets.token_urlsafe(_BYTES), self._now_s()
        device = Device(
            name=name, scope=scope, made_s=now_s, ends_s=now_s + days * _DAY_S, code=_digest(code)
        )
        self._keep((*(each for each in self.known() if each.name != name), device))
        return code

    def pair(self, code: str) -> str | None:
        """Return the token for a valid pairing code; None if it is another, or cannot be stored."""
        known = self._readable()
        for device in known:
            fresh = 0 <= self._now_s() - device.made_s <= PAIRING_S
            if device.code and fresh and secrets.compare_digest(device.code, _digest(code)):
                token = secrets.token_urlsafe(_BYTES)
                let_in = msgspec.structs.replace(device, digest=_digest(token), code="")
                try:
                    self._keep(tuple(let_in if each is device else each for each in known))
                except UnwritableError as error:
                    _log.warning("device %s cannot be paired: %s", device.name, error)
                    return None
                _log.warning("device %s is paired (%s)", device.name, device.scope)
                return token
        return None

    def of_token(self, token: str) -> Device | None:
        """Return the device of a token, unless it has expired."""
        if not token:
            return None
        digest, now_s = _digest(token), self._now_s()
        for device in self._readable():
            if device.digest and secrets.compare_digest(device.digest, digest):
                return device if now_s < device.ends_s else None
        return None

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
