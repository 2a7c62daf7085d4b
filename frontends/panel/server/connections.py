"""Keeps file descriptors free for STOP, for the board, and for new requests."""

import asyncio
import logging
import os
import socket
import struct
import sys
import time
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Any

from frontends.panel.server.devices import DeviceScope
from frontends.panel.server.guard import SCOPE

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST = 256
"""Maximum number of connections; a browser tab has about six."""
MOST_SOCKETS = 200
PATIENCE_S = 5.0
"""Time limit for a request to arrive."""
_SILENT_S = 60.0
"""Time limit for unused connections, which browsers open in advance; closing one is an error."""
PAGE_REST_S, LONG_PAGE_REST_S = 0.1, 1.0
PAGE_BURST = 12
"""Number of pages with a short pause after each; one more is allowed after each long pause."""
MOST_PAGES = 30
_PAGES = frozenset({"/", "/show"})
"""The addresses of `frontends.panel.pages.site`."""
_WARNING_REST_S = 60.0
_FULL_CODE, _MALFORMED_CODE = 1013, 1003
_SOCK_DIAG, _BY_FAMILY, _ANY, _UID_AT = 4, 20, 0xFFFFFFFF, 80  # of linux/sock_diag.h
_SOMEBODY_ELSE = (
    b"HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n"
    b"Another user of this computer runs this panel.\n"
)
_DESCRIPTORS = 65_536


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
            kernel.settimeout(PATIENCE_S)
            kernel.send(struct.pack("=IHHII", 16 + len(asked), _BY_FAMILY, 1, 0, 0) + asked)
            told = kernel.recv(4096)
    except OSError:  # a kernel without this
        return True
    found: bool = struct.unpack_from("=IH", told)[1] == _BY_FAMILY
    return found and bool(struct.unpack_from("=I", told, _UID_AT)[0] == os.getuid())


