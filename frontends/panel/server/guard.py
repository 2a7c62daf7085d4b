"""Applies the access rules to everything that the panel serves, HTTP and WebSocket alike."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from frontends.panel.server.access import Access, same_origin
from frontends.panel.server.connections import is_of_this_user
from frontends.panel.server.devices import DeviceScope
from frontends.panel.server.token_guesses import TokenGuesses

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


COOKIE = "thistlebot_token"
SCOPE = "thistlebot.scope"
"""The key of an ASGI scope for a function that returns what the sender may do now."""
VISITED = "/show"
"""The page of the visitors."""
_FORWARDED = b"x-forwarded-"
_COOKIE_S = 30 * 24 * 3600
_MOST_COOKIES = 4
_FOR_VISITORS = ("/_nicegui", "/static/", "/picture/pattern/")
_CHECK_S = 0.3
"""Time after which an idle connection of a revoked device is closed."""
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


_FOREIGN = _Refusal(403, 4403, "This page comes from another origin.")
_UNKNOWN_NAME = (
    "This panel does not know the name {0}. If it is a name of this machine, start the panel with "
    "`thistlebot serve --host-name {0}`."
)
_GUESSED = _Refusal(429, 4429, "Too many wrong tokens came from your address: try again later.")
_TOKENLESS = _Refusal(
    401, 4401, "Open the address that `thistlebot serve` prints: it contains the token."
)
_SOMEBODY_ELSE = _Refusal(403, 4403, "Another user of this computer runs this panel.")
_NOT_FOR_VISITORS = _Refusal(403, 4403, f"Visitors may open {VISITED} only.")


class Guard:
    """Refuses foreign hosts, pages of other origins, and clients without the token.

    Each response also tells the browser what it may do with it.

    A link with ``?token=`` sets a cookie and redirects to the page without it, unless the browser
    has a token that allows as much.

    After wrong tokens, responses are increasingly delayed, and while several are being delayed,
    tokens that were not admitted before are not even read. Connections of a device end when it is
    revoked.
    """

    def __init__(
        self,
        app: "ASGIApp",
        access: Access,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._app = app
        self._access = access
        self._guesses = TokenGuesses(pause)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                own = [pair for pair in message["headers"] if pair[0].decode() not in HEADERS]
                message["headers"] = [*own, *_HEADERS]
            try:
                await send(message)
            except RuntimeError as error:
                if scope["type"] != "websocket":
                    raise
                # uvicorn has closed it because of a malformed frame
                raise ConnectionError("the client has left") from error

        await self._judge(scope, receive, send_with_headers)

    async def _judge(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        scope, access = self._as_forwarded(scope), self._access
        headers = _headers(scope)
        host, address = headers.get("host", ""), _address(scope)
        if not access.knows_host(host):
            name = "".join(each for each in host if each.isalnum() or each in "-._:[]")[:80]
            name = re.sub(r":\d*$", "", name)  # the port
            why = _Refusal(403, 4403, _UNKNOWN_NAME.format(name or "that it was called by"))
            await _refuse(scope, receive, send, why)
            return
        if not same_origin(headers.get("origin", ""), host):
            await _refuse(scope, receive, send, _FOREIGN)
            return
        if not access.token and not is_of_this_user(scope.get("client"), scope.get("server")):
            await _refuse(scope, receive, send, _SOMEBODY_ELSE)
            return
        tokens = tokens_of(headers)
        admits = scope["type"] == "http" and "token" in _query(scope)
        if (tokens or admits) and self._guesses.refuses(address, tokens):
            await _refuse(scope, receive, send, _GUESSED)
            return
        token, allowed = self._best(tokens)
        if admits and (known := self._token_of_link(scope, allowed)) is not None:
            await _let_in(scope, receive, send, known)
        elif allowed and not admits:
            self._guesses.admit(token, address)
            if allowed is DeviceScope.VISIT and not _visits(scope):
                await _show_visitors(scope, receive, send)
                return
            scope = {**scope, SCOPE: partial(access.scope_of, token)}
            if token not in (access.token, access.visitor):
                receive, send = _until_revoked(scope, receive, send)
            await self._app(scope, receive, send)
        else:
            if tokens or admits:
                await self._guesses.slow_down(address)
            await _refuse(scope, receive, send, _TOKENLESS)

    def _as_forwarded(self, scope: "Scope") -> "Scope":
        """Return a request as the named proxy got it; what others say of that is dropped."""
        named = {key: value for key, value in scope["headers"] if key.startswith(_FORWARDED)}
        if not named:
            return scope
        headers = [pair for pair in scope["headers"] if pair[0] not in named]
        if not self._access.proxy or _address(scope) != self._access.proxy:
            return {**scope, "headers": headers}
        changed: dict[str, object] = {}
        if host := named.get(_FORWARDED + b"host"):
            headers = [pair for pair in headers if pair[0] != b"host"]
            headers.append((b"host", host.rpartition(b",")[2].strip()))
        if prefix := named.get(_FORWARDED + b"prefix"):
            headers.append((_FORWARDED + b"prefix", prefix))
        if named.get(_FORWARDED + b"proto") == b"https":
            changed["scheme"] = "https" if scope["type"] == "http" else "wss"
        if sender := named.get(_FORWARDED + b"for"):
            changed["client"] = (sender.rpartition(b",")[2].strip().decode("latin-1"), 0)
        return {**scope, **changed, "headers": headers}

    def _best(self, tokens: Sequence[str]) -> tuple[str, DeviceScope | None]:
        """Return the first token that is known, and what it allows."""
        found = ((token, self._access.scope_of(token)) for token in (*tokens, ""))
        return next((each for each in found if each[1]), ("", None))

    def _token_of_link(self, scope: "Scope", allowed: DeviceScope | None) -> str | None:
        """Return the token of a link.

        Returns:
            The token; empty if the client has one that allows as much; None if it is wrong.
        """
        given = _query(scope)["token"]
        offered = self._access.scope_of(given)
        if offered is None:
            return "" if allowed else None
        return "" if allowed and allowed.allows(offered) else given


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

    await RedirectResponse(f".{VISITED}", status_code=303)(scope, receive, send)


def _address(scope: "Scope") -> str:
    return str((scope.get("client") or ("",))[0])


def _headers(scope: "Scope") -> dict[str, str]:
    return {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}


def tokens_of(headers: dict[str, str]) -> list[str]:
    """Return the tokens of a request.

    Cookies of other programs on the same host come along, in any form.
    """
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return [token.strip()]
    pairs = (each.partition("=") for each in headers.get("cookie", "").split(";"))
    return [value.strip() for name, _, value in pairs if name.strip() == COOKIE][:_MOST_COOKIES]


def _until_revoked(scope: "Scope", receive: "Receive", send: "Send") -> "tuple[Receive, Send]":
    """Return what a connection of a device hears and says until the device is revoked.

    Its application then hears that the client has left, and nothing of what it says is sent.
    """
    kind, allows = scope["type"], scope[SCOPE]
    allowed, begun = allows(), False

    async def hear() -> "Message":
        told = asyncio.ensure_future(receive())
        while not (await asyncio.wait((told,), timeout=_CHECK_S))[0] and allows() is allowed:
            pass
        if allows() is allowed:
            return await told
        told.cancel()
        if kind == "websocket":
            with suppress(OSError, RuntimeError):  # the client may have left
                await send({"type": "websocket.close", "code": _TOKENLESS.code})
        elif begun:
            await send({"type": "http.response.body", "body": b""})
        return {"type": f"{kind}.disconnect", "code": _TOKENLESS.code}

    async def say(message: "Message") -> None:
        nonlocal begun
        begins = message["type"] in {"http.response.start", "websocket.close"}
        begun |= begins
        if begins or allows() is allowed:
            await send(message)

    return hear, say


def _query(scope: "Scope") -> dict[str, str]:
    return dict(parse_qsl(scope["query_string"].decode("latin-1")))


async def _let_in(scope: "Scope", receive: "Receive", send: "Send", token: str) -> None:
    from starlette.responses import RedirectResponse

    rest = {key: value for key, value in _query(scope).items() if key != "token"}
    page = "./" + scope["path"].rpartition("/")[2]  # so that it stays below a proxy's path
    answer = RedirectResponse(page + (f"?{urlencode(rest)}" if rest else ""), status_code=303)
    if token:
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=_COOKIE_S)
    await answer(scope, receive, send)


async def _refuse(scope: "Scope", receive: "Receive", send: "Send", why: _Refusal) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": why.code})
        return
    from starlette.responses import PlainTextResponse

    headers = {"connection": "close"}  # strangers keep no connection
    answer = PlainTextResponse(f"{why.text}\n", status_code=why.status, headers=headers)
    await answer(scope, receive, send)
