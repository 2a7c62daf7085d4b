"""Access rules of the panel: its host names, the pages that may call it, and the tokens."""

import ipaddress
import os
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from documents.errors import MissingDocumentError, UnwritableError
from documents.files import read_bytes, write_atomically
from frontends.panel.server.devices import Devices, DeviceScope

DEVICES = "panel-devices.json"
VISITORS = "panel-visitor-token"
_TOKEN_BYTES = 16
_OTHERS = 0o077
"""Permissions of everybody but the owner."""


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of one server.

    Attributes:
        token: The token of all clients; empty if only this computer is served.
        names: Names of this computer, in lower case, under which it may be addressed.
        anywhere: Serve other computers, too: then any numeric address may be its own, because no
            page of another name can use one to call it.
        devices: The devices with their own tokens.
        visitor: The token of all visitors; empty if there is none.
        proxy: Address of the proxy whose ``X-Forwarded-`` headers are believed; empty if there is
            none.
    """

    token: str = ""
    names: frozenset[str] = frozenset({"localhost"})
    anywhere: bool = False
    devices: Devices | None = None
    visitor: str = ""
    proxy: str = ""

    @classmethod
    def of(
        cls,
        host: str,
        kept: Path,
        names: Sequence[str] = (),
        proxy: str = "",
        note: Callable[[str], None] = lambda _: None,
    ) -> "Access":
        """Return the rules for a server that listens at an address.

        Args:
            host: As for ``--host``.
            kept: The file that stores the token.
            names: Further names of this computer; then others may reach it, and need the token.
            proxy: See above.
            note: Called with a message about the stored tokens, if there is one.

        Raises:
            ConfigError: The file of a token is not a text file.
        """
        if is_loopback(host) and not names and not proxy:
            return cls()
        own = socket.gethostname().lower()
        known = {"localhost", own, f"{own}.local", host.lower(), *map(_bare_name, names)}
        devices = Devices(kept.with_name(DEVICES))
        visitor, token = kept_token(kept.with_name(VISITORS), note), kept_token(kept, note)
        return cls(token, frozenset(known), True, devices, visitor, proxy)

    def knows_host(self, header: str) -> bool:
        """Return whether a ``Host`` header names this server."""
        try:
            name = _bare_name(urlsplit(f"//{header}").hostname or "")
        except ValueError:
            return False
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self.names
        return self.anywhere or address.is_loopback

    def knows_token(self, token: str) -> bool:
        """Return whether a token is the owner's, or none is needed."""
        return not self.token or secrets.compare_digest(token.encode(), self.token.encode())

    def knows_visitor(self, token: str) -> bool:
        """Return whether a token is that of the visitors."""
        known = self.visitor.encode()
        return bool(known) and secrets.compare_digest(token.encode(), known)

    def scope_of(self, token: str) -> DeviceScope | None:
        """Return what a token allows; None for nothing."""
        if self.knows_token(token):
            return DeviceScope.CALIBRATE
        if self.knows_visitor(token):
            return DeviceScope.VISIT
        device = None if self.devices is None else self.devices.of_token(token)
        return None if device is None else device.scope


def _bare_name(name: str) -> str:
    """Return a host name in lower case, without the dot of the root."""
    return name.lower().removesuffix(".")


def kept_token(file: Path, note: Callable[[str], None] = lambda _: None) -> str:
    """Return the token in a file; create one if there is none.

    Only users who may read the user's files can read it. If it cannot be stored, it is valid until
    the program ends.

    Args:
        file: The file.
        note: Called with a message if others could read the file, or if it cannot be written.

    Raises:
        ConfigError: The file cannot be read, or is a pipe or a device.
    """
    with suppress(MissingDocumentError):
        token = read_bytes(file).decode("ascii", "replace").strip()
        if len(token) >= _TOKEN_BYTES and token.isascii():
            _narrow(file, note)
            return token
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    try:
        write_atomically(file, f"{token}\n".encode(), mode=0o600)
    except UnwritableError as error:
        note(f"{error}; until then, each start of the panel has a new address")
    return token


def _narrow(file: Path, note: Callable[[str], None]) -> None:
    """Let only the owner read a file."""
    if os.name == "posix" and file.stat().st_mode & _OTHERS:
        note(f"other users of this computer could read {file}: for a new token, remove it")
        with suppress(OSError):  # it belongs to another user, or the disk is read-only
            file.chmod(0o600)


def same_origin(origin: str, host: str) -> bool:
    """Return whether a page of an origin was served by the host that it calls.

    Args:
        origin: The header ``Origin``; empty for clients other than browsers.
        host: The header ``Host``.
    """
    try:
        return not origin or urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Return whether an address can only be reached from this computer."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
