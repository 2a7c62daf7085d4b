"""Stands before everything that the panel serves, HTTP and WebSocket alike."""

from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from thistlebot.panel.server.access import Access, same_origin

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = "thistlebot_token"
_FOREIGN_CODE = 4403
_TOKENLESS_CODE = 4401


class Guard:
    """Refuses foreign hosts, pages of other origins, and whoever does not know the token.

    A link with ``?token=`` leaves a cookie and leads to the page without it.

    Args:
        app: What is guarded.
        access: The rules.
    """

    def __init__(self, app: "ASGIApp", access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        host = headers.get("host", "")
        if not self._access.knows_host(host) or not same_origin(headers.get("origin", ""), host):
            await _refuse(scope, receive, send, foreign=True)
        elif self._access.knows_token(_token_of(headers)):
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and self._access.knows_token(_query(scope).get("token", "")):
            await _let_in(scope, receive, send, self._access.token)
        else:
            await _refuse(scope, receive, send, foreign=False)


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

    rest = {key: value for key, value in _query(scope).items() if key != "token"}
    page = scope["path"] + (f"?{urlencode(rest)}" if rest else "")
    answer = RedirectResponse(page.replace("//", "/"), status_code=303)
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=30 * 24 * 3600)
    await answer(scope, receive, send)


async def _refuse(scope: "Scope", receive: "Receive", send: "Send", *, foreign: bool) -> None:
    if scope["type"] == "websocket":
        await send(
            {"type": "websocket.close", "code": _FOREIGN_CODE if foreign else _TOKENLESS_CODE}
        )
        return
    from starlette.responses import PlainTextResponse

    if foreign:
        text = "This page is of another origin, or the address is not one of this machine's.\n"
        answer = PlainTextResponse(text, status_code=403)
    else:
        text = "Open the address that `thistlebot serve` shows: it holds the token.\n"
        answer = PlainTextResponse(text, status_code=401)
    await answer(scope, receive, send)
