"""Live pictures by WebSocket: the newest one, and the next after its acknowledgement."""

import asyncio
import time
from typing import TYPE_CHECKING

import msgspec

from frontends.control.outbox import news_event
from frontends.panel.server.feeds import CameraFeeds, Feed

if TYPE_CHECKING:
    from starlette.websockets import WebSocket


CAMERA_POLL_S = 0.5
_AGAIN_CODE = 4404


async def serve_camera(socket: "WebSocket", feeds: CameraFeeds) -> None:
    """Serve one viewer of one camera.

    The first message is JSON, ``{"size": [width, height]}`` of the camera's pictures in pixels;
    then every binary message is a JPEG, which may be smaller, and every message from the viewer
    acknowledges one.

    Args:
        socket: Its address ends with the number of the camera.
        feeds: The cameras.
    """
    from starlette.websockets import WebSocketDisconnect

    await socket.accept()
    feed = feeds.get(int(socket.path_params["number"]))
    if feed is None:
        await socket.close(_AGAIN_CODE, "this camera is not open")
        return
    news, wake = news_event()
    feed.watch(wake)
    try:
        await _show(socket, feed, news)
    except WebSocketDisconnect:
        pass
    finally:
        feed.leave(wake)


async def _show(socket: "WebSocket", feed: Feed, news: asyncio.Event) -> None:
    number, size, shown_s = 0, (0, 0), 0.0
    while not feed.closed:
        found = feed.newest(number)
        if found is None:
            try:
                await asyncio.wait_for(news.wait(), CAMERA_POLL_S)
            except TimeoutError:
                continue
            news.clear()
            continue
        number, frame = found
        height, width = frame.image.shape[:2]
        if (width, height) != size:
            size = width, height
            await socket.send_text(msgspec.json.encode({"size": size}).decode())
        await socket.send_bytes(await asyncio.to_thread(feed.jpeg, number, frame))
        if (await socket.receive())["type"] == "websocket.disconnect":
            return
        await asyncio.sleep(shown_s + feed.pause_s - time.monotonic())
        shown_s = time.monotonic()
    await socket.close(_AGAIN_CODE, "this camera was closed")
