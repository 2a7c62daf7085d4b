"""Access rules of the panel: its host names, the pages that may call it, and the token.

They apply to everything that the panel serves, HTTP and WebSocket alike.
"""

import asyncio
import ipaddress
import secrets
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from documents.files import write_atomically
from frontends.panel.server.devices import Devices, DeviceScope

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


_TOKEN_BYTES = 16


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
    """

    token: str = ""
    names: frozenset[str] = frozenset({"localhost"})
    anywhere: bool = False
    devices: Devices | None = None
    visitor: str = ""

    @classmethod
    def of(cls, host: str, kept: Path) -> "Access":
        """Return the rules for a server that listens at an address.

        Args:
            host: As for ``--host``.
            kept: The file that stores the token.

        Raises:
            UnwritableError: A token cannot be stored.
        """
        if is_loopback(host):
            return cls()
        name = socket.gethostname().lower()
        names = {"localhost", name, f"{name}.local", host.lower()}
        devices = Devices(kept.with_name(DEVICES))
        visitor = kept_token(kept.with_name(VISITORS))
        return cls(kept_token(kept), frozenset(names), True, devices, visitor)

    def knows_host(self, header: str) -> bool:
        """Return whether a ``Host`` header names this server."""
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


def kept_token(file: Path) -> str:
    """Return the token in a file; create one if there is none.

    Only users who may read the user's files can read it.

    Raises:
        UnwritableError: There is not enough room, or no permission.
    """
    with suppress(OSError, UnicodeDecodeError):
        token = file.read_text(encoding="ascii").strip()
        if len(token) >= _TOKEN_BYTES:
            return token
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    write_atomically(file, f"{token}\n".encode(), mode=0o600)
    return token


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


COOKIE = "thistlebot_token"
DEVICES = "panel-devices.json"
VISITORS = "panel-visitor-token"
SCOPE = "thistlebot.scope"
"""The key of an ASGI scope for a function that returns what the sender may do now."""
VISITED = "/show"
"""The page of the visitors."""
_FOR_VISITORS = ("/_nicegui", "/static/", "/picture/pattern/")
_ADMITS = frozenset({"token", "pair"})
_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 4.0
_MOST_ADDRESSES = 1000
_POLICY = "; ".join(
    (
        "default-src 'self'",
        # NiceGUI compiles its templates in the browser, and starts with a script in the page
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=(), serial=()",
}
"""Headers of every response (OWASP Secure Headers): no other site may embed our pages, and ours
load nothing from others.
"""
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


@dataclass(frozen=True, slots=True)
class _Refusal:
    """A refusal: the codes of HTTP and of WebSockets, and the text for a person."""

    status: int
    code: int
    text: str


_FOREIGN = _Refusal(
    403, 4403, "This page comes from another origin, or its address is not one of this machine's."
)
_TOKENLESS = _Refusal(
    401, 4401, "Open the address that `thistlebot serve` prints: it contains the token."
)
_NOT_FOR_VISITORS = _Refusal(403, 4403, f"Visitors may open {VISITED} only.")


class Guard:
    """Refuses foreign hosts, pages of other origins, and clients without the token.

    Each response also tells the browser what it may do with it.

    A link with ``?token=`` sets a cookie and redirects to the page without it.

    After wrong tokens, responses are increasingly delayed.

    Args:
        app: The protected application.
        access: The rules.
        pause: Waits for the given seconds.
    """

    def __init__(
        self,
        app: "ASGIApp",
        access: Access,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._app = app
        self._access = access
        self._pause = pause
        self._guesses: dict[str, int] = {}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                own = [pair for pair in message["headers"] if pair[0].decode() not in HEADERS]
                message["headers"] = [*own, *_HEADERS]
            await send(message)

        await self._judge(scope, receive, send_with_headers)

    async def _judge(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        host = headers.get("host", "")
        if not self._access.knows_host(host) or not same_origin(headers.get("origin", ""), host):
            await _refuse(scope, receive, send, _FOREIGN)
        elif allowed := self._access.scope_of(token := _token_of(headers)):
            self._guesses.pop(_address(scope), None)
            if allowed is DeviceScope.VISIT and not _visits(scope):
                await _show_visitors(scope, receive, send)
                return
            scope_of = partial(self._access.scope_of, token)
            await self._app({**scope, SCOPE: scope_of}, receive, send)
        elif scope["type"] == "http" and (known := self._token_of_link(scope)):
            await _let_in(scope, receive, send, known)
        else:
            if _token_of(headers) or not _ADMITS.isdisjoint(_query(scope)):
                await self._slow_down(_address(scope))
            await _refuse(scope, receive, send, _TOKENLESS)

    def _token_of_link(self, scope: "Scope") -> str | None:
        """Return the token of a client with the owner's link, or with a pairing link."""
        query, devices = _query(scope), self._access.devices
        if "token" in query and self._access.knows_token(query["token"]):
            return self._access.token
        if self._access.knows_visitor(query.get("token", "")):
            return self._access.visitor
        return None if devices is None or "pair" not in query else devices.pair(query["pair"])

    async def _slow_down(self, address: str) -> None:
        """Wait, twice as long as after the previous wrong token from this address."""
        guesses = self._guesses.pop(address, 0) + 1
        self._guesses[address] = guesses
        while len(self._guesses) > _MOST_ADDRESSES:
            del self._guesses[next(iter(self._guesses))]
        await self._pause(min(_PAUSE_S * 2 ** min(guesses, 20), _LONGEST_PAUSE_S))


def _visits(scope: "Scope") -> bool:
    """Return whether a visitor may send a request."""
    path = str(scope["path"])
    own = "/ws/command" if scope["type"] == "websocket" else VISITED
    return path == own or path.startswith(_FOR_VISITORS)


async def _show_visitors(scope: "Scope", receive: "Receive", send: "Send") -> None:
    """Lead a visitor from the main page to the page Show; refuse everything else."""
    if scope["type"] == "websocket" or scope["path"] != "/":
        await _refuse(scope, receive, send, _NOT_FOR_VISITORS)
        return
    from starlette.responses import RedirectResponse

    await RedirectResponse(VISITED, status_code=303)(scope, receive, send)


def _address(scope: "Scope") -> str:
    return str((scope.get("client") or ("",))[0])


def _token_of(headers: dict[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if cookie is None else cookie.value


def _query(scope: "Scope") -> dict[str, str]:
    return dict(parse_qsl(scope["query_string"].decode("latin-1")))


async def _let_in(scope: "Scope", receive: "Receive", send: "Send", token: str) -> None:
    from starlette.responses import RedirectResponse

    rest = {key: value for key, value in _query(scope).items() if key not in _ADMITS}
    page = "/" + scope["path"].lstrip("/\\")  # two of them would begin the name of another host
    answer = RedirectResponse(page + (f"?{urlencode(rest)}" if rest else ""), status_code=303)
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=30 * 24 * 3600)
    await answer(scope, receive, send)


async def _refuse(scope: "Scope", receive: "Receive", send: "Send", why: _Refusal) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": why.code})
        return
    from starlette.responses import PlainTextResponse

    await PlainTextResponse(f"{why.text}\n", status_code=why.status)(scope, receive, send)
