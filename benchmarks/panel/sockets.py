"""Hostile clients at the panel's sockets, one or two kinds at a time, while a cube is turned.

One program controls the machine like a page. In the middle of its run, hostile clients connect;
then the run ends normally, and its claims are compared with the cube, or STOP is requested, and
must be on the wire within a second. Afterwards it must be possible to take control.
"""

import base64
import json
import queue
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.exceptions import WebSocketException
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from benchmarks.panel.connected import LONG, PanelHost
from benchmarks.report import CaseOutcome

STOP_S = 1.0
_TRIES, _AGAIN_S = 40, 0.5
"""Number of attempts to take control and to send a command, and the interval between them."""
_BEGIN_S, _RUN_S = 20.0, 90.0
_HALF = b"POST /stop HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
_LARGE = b"x" * 50_000_000
_MOST_MB_MORE = 150.0
_JUNK = (
    *("", "{", "null", "[" * 50_000, '{"id":1e999}', '{"lease":5}', '{"lease":"take","token":7}'),
    '{"id":-1,"sent_s":0,"lease":"","do":{"command":"solve"}}',
    '{"id":1,"sent_s":9e99,"lease":"x","do":{"command":"turn","moves":"%s"}}' % ("U " * 9999),
    '{"id":1,"sent_s":0,"lease":"x","do":{"command":"no such"}}',
)


class Controller:
    """A program that controls the machine, and receives everything that a page receives.

    Attributes:
        view: The view.
        gone: Whether it has disconnected.
    """

    def __init__(self, url: str) -> None:
        self._socket = connect(f"ws{url.removeprefix('http')}ws/command", proxy=None)
        self.view: dict[str, Any] = {}
        self._lease, self._now_s, self._number = "", 0.0, 0
        self._answers: dict[int, str] = {}
        self.gone = False
        self._heard = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        self.until(lambda: bool(self.view), _BEGIN_S)

    def _listen(self) -> None:
        with suppress(WebSocketException):
            for text in self._socket:
                if self.gone:
                    return
                with self._heard:
                    self._hear(json.loads(text))
                    self._heard.notify_all()

    def _hear(self, said: dict[str, Any]) -> None:
        match said:
            case {"type": "view"}:
                self.view = said["view"]
            case {"type": "tick"}:
                self._lease, self._now_s = said["lease"], said["now_s"] - time.monotonic()
                if self._lease:
                    self._socket.send('{"lease":"keep"}')
            case {"type": "taken" | "refused", "id": int(number)}:
                self._answers[number] = said["type"]

    def until(self, true: Callable[[], bool], most_s: float) -> bool:
        """Wait for a condition; return False if it does not become true."""
        with self._heard:
            return self._heard.wait_for(true, most_s)

    def take_control(self) -> bool:
        """Request control until it is given; return False if it is not."""
        for _ in range(_TRIES):
            self._socket.send('{"lease":"take"}')
            if self.until(lambda: bool(self._lease), _AGAIN_S):
                return True
        return False

    def begin(self, command: str, **fields: str) -> bool:
        """Begin a run; return False if it is refused repeatedly."""
        before = self.view["run"]
        for _ in range(_TRIES):
            self._number += 1
            number, seen = self._number, self.view
            order = {"id": number, "lease": self._lease, "do": {"command": command} | fields}
            order["sent_s"] = time.monotonic() + self._now_s
            self._socket.send(json.dumps(order))
            self.until(partial(self._answers.__contains__, number), _BEGIN_S)
            if self._answers.get(number) == "taken":
                return self.until(lambda: self.view["run"] > before, _BEGIN_S)
            self.until(partial(self._news, seen), _AGAIN_S)
        return False

    def _news(self, seen: dict[str, Any]) -> bool:
        """Return whether the view has changed."""
        return self.view is not seen

    @property
    def idle(self) -> bool:
        """Return whether no run is active."""
        return not self.view["job"]

    def vanish(self, rng: random.Random) -> None:
        """Stop answering; the connection is reset, or stays open."""
        self.gone = True
        if rng.random() < 0.5:
            own = self._socket.socket
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._socket.close_socket()

    def close(self) -> None:
        """Leave."""
        self.gone = True
        with suppress(OSError, WebSocketException):
            self._socket.close()


