"""The panel below a path of a proxy, under another name, in a real browser."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from chromium import Visit
from panel_desk import PanelProcess

PREFIX = "/cube"


class Proxy:
    """Passes what is below a path on to a panel, as nginx does: each connection for one request."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.asked: list[str] = []
        self.loop = asyncio.new_event_loop()
        self._opened = threading.Event()
        self._thread = threading.Thread(target=lambda: self.loop.run_until_complete(self._run()))
        self._thread.start()
        self._opened.wait()

    async def _run(self) -> None:
        self._end = asyncio.Event()
        async with await asyncio.start_server(self._serve, "127.0.0.1", 0) as server:
            self.port = server.sockets[0].getsockname()[1]
            self._opened.set()
            await self._end.wait()
            passing = asyncio.all_tasks() - {asyncio.current_task()}
            for each in passing:
                each.cancel()
            await asyncio.gather(*passing, return_exceptions=True)

    async def _serve(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await here.readuntil(b"\r\n\r\n")).decode()
            first, _, rest = head.partition("\r\n")
            method, path, version = first.split(" ")
            self.asked.append(path)
            if not path.startswith(f"{PREFIX}/"):
                back.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
            else:
                lines = [
                    each for each in rest.split("\r\n") if not each.lower().startswith("host:")
                ]
                upgrades = any(each.lower().startswith("upgrade:") for each in lines)
                lines = [each for each in lines if upgrades or not each.startswith("Connection:")]
                named = [
                    f"Host: 127.0.0.1:{self._port}",
                    f"X-Forwarded-Host: panel.localhost:{self.port}",
                    f"X-Forwarded-Prefix: {PREFIX}",
                    *([] if upgrades else ["Connection: close"]),
                ]
                asked = [f"{method} {path.removeprefix(PREFIX)} {version}", *named, *lines]
                there, to = await asyncio.open_connection("127.0.0.1", self._port)
                to.write("\r\n".join(asked).encode())
                await asyncio.gather(_pipe(here, to), _pipe(there, back))
                to.close()
        back.close()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self.loop.close()


async def _pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    with suppress(OSError):
        sink.close()


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[tuple[Proxy, PanelProcess]]:
    panel = PanelProcess(tmp_path, names=["panel.localhost"], proxy="127.0.0.1")
    proxy = Proxy(urlsplit(panel.url).port or 0)
    yield proxy, panel.ready()
    proxy.close()
    panel.close()


@pytest.mark.exhaustive
@pytest.mark.browser
def test_a_page_below_a_path_works_and_asks_for_nothing_beside_it(
    visit: Visit, proxy: tuple[Proxy, PanelProcess]
) -> None:
    """What the guard makes of the proxy's words is told by test_access.py in each run."""
    between, panel = proxy
    root = f"http://panel.localhost:{between.port}{PREFIX}"
    page = visit.open(f"{root}/?token={panel.token}")
    assert page.url == f"{root}/"
    expect(page.locator("html")).to_have_attribute("data-control", "mine")
    page.wait_for_function("() => document.querySelector('.tb-camera')?.dataset.frames > 0")
    page.goto(f"{root}/show")
    expect(page.locator("html")).to_have_attribute("data-link", "open")
    beside = [path for path in between.asked if not path.startswith(f"{PREFIX}/")]
    assert beside in ([], ["/favicon.ico"])
