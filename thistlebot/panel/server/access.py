"""Who may speak to the panel: which names it goes by, which pages may call it, and the token."""

import ipaddress
import secrets
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

LOOPBACK = "127.0.0.1"


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
    def of(cls, host: str) -> "Access":
        """Return the rules for a server that listens at an address.

        Args:
            host: As of ``--host``.
        """
        if is_loopback(host):
            return cls()
        name = socket.gethostname().lower()
        names = {"localhost", name, f"{name}.local", host.lower()}
        return cls(secrets.token_urlsafe(16), frozenset(names), anywhere=True)

    def knows_host(self, header: str) -> bool:
        """Whether a ``Host`` header names this server."""
        name = urlsplit(f"//{header}").hostname or ""
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self.names
        return self.anywhere or address.is_loopback

    def knows_token(self, token: str) -> bool:
        """Whether a token is the one, or none is needed."""
        return not self.token or secrets.compare_digest(token.encode(), self.token.encode())


def same_origin(origin: str, host: str) -> bool:
    """Whether a page of an origin was served by the host that it calls.

    Args:
        origin: The header ``Origin``; empty where no browser calls.
        host: The header ``Host``.
    """
    return not origin or urlsplit(origin).netloc.lower() == host.lower()


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this computer only."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
