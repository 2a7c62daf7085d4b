"""Connections of other users of this computer, and pages that are built one at a time."""

import asyncio
import os
import socket
import struct
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

MOST = 256
"""Maximum number of connections; a browser tab has about six."""
MOST_PAGES = 30
"""Maximum number of pages that wait to be built; further ones are refused for a second."""
_PAGES = frozenset({"/", "/show"})
"""The addresses of `frontends.panel.pages.site`."""
_PATIENCE_S = 5.0
_SOCK_DIAG, _BY_FAMILY, _ANY, _UID_AT = 4, 20, 0xFFFFFFFF, 80  # of linux/sock_diag.h


def is_of_this_user(client: tuple[Any, ...] | None, server: tuple[Any, ...] | None) -> bool:
    """Return whether a connection within this computer comes from a program of this user.

    Only Linux says whose it is (sock_diag(7)); elsewhere this is assumed.

    Args:
        client: Address and port of its other end; None if it has ended.
        server: Address and port of this end.
    """
    if client is None or server is None:
        return False
    if not sys.platform.startswith("linux"):
        return True
    family = socket.AF_INET6 if ":" in client[0] else socket.AF_INET
    hosts = b"".join(socket.inet_pton(family, end[0]).ljust(16, b"\0") for end in (client, server))
    asked = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, 0, 0, _ANY)
    asked += struct.pack("!HH", client[1], server[1]) + hosts + struct.pack("=III", 0, _ANY, _ANY)
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
            kernel.settimeout(_PATIENCE_S)
            kernel.send(struct.pack("=IHHII", 16 + len(asked), _BY_FAMILY, 1, 0, 0) + asked)
            told = kernel.recv(4096)
    except OSError:  # a kernel without this
        return True
    found: bool = struct.unpack_from("=IH", told)[1] == _BY_FAMILY
    return found and bool(struct.unpack_from("=I", told, _UID_AT)[0] == os.getuid())


class PageQueue:
    """Builds one page at a time.

    Building a page blocks the loop for some hundredths of a second; many of them in a row would
    delay STOP.
    """

    def __init__(self, app: "ASGIApp", most: int = MOST_PAGES) -> None:
        self._app = app
        self._most = most
        self._waiting = 0
        self._one = asyncio.Lock()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request when it is its turn."""
        if scope["type"] != "http" or scope["path"] not in _PAGES:
            await self._app(scope, receive, send)
        elif self._waiting >= self._most:
            headers = [(b"retry-after", b"1"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body"})
        else:
            self._waiting += 1
            try:
                async with self._one:
                    await self._app(scope, receive, send)
            finally:
                self._waiting -= 1
