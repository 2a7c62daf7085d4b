"""The sockets of the machine: the view and its changes out, orders in, and a channel for STOP."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from cube.errors import ThistlebotError
from frontends.control.desk import Desk, decode_order
from frontends.control.hub import Hub
from frontends.control.outbox import news_event
from frontends.control.view_model.view import ViewModel
from frontends.panel.server.devices import DeviceScope, require_scope, scope_of_command
from frontends.panel.server.guard import SCOPE
from thistlebot.errors import RefusedError

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

TICK_S = 1.0
_PATIENCE_S = 4.0
"""Time in which a viewer must take what is sent."""


class CommandSockets:
    """Serves all viewers of one machine."""

    def __init__(self, hub: Hub, desk: Desk) -> None:
        self._hub = hub
        self._desk = desk

    async def serve(self, socket: "WebSocket") -> None:
        """Serve one viewer until it leaves."""
        await socket.accept()
        await _Watcher(socket, self._hub, self._desk).serve()

    async def serve_stop(self, socket: "WebSocket") -> None:
        """Serve a socket on which every message means STOP."""
        from starlette.websockets import WebSocketDisconnect

        await socket.accept()
        with suppress(WebSocketDisconnect):
            while (await socket.receive())["type"] == "websocket.receive":
                self._desk.stop()
                await socket.send_text('{"type":"stopping"}')


class _Watcher:
    """One connection."""

    def __init__(self, socket: "WebSocket", hub: Hub, desk: Desk) -> None:
        self._socket = socket
        self._hub = hub
        self._desk = desk
        self._allowed: Callable[[], DeviceScope | None] = socket.scope[SCOPE]
        self._sending = asyncio.Lock()
        self._ticked_s = -TICK_S
        self._shown: ViewModel | None = None

    async def serve(self) -> None:
        from starlette.websockets import WebSocketDisconnect

        news, wake = news_event()
        outbox = self._hub.watch(wake)

        async def tell() -> None:
            while True:
                async with asyncio.timeout(_PATIENCE_S):
                    for number, told in outbox.take():
                        if isinstance(told, ViewModel):
                            await self._show(number, told)
                    if time.monotonic() - self._ticked_s >= TICK_S / 2:
                        await self._tick()
                try:
                    await asyncio.wait_for(news.wait(), TICK_S)
                except TimeoutError:
                    continue
                news.clear()

        async def listen() -> None:
            while (said := await self._socket.receive())["type"] == "websocket.receive":
                await self._hear(said.get("text") or "")

        teller, listener = asyncio.create_task(tell()), asyncio.create_task(listen())
        try:
            await asyncio.wait((teller, listener), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (teller, listener):
                task.cancel()
            *_, heard = await asyncio.gather(teller, listener, return_exceptions=True)
            self._hub.leave(outbox)
        if isinstance(heard, Exception) and not isinstance(heard, WebSocketDisconnect):
            raise heard

    async def _hear(self, text: str) -> None:
        number = 0
        try:
            order = decode_order(text)
            number = order.id
            require_scope(self._allowed(), scope_of_command(order.do))
            self._desk.take(order)
            await self._send({"type": "taken", "id": number})
        except ThistlebotError as error:
            kind = error.kind if isinstance(error, RefusedError) else "usage"
            told = {"type": "refused", "id": number, "kind": kind, "text": str(error)}
            await self._send(told)

    async def _tick(self) -> None:
        """Send the time, with which orders expire, and whether this viewer may order."""
        self._ticked_s = time.monotonic()
        allowed = self._allowed()
        orders = allowed is not None and allowed.allows(DeviceScope.OPERATE)
        await self._send({"type": "tick", "now_s": self._ticked_s, "orders": orders})

    async def _show(self, number: int, view: ViewModel) -> None:
        """Send the view, and later what has changed in it."""
        shown, self._shown = self._shown, view
        if shown is None:
            await self._send({"type": "view", "seq": number, "view": view})
            return
        if changes := dict(_changes(shown, view)):
            await self._send({"type": "changes", "seq": number, "changes": changes})

    async def _send(self, message: dict[str, object]) -> None:
        async with self._sending:
            await self._socket.send_text(msgspec.json.encode(message).decode())


def _changes(before: msgspec.Struct, after: msgspec.Struct) -> Iterator[tuple[str, object]]:
    """Yield the places and values of the fields that differ, such as ``cube.turned``."""
    for name in after.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if new == old:
            continue
        if isinstance(new, msgspec.Struct) and type(new) is type(old):
            yield from ((f"{name}.{place}", value) for place, value in _changes(old, new))
        else:
            yield name, new
