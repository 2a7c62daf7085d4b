"""The sockets of the machine: events and views out, orders in, and a dedicated STOP channel."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from cube.errors import ThistlebotError
from frontends.control.gate import Leases, Order, decode_order
from frontends.control.hub import Hub, Message, news_event
from frontends.control.routing import CommandRouter
from frontends.control.view_model.view import ViewModel
from frontends.panel.server.devices import DeviceScope, require_scope, scope_of_command
from frontends.panel.server.guard import SCOPE
from thistlebot.errors import RefusedError, UsageError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.websockets import WebSocket

TICK_S = 1.0
_SILENT_TICKS = 4
"""A viewer that leaves this many ticks unanswered loses control."""


class _Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A viewer's message about its lease: take, keep, or give up."""

    lease: str
    token: str = ""


class CommandSockets:
    """Serves all viewers of one machine."""

    def __init__(self, hub: Hub, router: CommandRouter, leases: Leases) -> None:
        self._hub = hub
        self._router = router
        self._leases = leases

    async def serve(self, socket: "WebSocket") -> None:
        """Serve one viewer until it leaves."""
        await socket.accept()
        await _Watcher(socket, self._hub, self._router, self._leases).serve()

    async def serve_stop(self, socket: "WebSocket") -> None:
        """Serve a socket on which every message means STOP."""
        from starlette.websockets import WebSocketDisconnect

        await socket.accept()
        with suppress(WebSocketDisconnect):
            while (await socket.receive())["type"] == "websocket.receive":
                self._router.stop()
                await socket.send_text('{"type":"stopping"}')

    async def post_stop(self, _request: "Request") -> "Response":
        """Stop the machine by HTTP."""
        from starlette.responses import JSONResponse

        self._router.stop()
        return JSONResponse({"stopping": True})

    async def get_view(self, _request: "Request") -> "Response":
        """Return the view once."""
        from starlette.responses import Response

        return Response(msgspec.json.encode(self._hub.view), media_type="application/json")


class _Watcher:
    """One connection."""

    def __init__(
        self, socket: "WebSocket", hub: Hub, router: CommandRouter, leases: Leases
    ) -> None:
        self._socket = socket
        self._hub = hub
        self._router = router
        self._leases = leases
        self._lease = ""
        self._allowed: Callable[[], DeviceScope | None] = socket.scope[SCOPE]
        self._sending = asyncio.Lock()
        self._ticked_s = -TICK_S
        self._unanswered = 0

    async def serve(self) -> None:
        from starlette.websockets import WebSocketDisconnect

        news, wake = news_event()
        outbox = self._hub.watch(wake)

        async def tell() -> None:
            while self._unanswered <= _SILENT_TICKS:
                async with asyncio.timeout(_SILENT_TICKS * TICK_S):
                    for message in outbox.take():
                        await self._send(_told(message))
                    if time.monotonic() - self._ticked_s >= TICK_S / 2:
                        await self._tick()
                try:
                    await asyncio.wait_for(news.wait(), TICK_S)
                except TimeoutError:
                    continue
                news.clear()

        async def listen() -> None:
            while (said := await self._socket.receive())["type"] == "websocket.receive":
                self._unanswered = 0
                await self._hear(said.get("text") or "")

        teller, listener = asyncio.create_task(tell()), asyncio.create_task(listen())
        try:
            await asyncio.wait((teller, listener), return_when=asyncio.FIRST_COMPLETED)
        finally:
            vanished = not listener.done()
            for task in (teller, listener):
                task.cancel()
            *_, heard = await asyncio.gather(teller, listener, return_exceptions=True)
            self._hub.leave(outbox)
            gone = vanished or self._allowed() is None
            (self._leases.give if gone else self._leases.leave)(self._lease)
        if isinstance(heard, Exception) and not isinstance(heard, WebSocketDisconnect):
            raise heard

    async def _hear(self, text: str) -> None:
        number = 0
        try:
            said = _decoded(text)
            if isinstance(said, _Wish):
                if said.lease != "keep":
                    if said.lease == "take":
                        require_scope(self._allowed(), DeviceScope.OPERATE)
                    self._change_lease(said)
                    await self._tick()
                return
            number = said.id
            require_scope(self._allowed(), scope_of_command(said.do))
            self._router.take(said)
            await self._send({"type": "taken", "id": number})
        except ThistlebotError as error:
            kind = error.kind if isinstance(error, RefusedError) else "usage"
            told = {"type": "refused", "id": number, "kind": kind, "text": str(error)}
            await self._send(told)

    def _change_lease(self, wish: _Wish) -> None:
        if wish.lease == "take" and not self._leases.holds(self._lease):
            self._lease = self._leases.take(wish.token)
        elif wish.lease == "give":
            self._leases.give(self._lease)
            self._lease = ""

    async def _tick(self) -> None:
        """Send the time, with which orders expire, and whether there is a controller."""
        self._ticked_s = time.monotonic()
        mine = self._leases.holds(self._lease)
        self._unanswered = self._unanswered + 1 if mine else 0
        await self._send(
            {
                "type": "tick",
                "now_s": self._ticked_s,
                "lease": self._lease if mine else "",
                "controlled": self._leases.held,
            }
        )

    async def _send(self, message: dict[str, object]) -> None:
        async with self._sending:
            await self._socket.send_text(msgspec.json.encode(message).decode())


def _told(message: Message) -> dict[str, object]:
    number, told = message
    if told is None:
        return {"type": "lost"}
    kind = "view" if isinstance(told, ViewModel) else "event"
    return {"type": kind, "seq": number, kind: told}


def _decoded(text: str) -> Order | _Wish:
    try:
        return decode_order(text)
    except UsageError:
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(text, type=_Wish)
        raise