@dataclass(frozen=True, slots=True)
class Strike:
    """The context of hostile clients."""

    url: str
    stack: ExitStack
    rng: random.Random
    controller: Controller

    def opened(self) -> socket.socket:
        """Open a connection."""
        address = urlsplit(self.url)
        return self.stack.enter_context(
            socket.create_connection((address.hostname, address.port), timeout=10)
        )

    def upgraded(self, path: str = "ws/command", origin: str = "") -> socket.socket:
        """Open a WebSocket connection that is never read."""
        key, netloc = base64.b64encode(self.rng.randbytes(16)).decode(), urlsplit(self.url).netloc
        lines = (
            *(f"GET /{path} HTTP/1.1", f"Host: {netloc}", "Upgrade: websocket"),
            *("Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"),
            *([f"Origin: {origin}"] if origin else []),
        )
        opened = self.opened()
        opened.sendall("\r\n".join((*lines, "", "")).encode())
        return opened


def _half_requests(strike: Strike) -> None:
    for _ in range(strike.rng.choice((20, 200, 1200))):
        strike.opened().sendall(_HALF[: strike.rng.randrange(1, len(_HALF))])


def _junk(strike: Strike) -> None:
    for _ in range(40):
        with suppress(OSError):
            strike.opened().sendall(strike.rng.randbytes(strike.rng.randrange(1, 5000)))


def _junk_frames(strike: Strike) -> None:
    for _ in range(20):
        text = strike.rng.choice(_JUNK).encode()
        with suppress(OSError):
            one = strike.upgraded()
            one.sendall(Frame(Opcode.TEXT, text).serialize(mask=True))
            one.sendall(Frame(Opcode.BINARY, strike.rng.randbytes(99)).serialize(mask=True))
            one.sendall(strike.rng.randbytes(300))


def _large_frames(strike: Strike) -> None:
    for path in ("ws/command", "ws/stop"):
        with suppress(OSError):
            strike.upgraded(path).sendall(Frame(Opcode.TEXT, _LARGE).serialize(mask=True))


def _endless_message(strike: Strike) -> None:
    one = strike.upgraded()
    part = Frame(Opcode.TEXT, b"x" * 60_000, fin=False).serialize(mask=True)
    more = Frame(Opcode.CONT, b"x" * 60_000, fin=False).serialize(mask=True)
    with suppress(OSError):
        one.sendall(part)
        for _ in range(200):
            one.sendall(more)


def _deaf_watchers(strike: Strike) -> None:
    for _ in range(20):
        strike.upgraded()


def _pings(strike: Strike) -> None:
    one = strike.upgraded()
    with suppress(OSError):
        one.settimeout(2.0)  # it does not read the answers, so eventually nothing can be sent
        for _ in range(20_000):
            one.sendall(Frame(Opcode.PING, b"x" * 100).serialize(mask=True))


def _pages_left(strike: Strike) -> None:
    for _ in range(60):
        strike.opened().sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")


def _foreign_pages(strike: Strike) -> None:
    """Send requests from a foreign page; its STOP must be refused, too."""
    evil = "http://evil.example"
    for headers in ({"origin": evil}, {"host": "evil.example"}, {"origin": "null"}):
        httpx.post(f"{strike.url}stop", headers=headers, timeout=20)
    for path in ("ws/command", "ws/stop"):
        with suppress(OSError):
            order = Frame(Opcode.TEXT, b'{"lease":"take"}').serialize(mask=True)
            strike.upgraded(path, origin=evil).sendall(order)


def _rivals(strike: Strike) -> None:
    for _ in range(10):
        one = strike.upgraded()
        for _ in range(5):
            one.sendall(Frame(Opcode.TEXT, b'{"lease":"take"}').serialize(mask=True))


def _controller_vanishes(strike: Strike) -> None:
    strike.controller.vanish(strike.rng)


