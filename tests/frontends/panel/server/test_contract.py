"""What any front end may rely on over the real sockets, whatever strangers do to the panel."""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

from frontends.control.view_model.notices import Told
from frontends.control.view_model.reducer import after
from frontends.control.view_model.view import ViewModel
from frontends.panel.server.connections import PageQueue, is_of_this_user
from frontends.panel.server.guard import HEADERS
from panel_desk import PanelProcess, Watcher


def test_runs_are_told_completely_and_in_order_and_the_view_follows_from_them(
    panel: PanelProcess, watcher: Watcher
) -> None:
    told: list[dict[str, Any]] = []
    with panel.http.stream("GET", "api/v1/events", timeout=60) as stream:
        lines = (line.removeprefix("data: ") for line in stream.iter_lines() if line[:1] == "d")
        view = msgspec.convert(json.loads(next(lines))["view"], ViewModel)
        watcher.do({"command": "scramble"})
        assert watcher.do({"command": "solve"})["verified"], watcher.view["attention"]
        while sum(each.get("event", {}).get("event") == "finished" for each in told) < 2:
            told.append(json.loads(next(lines)))
    numbers = [each["seq"] for each in told]
    assert numbers == sorted(numbers)
    events = [each["event"] for each in told if each["type"] == "event"]
    for event in events:
        view = after(view, msgspec.convert(event, Told))
    assert view == msgspec.convert(watcher.view, ViewModel)
    turned = [each["done"] for each in events if each["event"] == "turned"]
    assert turned[-len(watcher.view["plan"]["steps"]) :] == list(
        range(1, len(watcher.view["plan"]["steps"]) + 1)
    )
    phases = [each["phase"] for each in events if each["event"] == "entered"]
    assert phases[-6:] == ["scan", "decode", "plan", "execute", "verify", "done"]


def test_pages_of_another_origin_and_forged_hosts_get_nothing(panel: PanelProcess) -> None:
    opened = []
    for path in ("ws/command", "ws/stop", "ws/camera/0"):
        for forged in (
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"origin": "http://127.0.0.1:1"},
            {"host": "evil.example"},
        ):
            try:
                panel.connect(path, **forged).close()
            except InvalidStatus:
                continue
            opened.append((path, forged))
    assert not opened
    for host in ("evil.example", "evil.example:80", "192.0.2.7", ""):
        assert httpx.get(panel.url, headers={"host": host}).status_code == 403
    evil = {"origin": "http://evil.example"}
    assert httpx.post(f"{panel.url}api/v1/stop", headers=evil).status_code == 403


def test_a_camera_sends_the_next_picture_when_one_is_acknowledged(panel: PanelProcess) -> None:
    with panel.connect("ws/camera/0") as socket:
        assert msgspec.json.decode(socket.recv(20)) == {"size": [640, 480]}
        first = socket.recv(20)
        assert isinstance(first, bytes)
        assert first.startswith(b"\xff\xd8")
        with pytest.raises(TimeoutError):
            socket.recv(0.3)
        socket.send('{"ack":1}')
        assert isinstance(socket.recv(20), bytes)


UPGRADE = (
    "GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def opened(panel: PanelProcess) -> socket.socket:
    address = urlsplit(panel.url)
    return socket.create_connection((address.hostname, address.port), timeout=10)


def test_every_frame_is_stop(panel: PanelProcess, watcher: Watcher) -> None:
    panel.wish(hurry=1)
    watcher.begin({"command": "turn", "moves": "R U R' U' F D2 " * 50})
    watcher.until(lambda each: each.view["executed"] >= 1 and bool(each.view["job"]))
    for frame in ("", "go", b"", b"\xff" * 50):
        with panel.connect("ws/stop") as stop:
            stop.send(frame)
            assert "stopping" in str(stop.recv(20))
        watcher.until(lambda each: not each.view["job"])
    assert watcher.view["attention"]["kind"] == "stopped"
    assert watcher.view["executed"] < len(watcher.view["plan"]["steps"])
    with panel.connect() as other:
        other.send(b"\xff\x00")
        refused = Watcher(other)
        refused.until(lambda _: bool(refused.answers))
        assert refused.answers[0]["type"] == "refused"


NONSENSE = (
    Frame(Opcode.BINARY, b"\xff\x00").serialize(mask=True),
    Frame(Opcode.TEXT, b"not masked").serialize(mask=False),
    Frame(Opcode.CLOSE, b"\x00\x01").serialize(mask=True),
)


def test_nonsense_on_a_socket_leaves_no_traceback(panel: PanelProcess) -> None:
    for path in ("/ws/command", "/ws/stop", "/ws/camera/0"):
        for frame in NONSENSE:
            with opened(panel) as client, contextlib.suppress(ConnectionError):
                client.sendall(UPGRADE.format(path, urlsplit(panel.url).netloc).encode())
                assert client.recv(12) == b"HTTP/1.1 101"
                client.sendall(frame * 2)
                client.shutdown(socket.SHUT_WR)
                while client.recv(65536):
                    pass
    assert httpx.post(f"{panel.url}api/v1/stop", timeout=5).json() == {"stopping": True}
    assert "Traceback" not in panel.said()


def test_every_answer_says_what_a_browser_may_do(
    panel: PanelProcess,
) -> None:
    for path in ("", "view", "static/panel.css", "nowhere", "show"):
        for answer in (
            httpx.get(panel.url + path),
            httpx.post(panel.url + path),
            httpx.get(panel.url + path, headers={"host": "evil.example"}),
        ):
            said = {name: answer.headers.get_list(name) for name in HEADERS}
            assert said == {name: [value] for name, value in HEADERS.items()}, path


def test_pages_wait_for_each_other_and_stop_waits_for_none() -> None:
    began, answers = list[str](), list[int]()

    async def page(scope: Any, _: Any, send: Any) -> None:
        began.append(scope["path"])
        await asyncio.sleep(0.01 if scope["path"] != "/stop" else 0)
        await send({"status": 200})

    async def send(message: Any) -> None:
        if "status" in message:
            answers.append(message["status"])

    async def play() -> None:
        queue = PageQueue(page, most=3)
        asked = ("/", "/show", "/", "/", "/stop")
        await asyncio.gather(*(queue({"type": "http", "path": p}, None, send) for p in asked))

    asyncio.run(play())
    assert began == ["/", "/stop", "/show", "/"]
    assert answers == [503, 200, 200, 200, 200]  # the fourth page, which is one too many, first


def test_another_user_of_this_computer_gets_nothing(panel: PanelProcess) -> None:
    address = urlsplit(panel.url)
    asks = (
        "import encodings.idna, os, socket\n"
        "{}"
        f"ours = socket.create_connection({(address.hostname, address.port)!r})\n"
        "ours.sendall(b'GET /api/v1/state HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')\n"
        "print(ours.recv(15))\n"
    )
    for somebody in ("", "os.setuid(65534)\n")[: 2 if os.getuid() == 0 else 1]:
        words = [sys.executable, "-I", "-c", asks.format(somebody)]
        said = subprocess.run(words, check=True, timeout=30, capture_output=True).stdout
        assert (b"403" if somebody else b"200") in said
    with opened(panel) as mine:
        ends = mine.getsockname(), (address.hostname, address.port)
        assert is_of_this_user(*ends)
        assert not is_of_this_user(("127.0.0.2", ends[0][1]), ends[1])
    with (
        socket.create_server(("::1", 0), family=socket.AF_INET6) as server,
        socket.create_connection(server.getsockname()[:2]) as mine,
    ):
        assert is_of_this_user(mine.getsockname(), mine.getpeername())
