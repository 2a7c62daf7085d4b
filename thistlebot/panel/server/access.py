"""Who may speak to the panel: which names it goes by, which pages may call it, and the token."""

import ipaddress
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from documents.files import write_atomically

_TOKEN_BYTES = 16


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of one server.

    Attributes:
        token: What everybody has to know; empty when only this computer is served.
        names: Names of this computer, in small letters, under which it may be addressed.
        anywhere: Served to other computers, too: then any numeric address is one of its own, and
            no page of another name can be made to call it so.
    """

    token: str = ""
    names: frozenset[str] = frozenset({"localhost"})
    anywhere: bool = False

    @classmethod
    def of(cls, host: str, kept: Path) -> "Access":
        """Return the rules for a server that listens at an address.

        Args:
            host: As of ``--host``.
            kept: The file that keeps the token from start to start.

        Raises:
            UnwritableError: The token cannot be kept.
        """
        if is_loopback(host):
            return cls()
        name = socket.gethostname().lower()
        names = {"localhost", name, f"{name}.local", host.lower()}
        return cls(kept_token(kept), frozenset(names), anywhere=True)

    def knows_host(self, header: str) -> bool:
        """Whether a ``Host`` header names this server."""
        try:
            name = urlsplit(f"//{header}").hostname or ""
        except ValueError:
            return False
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self.names
        return self.anywhere or address.is_loopback

    def knows_token(self, token: str) -> bool:
        """Whether a token is the one, or none is needed."""
        return not self.token or secrets.compare_digest(token.encode(), self.token.encode())


def kept_token(file: Path) -> str:
    """Return the token that a file keeps; a new one where it keeps none.

    Whoever may read the user's files may read it, nobody else.

    Raises:
        UnwritableError: There is no room, or no permission.
    """
    with suppress(OSError, UnicodeDecodeError):
        token = file.read_text(encoding="ascii").strip()
        if len(token) >= _TOKEN_BYTES:
            return token
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    write_atomically(file, f"{token}\n".encode(), mode=0o600)
    return token


def same_origin(origin: str, host: str) -> bool:
    """Whether a page of an origin was served by the host that it calls.

    Args:
        origin: The header ``Origin``; empty where no browser calls.
        host: The header ``Host``.
    """
    try:
        return not origin or urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this computer only."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