KINDS: dict[str, Callable[[Strike], None]] = {
    "half requests": _half_requests,
    "junk": _junk,
    "junk in frames": _junk_frames,
    "large frames": _large_frames,
    "a message without end": _endless_message,
    "deaf watchers": _deaf_watchers,
    "pings": _pings,
    "pages loaded and left": _pages_left,
    "pages of others": _foreign_pages,
    "rivals for control": _rivals,
    "the controller vanishes": _controller_vanishes,
}
"""The kinds of hostile behaviour."""


@contextmanager
def strangers_at_sockets(names: list[str]) -> Iterator[Callable[[int], CaseOutcome]]:
    """Serve the virtual machine; play cases of these kinds by number."""
    host = PanelHost(hurry=2.0, budget_ms=50.0)
    try:
        if wrong := _once(host, lambda _: None):
            raise RuntimeError(f"without strangers: {', '.join(wrong)}")
        most_mb = host.sizes()[0] + _MOST_MB_MORE

        def play(number: int) -> CaseOutcome:
            rng = random.Random(number)
            kinds = rng.sample(names, min(len(names), rng.choice((1, 1, 2))))
            struck = 0
            with ExitStack() as stack:

                def strike(controller: Controller) -> None:
                    nonlocal struck
                    for kind in kinds:
                        struck += not controller.idle
                        KINDS[kind](Strike(host.url, stack, rng, controller))

                wrong = _once(host, strike, stopped=rng.random() < 0.5, turned=rng.randrange(6))
            if host.process.poll() is not None:
                wrong.append(f"the program ended: {host.process.returncode}")
            elif (memory_mb := host.sizes()[0]) > most_mb:
                wrong.append(f"{memory_mb:.0f} MB of memory are taken")
            return CaseOutcome(" and ".join(sorted(kinds)), struck, 0, tuple(wrong))

        yield play
    finally:
        host.close()


def _once(
    host: PanelHost,
    strike: Callable[[Controller], None],
    *,
    stopped: bool = False,
    turned: int = 0,
) -> list[str]:
    """Solve or turn a cube while hostile clients connect; return the errors."""
    with ExitStack() as stack:

        def controlling() -> Controller | None:
            one = Controller(host.url)
            stack.callback(one.close)
            return one if one.take_control() else None

        if (first := controlling()) is None:
            return ["nobody can take control"]
        if not _begun(first, stopped, turned):
            return [f"nothing is turned: {first.view['attention']}"]
        host.drain()
        host.records.clear()
        strike(first)
        wrong = _stopped(host, wanted=stopped)
        if (second := controlling() if first.gone else first) is None:
            return [*wrong, "nobody can take control afterwards"]
        if not second.until(lambda: second.idle, _RUN_S):
            return [*wrong, "the run does not end"]
        claims = [(told["claimed"], told["solved"]) for told in _told(host, "verified")]
        wrong += [f"claimed: {claim}, truth: {truth}" for claim, truth in claims if claim != truth]
        if not stopped and not second.view["verified"]:
            wrong.append(f"not solved: {second.view['attention']}")
        return wrong


def _begun(first: Controller, stopped: bool, turned: int) -> bool:
    """Put a cube in, begin a run, and wait for some of its turns or all."""
    return (
        first.begin("put_in")
        and first.until(lambda: first.idle, _RUN_S)
        and (first.begin("turn", moves=LONG) if stopped else first.begin("solve"))
        and first.until(lambda: first.idle or first.view["executed"] > turned, _RUN_S)
    )


def _stopped(host: PanelHost, *, wanted: bool) -> list[str]:
    """Request STOP if wanted; return the errors."""
    if _told(host, "abort"):
        return ["strangers stopped it"]
    if not wanted or _ended(host):
        return []
    asked_s = time.time()
    httpx.post(f"{host.url}stop", timeout=30)
    with suppress(queue.Empty):
        host.wait("abort", STOP_S)
    told = _told(host, "abort")
    if not told and not _ended(host):
        return ["STOP was not heard"]
    late = bool(told) and told[0]["at_s"] - asked_s > STOP_S
    return ["STOP was late"] if late else []


def _told(host: PanelHost, kind: str) -> list[dict[str, Any]]:
    host.drain()
    return [record for record in host.records if record["told"] == kind]


def _ended(host: PanelHost) -> bool:
    with httpx.Client(timeout=30) as client:
        return not client.get(f"{host.url}view").json()["job"]