def limited_protocol(*, own_user: bool = False) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP protocol with limits that it does not have.

    If there are too many connections, one is closed, so that a new one, which may bring STOP, is
    always accepted: the oldest of those that wait for their first request, or else the oldest
    idle one, or else the oldest one. So hundreds of half-sent requests do not close the connection
    of a program that keeps one open for STOP.

    Args:
        own_user: Refuse other users of this computer, where no token distinguishes them.
    """
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    known: dict[Any, None] = {}
    waiting: dict[Any, asyncio.TimerHandle | None] = {}  # in the order in which they became idle

    class LimitedProtocol(AutoHTTPProtocol):  # type: ignore[valid-type,misc] # chosen at run time
        """A protocol that knows whether it waits for a request."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            ends = (transport.get_extra_info(name) for name in ("peername", "sockname"))
            if own_user and not is_of_this_user(*ends):
                transport.write(_SOMEBODY_ELSE)
                transport.close()
            known[self] = None
            self._began = self._answered = False
            self._await_rest(_SILENT_S)
            if len(self.connections) > MOST:
                first = (each for each in waiting if not each._answered)
                others = (each for each in (*first, *waiting, *known) if each is not self)
                oldest = next(others, self)
                _forget(oldest)
                oldest.transport.abort()

        def connection_lost(self, error: Exception | None) -> None:
            _forget(self)
            super().connection_lost(error)

        def handle_websocket_upgrade(self) -> None:
            _forget(self)
            super().handle_websocket_upgrade()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._asks():
                _no_longer_waits(self)
            elif self in known and (not self._began or waiting.get(self) is None):
                self._await_rest(PATIENCE_S)
            self._began = True

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._answered = True
            if self in known and not self._asks():
                waiting[self] = None  # for uvicorn, which closes it after a time-out

        def _asks(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _await_rest(self, most_s: float) -> None:
            _no_longer_waits(self)
            loop = asyncio.get_running_loop()
            waiting[self] = loop.call_later(most_s, self.transport.close)

    def _no_longer_waits(connection: Any) -> None:
        timer = waiting.pop(connection, None)
        if timer is not None:
            timer.cancel()

    def _forget(connection: Any) -> None:
        known.pop(connection, None)
        _no_longer_waits(connection)

    return LimitedProtocol


def is_page_packet(text: str | None) -> bool:
    """Return whether a frame of a page's own socket is a packet of Engine.IO and Socket.IO.

    Their decoders raise errors of any kind for everything else.
    """
    from engineio.packet import MESSAGE, NOOP
    from engineio.packet import Packet as Frame
    from socketio.packet import ACK, EVENT, Packet

    if not text:
        return False
    try:
        frame = Frame(encoded_packet=text)
        if frame.packet_type != MESSAGE:
            return frame.packet_type in range(NOOP + 1)
        packet = Packet(encoded_packet=text[1:])
    except (ValueError, TypeError, IndexError, KeyError, RecursionError):
        return False
    if packet.attachment_count or packet.packet_type not in (EVENT, ACK):
        return not packet.attachment_count
    return isinstance(packet.data, list) and bool(packet.data) and isinstance(packet.data[0], str)


class SocketLimit:
    """Refuses WebSockets of an application beyond `MOST_SOCKETS`, and malformed frames."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app
        self._open = 0

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, or refuse its socket."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
        elif self._open >= MOST_SOCKETS:
            await send({"type": "websocket.close", "code": _FULL_CODE})
        else:
            self._open += 1
            try:
                await self._app(scope, *_checked(scope, receive, send))
            finally:
                self._open -= 1


def _checked(scope: "Scope", receive: "Receive", send: "Send") -> "tuple[Receive, Send]":
    """Return what an application hears and says on a socket, which malformed frames close."""
    of_page = str(scope["path"]).startswith("/_nicegui")

    async def hear() -> "Message":
        told = await receive()
        if of_page and told["type"] == "websocket.receive" and not is_page_packet(told.get("text")):
            await say({"type": "websocket.close", "code": _MALFORMED_CODE})
            return {"type": "websocket.disconnect", "code": _MALFORMED_CODE}
        return told

    async def say(message: "Message") -> None:
        try:
            await send(message)
        except RuntimeError as error:  # uvicorn has closed it because of a malformed frame
            raise ConnectionError("the client has left") from error

    return hear, say


class PageRests:
    """The pauses between pages: short ones for visitors, long ones for continual reloading."""

    def __init__(self) -> None:
        self._credit, self._last_s = float(PAGE_BURST), 0.0

    def after_page(self, now_s: float) -> float:
        """Return the pause after a page, in seconds."""
        earned = (now_s - self._last_s) / LONG_PAGE_REST_S
        self._credit = max(0.0, min(PAGE_BURST, self._credit + earned) - 1)
        self._last_s = now_s
        return PAGE_REST_S if self._credit >= 1 else LONG_PAGE_REST_S


class PageQueue:
    """Builds one page at a time, with a pause after each.

    Building a page blocks the loop for some hundredths of a second, and its objects make garbage
    collection slower; many of them in a row would delay STOP. Visitors queue apart, so that they
    keep nobody else waiting for longer than one of their pages takes.

    Args:
        app: The application.
        most: Maximum number of waiting requests, of visitors and of others; more are refused.
    """

    def __init__(self, app: "ASGIApp", most: int = MOST_PAGES) -> None:
        self._app = app
        self._rests = PageRests()
        self._most = most
        self._waiting = {True: 0, False: 0}
        self._one, self._visits = asyncio.Lock(), asyncio.Lock()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request when it is its turn."""
        if scope["type"] != "http" or scope["path"] not in _PAGES:
            await self._app(scope, receive, send)
            return
        visits = scope[SCOPE]() is DeviceScope.VISIT
        if self._waiting[visits] >= self._most:
            headers = [(b"retry-after", b"1"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body"})
        else:
            self._waiting[visits] += 1
            try:
                async with AsyncExitStack() as turns:
                    if visits:
                        await turns.enter_async_context(self._visits)
                    await turns.enter_async_context(self._one)
                    await self._app(scope, receive, send)
                    await asyncio.sleep(self._rests.after_page(time.monotonic()))
            finally:
                self._waiting[visits] -= 1


class SeldomWarning(logging.Filter):
    """Limits the warnings of a line of code: invalid input from strangers could fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._next_s: dict[tuple[str, int], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
            record.exc_info = record.exc_text = None  # a frame that is no UTF-8
        elif record.levelno >= logging.ERROR:
            return True
        place, now_s = (record.pathname, record.lineno), time.monotonic()
        if now_s < self._next_s.get(place, 0.0):
            return False
        self._next_s[place] = now_s + _WARNING_REST_S
        return True


def raise_descriptor_limit() -> None:
    """Raise this process's limit of descriptors as far as useful and allowed."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= now < _DESCRIPTORS:
            wanted = _DESCRIPTORS if most < 0 else min(most, _DESCRIPTORS)
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
