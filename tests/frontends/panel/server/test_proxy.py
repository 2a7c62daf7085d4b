"""The panel below a path of a proxy, under another name, in a real browser."""

from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from socket import create_connection
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import BinaryIO
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from chromium import Visit
from panel_desk import PanelProcess

PREFIX = "/cube"


class Proxy(ThreadingTCPServer):
    """Passes what is below a path on to a panel, as nginx does: each connection for one request."""

    daemon_threads = True

    def __init__(self, panel: int) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.panel, self.port = panel, self.server_address[1]
        self.asked: list[str] = []


class Connection(StreamRequestHandler):
    server: Proxy

    def handle(self) -> None:
        head = [*iter(lambda: self.rfile.readline().decode().strip(), "")]
        if not head:  # a browser opens some in advance
            return
        first, *lines = head
        method, path, version = first.split(" ")
        self.server.asked.append(path)
        if not path.startswith(f"{PREFIX}/"):
            self.wfile.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
            return
        upgrades = any(line.lower().startswith("upgrade:") for line in lines)
        dropped = ("host:",) if upgrades else ("host:", "connection:")
        asked = [
            f"{method} {path.removeprefix(PREFIX)} {version}",
            f"Host: 127.0.0.1:{self.server.panel}",
            f"X-Forwarded-Host: panel.localhost:{self.server.port}",
            f"X-Forwarded-Prefix: {PREFIX}",
            *([] if upgrades else ["Connection: close"]),
            *(line for line in lines if not line.lower().startswith(dropped)),
        ]
        with create_connection(("127.0.0.1", self.server.panel)) as there:
            there.sendall("\r\n".join([*asked, "", ""]).encode())
            Thread(target=pipe, args=(self.rfile, there.makefile("wb", 0)), daemon=True).start()
            pipe(there.makefile("rb"), self.wfile)


def pipe(source: BufferedReader, sink: BinaryIO) -> None:
    with suppress(OSError, ValueError):  # one of them has closed it
        while data := source.read1(65536):
            sink.write(data)


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[tuple[Proxy, PanelProcess]]:
    panel = PanelProcess(tmp_path, names=["panel.localhost"], proxy="127.0.0.1")
    with Proxy(urlsplit(panel.url).port or 0) as proxy:
        Thread(target=proxy.serve_forever).start()
        yield proxy, panel.ready()
        proxy.shutdown()
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
    page.goto(f"{root}/run")
    assert page.url == f"{root}/?tab=run"
    page.goto(f"{root}/show")
    expect(page.locator("html")).to_have_attribute("data-link", "open")
    beside = [path for path in between.asked if not path.startswith(f"{PREFIX}/")]
    assert beside in ([], ["/favicon.ico"])
