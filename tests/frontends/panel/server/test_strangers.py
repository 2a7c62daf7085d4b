"""What strangers do to the panel, and clients that vanish: nobody else is kept from it."""

import asyncio
import contextlib
import http.client
import re
import socket
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.frames import Frame, Opcode

from frontends.panel.server.access import HEADERS
from frontends.panel.server.connections import (
    LONG_PAGE_REST_S,
    MOST,
    PAGE_BURST,
    PAGE_REST_S,
    PageQueue,
    PageRests,
)
from panel_desk import PanelProcess, Watcher

HALF = b"POST /stop HTTP/1.1\r\nHost: localhost\r\n"
UPGRADE = (
    "GET /ws/command HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def opened(panel: PanelProcess) -> socket.socket:
    address = urlsplit(panel.url)
    return socket.create_connection((address.hostname, address.port), timeout=10)


def test_half_sent_requests_keep_nobody_from_stop_and_solve(
    panel: PanelProcess, watcher: Watcher
) -> None:
    panel.wish(hurry=8)
    with contextlib.ExitStack() as stack:
        address = urlsplit(panel.url)
        kept = http.client.HTTPConnection(address.hostname or "", address.port, timeout=5)
        stack.callback(kept.close)
        for number in range(3 * MOST):
            if number % (MOST + 50) == 0:  # more often than its connection times out
                kept.request("POST", "/stop")
                assert kept.getresponse().read() == b'{"stopping":true}'
            client = stack.enter_context(opened(panel))
            client.sendall(HALF[: 1 + number % len(HALF)])
        assert httpx.post(f"{panel.url}stop", timeout=5).json() == {"stopping": True}
        descriptors = len([*Path(f"/proc/{panel.process.pid}/fd").iterdir()])
        assert descriptors < MOST + 100
        watcher.do({"command": "scramble"})
        assert watcher.do({"command": "solve"})["verified"], watcher.view["attention"]


def test_who_sends_half_a_request_or_vanishes_is_not_waited_for(panel: PanelProcess) -> None:
    """The controller's cable is out: nothing is closed, and nothing comes any more."""
    with contextlib.ExitStack() as stack, panel.connect() as here:
        half, second, gone, silent = (stack.enter_context(opened(panel)) for _ in range(4))
        half.sendall(HALF)
        second.sendall(b"GET /view HTTP/1.1\r\nHost: localhost\r\n\r\nGET /vi")
        assert second.recv(15).startswith(b"HTTP/1.1 200")
        gone.sendall(UPGRADE.format(urlsplit(panel.url).netloc).encode())
        said = b""
        while not re.search(rb'"lease":"\S+","controlled":true', said):
            gone.sendall(Frame(Opcode.TEXT, b'{"lease":"take"}').serialize(mask=True))
            said += gone.recv(65536)
        watcher = Watcher(here)
        watcher.until(lambda _: bool(watcher.view))
        began_s = time.monotonic()
        watcher.take()
        assert began_s + 2 < time.monotonic() < began_s + 20
        here.send('{"lease":"give"}')
        for each in (half, second):
            each.settimeout(20)
            with contextlib.suppress(ConnectionResetError):
                while each.recv(65536):
                    pass
        silent.sendall(b"GET /view HTTP/1.1\r\nHost: localhost\r\n\r\n")  # a browser's, ready
        assert silent.recv(15).startswith(b"HTTP/1.1 200")


def test_nonsense_does_not_fill_the_log(panel: PanelProcess) -> None:
    for _ in range(20):
        with opened(panel) as client:
            client.sendall(b"\0nonsense\r\n\r\n")
            assert client.recv(12) == b"HTTP/1.1 400"
    assert panel.said().count("Invalid HTTP request") in {1, 2}


def test_every_frame_is_stop(panel: PanelProcess, watcher: Watcher) -> None:
    for frame in ("", "go", b"", b"\xff" * 50):
        with panel.connect("ws/stop") as stop:
            stop.send(frame)
            assert "stopping" in str(stop.recv(20))
    with panel.connect() as other:
        other.send(b"\xff\x00")
        refused = Watcher(other)
        refused.until(lambda _: bool(refused.answers))
        assert refused.answers[0]["type"] == "refused"


@pytest.mark.parametrize("path", ["", "view", "static/panel.css", "nowhere", "show"])
def test_every_answer_says_what_a_browser_may_do_with_it(panel: PanelProcess, path: str) -> None:
    for answer in (
        httpx.get(panel.url + path),
        httpx.post(panel.url + path),
        httpx.get(panel.url + path, headers={"host": "evil.example"}),
    ):
        said = {name: answer.headers.get_list(name) for name in HEADERS}
        assert said == {name: [value] for name, value in HEADERS.items()}


def test_a_link_with_a_token_leads_nowhere_else(tmp_path: Path) -> None:
    panel = PanelProcess(tmp_path, host="0.0.0.0")
    try:
        address = urlsplit(panel.url)
        for path in ("///evil.example/", "//evil.example", "/\\evil.example", "/%2F/evil.example"):
            with socket.create_connection((address.hostname, address.port), timeout=10) as client:
                line = f"GET {path}?token={panel.token} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n"
                client.sendall(line.encode())
                said = client.recv(4096).decode().lower()
            (place,) = (line for line in said.split("\r\n") if line.startswith("location:"))
            assert place.split(": ")[1].startswith("/evil.example"), place
    finally:
        panel.close()


def test_pages_wait_for_each_other_and_stop_waits_for_none() -> None:
    began, answers = list[str](), list[int]()

    async def panel(scope: Any, _: Any, send: Any) -> None:
        began.append(scope["path"])
        await asyncio.sleep(0.01 if scope["path"] != "/stop" else 0)
        await send({"status": 200})

    async def send(message: Any) -> None:
        answers.append(message.get("status", 0))

    async def play() -> None:
        queue = PageQueue(panel, most=3)
        scopes = [{"type": "http", "path": p} for p in ("/", "/show", "/", "/", "/stop")]
        await asyncio.gather(*(queue(scope, None, send) for scope in scopes))

    asyncio.run(play())
    assert began == ["/", "/stop", "/show", "/"]
    assert answers == [503, 0, 200, 200, 200, 200]  # the fourth page, which is one too many, first


def test_a_dozen_pages_come_at_once_and_continual_reloading_gets_long_pauses() -> None:
    rests, now_s = PageRests(), 1000.0
    told = list[float]()
    for _ in range(3 * PAGE_BURST):
        told.append(rests.after_page(now_s))
        now_s += told[-1]
    assert told[: PAGE_BURST - 1] == [PAGE_REST_S] * (PAGE_BURST - 1)
    assert told[PAGE_BURST + 2 :].count(LONG_PAGE_REST_S) > PAGE_BURST
    assert rests.after_page(now_s + PAGE_BURST * LONG_PAGE_REST_S) == PAGE_REST_S
