"""A thousand malformed frames and requests at a panel: does it answer, and without a traceback?

python -m benchmarks.panel.malformed
python -m benchmarks.panel.malformed --cases 300 --seed 2
"""

import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import httpx

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run

_STARTS_S, _STARTING_S, _ANSWERS_S = 60.0, 0.05, 0.3
_SOCKETS = (
    "/ws/command",
    "/ws/stop",
    "/ws/camera/0",
    "/_nicegui_ws/socket.io/?EIO=4&transport=websocket",
)
_PATHS = (
    *("/", "/show", "/stop", "/view", "/look/0/0/0.jpg", "/picture/rig/six.svg", "/static/x"),
    *("/api/v1/commands", "/api/v1/state", "/api/v1/runs", "/api/v1/runs/last", "/api/v1"),
    *("/api/v1/cameras/0.jpg", "/_nicegui_ws/socket.io/?EIO=4&transport=polling", "/ws/command"),
)
_TEXTS = (
    *("", "{", "null", "[]", "[" * 20_000, '"', "\0", "\ud800", "0", "40", "41", "42", "45-x", "6"),
    *('42["event"]', '42["event",{}]', '42["event",{"client_id":7}]', '42["handshake",5]', "4"),
    *('40{"client_id":1}', '42["javascript_response",{}]', '451-["x",{"_placeholder":true}]'),
    *('{"lease":5}', '{"lease":"take","token":7}', '{"lease":"\0"}', '{"id":1e999}'),
    '{"id":1,"sent_s":0,"lease":"x","do":{"command":"solve"}}',
    '{"id":1,"sent_s":null,"do":{"command":"turn","moves":"\\u0000"}}',
    '{"command":"use_camera","number":0,"source":"\\u0000"}',
    '{"command":"hand_begin","camera":"/dev/\\u0000"}',
)

_HEADERS = (
    *('Cookie: a={"b":1}', "Cookie: \xff=\xfe", "Authorization: Bearer \xff", "Range: bytes=9-1"),
    *("Accept-Language: ;q=,\xff", "Origin: http://[", "Content-Type: multipart/form-data"),
    *("Upgrade: websocket", "X-Forwarded-Host: \xff", "Transfer-Encoding: x", "X: " + "y" * 9000),
)


def _frame(rng: random.Random) -> bytes:
    """Return a frame of a WebSocket with errors in its header or its content."""
    kind = rng.randrange(6)
    content = rng.choice(_TEXTS).encode("utf-8", "surrogatepass")
    if kind == 0:
        content = rng.randbytes(rng.randrange(1, 200))
    opcode = rng.choice((0, 1, 1, 1, 2, 2, 8, 9, 10, 3, 15)) if kind < 5 else 1
    first = rng.choice((0x80, 0x80, 0x80, 0, 0xC0)) | opcode
    masked = 0 if kind == 1 else 0x80
    size = len(content) if kind != 2 else rng.choice((0, 126, 2**40))
    if size < 126:
        head = bytes((first, masked | size))
    elif size < 65536:
        head = bytes((first, masked | 126)) + struct.pack("!H", size)
    else:
        head = bytes((first, masked | 127)) + struct.pack("!Q", size)
    mask = rng.randbytes(4) if masked else b""
    return (
        head + mask + bytes(each ^ mask[n % 4] if mask else each for n, each in enumerate(content))
    )


def _request(rng: random.Random) -> bytes:
    """Return a request with errors in its line, its headers or its body."""
    path = rng.choice(_PATHS)
    match rng.randrange(7):
        case 0:
            return rng.randbytes(rng.randrange(1, 300))
        case 1:
            path += rng.choice("?&/") + quote(rng.randbytes(12))
        case 2:
            path = rng.choice(
                ("/look/-1/x/9.jpg", "/look/99999999999999999999/0/0.jpg", "/%00", "/%ff")
            )
        case 3:
            path += rng.choice(
                ("?card=\0", "?tab=%00", "?limit=x", "?limit=1e9", "?run=%ff", "?=&&==")
            )
        case _:
            pass
    method = rng.choice(("GET", "POST", "PUT", "HEAD", "OPTIONS", "\0", "GET" * 99))
    body = rng.choice(_TEXTS).encode("utf-8", "surrogatepass")
    length = rng.choice((str(len(body)), str(len(body)), "-1", "x", "99999999999999999999"))
    header = rng.choice(_HEADERS)
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n"
    head += f"Content-Length: {length}\r\n\r\n"
    return head.encode("latin-1") + body


def _send(port: int, rng: random.Random) -> None:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as client:
        client.settimeout(_ANSWERS_S)
        if rng.random() < 0.4:
            client.sendall(_request(rng))
        else:
            client.sendall(
                f"GET {rng.choice(_SOCKETS)} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                "Sec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            client.recv(4096)
            for _ in range(rng.randrange(1, 4)):
                client.sendall(_frame(rng))
        client.recv(4096)


def measure(given: Given, report: Report) -> Rows:
    """Send everything, and read what the panel says of it."""
    rng = random.Random(int(given.seed))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, Path(folder, "errors").open("w+") as errors:
        own = {f"THISTLEBOT_{name}_DIR": folder for name in ("CONFIG", "STATE", "DATA")}
        words = ("-m", "thistlebot", "serve", "--virtual", "--http-port", str(port))
        panel = subprocess.Popen(
            [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=errors, env=os.environ | own
        )
        try:
            _stopping_time(port, _STARTS_S)
            longest_s = 0.0
            for number in range(int(given.cases)):
                _send(port, rng)
                if number % 20 == 0:
                    longest_s = max(longest_s, _stopping_time(port, 10.0))
            lives = panel.poll() is None
        finally:
            panel.terminate()
            panel.wait(30)
        errors.seek(0)
        said = errors.read()
    if given.show:
        report.screen.note(said)
    yield Figure("malformed frames and requests", int(given.cases))
    yield Figure("tracebacks", said.count("Traceback"), "", "0", "Traceback" not in said)
    yield Figure("lines of log", said.count("\n"))
    yield Figure("longest answer to STOP", longest_s, "s", "below 1", longest_s < 1)
    yield Figure("lives", float(lives), "", "1", lives)


def _stopping_time(port: int, most_s: float) -> float:
    """Press STOP until it is answered; return how long it took."""
    began_s = time.monotonic()
    while time.monotonic() < began_s + most_s:
        with suppress(httpx.TransportError):
            httpx.post(f"http://127.0.0.1:{port}/stop", timeout=5).raise_for_status()
            return time.monotonic() - began_s
        time.sleep(_STARTING_S)  # it does not listen yet
    raise TimeoutError("STOP is not answered")


if __name__ == "__main__":
    run(parser_of(__doc__ or "", cases=1000.0, seed=1.0, show=False), measure)
