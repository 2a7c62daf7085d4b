"""Hostile clients, until they are ended: `python -m benchmarks.panel.strangers URL`.

Hundreds of clients that never complete their request, ten that watch, frames of 50 MB, and pages
that are reloaded continually.
"""

import asyncio
import contextlib
import sys

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

SLOW, WATCHERS, LOADERS = 300, 10, 2
_LARGE = "x" * 50_000_000
_BYTE_S, _REST_S = 0.5, 1.0


async def send_slowly(host: str, port: int) -> None:
    """Send a request byte by byte, and start again after the server closes the connection."""
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(host, port)
            for byte in b"GET / HTTP/1.1\r\nHost: somewhere\r\nX-Slow: " + b"x" * 1000:
                writer.write(bytes((byte,)))
                await writer.drain()
                await asyncio.sleep(_BYTE_S)
        await asyncio.sleep(_REST_S)


async def watch(address: str) -> None:
    """Receive everything that a page receives."""
    while True:
        with contextlib.suppress(OSError, WebSocketException):
            async with connect(address, proxy=None) as socket:
                async for _ in socket:
                    pass
        await asyncio.sleep(_REST_S)


async def shout(address: str) -> None:
    """Send frames that are far too large."""
    while True:
        with contextlib.suppress(OSError, WebSocketException):
            async with connect(address, proxy=None, ping_interval=None) as socket:
                await socket.send(_LARGE)
        await asyncio.sleep(_REST_S)


async def load_pages(url: str) -> None:
    """Load the page without its scripts."""
    async with httpx.AsyncClient(timeout=30) as client:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                await client.get(url)


async def main(url: str) -> None:
    """Run all of them."""
    address = url.replace("http", "ws", 1) + "ws/command"
    host, _, port = url.split("/")[2].partition(":")
    async with asyncio.TaskGroup() as group:
        for _ in range(SLOW):
            group.create_task(send_slowly(host, int(port)))
        for _ in range(WATCHERS):
            group.create_task(watch(address))
        for _ in range(LOADERS):
            group.create_task(load_pages(url))
        group.create_task(shout(address))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(sys.argv[1]))
