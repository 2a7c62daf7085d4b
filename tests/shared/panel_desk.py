"""A panel in a process of its own, and what a front end other than a browser says to it."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

READY_S = 60.0


class PanelProcess:
    """The panel, served."""

    def __init__(self, **wishes: Any) -> None:
        program = Path(__file__).with_name("panel_host.py")
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed in `close`
        self.process = subprocess.Popen(
            [sys.executable, str(program), json.dumps(wishes)],
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        assert self.link, f"the panel did not start: {self.said()}"
        self.url, _, self.token = self.link.partition("?token=")
        self.headers = {"authorization": f"Bearer {self.token}"} if self.token else {}

    def said(self) -> str:
        """What the panel wrote of errors until now."""
        self._errors.seek(0)
        return self._errors.read()

    def view(self) -> dict[str, Any]:
        """Ask for the view."""
        try:
            found: dict[str, Any] = httpx.get(f"{self.url}view", headers=self.headers).json()
        except httpx.ConnectError:
            code = self.process.wait(10)
            raise AssertionError(f"the panel ended with {code}: {self.said()}") from None
        return found

    def until(
        self, true: Callable[[dict[str, Any]], bool], timeout_s: float = READY_S
    ) -> dict[str, Any]:
        """Wait until the view is so."""
        deadline_s = time.monotonic() + timeout_s
        while not true(view := self.view()):
            assert time.monotonic() < deadline_s, view
            assert self.process.poll() is None, "the panel has ended"
            time.sleep(0.02)
        return view

    def ready(self) -> "PanelProcess":
        """Wait until the machine takes orders."""
        self.until(lambda view: view["look"]["number"] >= 0)
        time.sleep(0.5)  # the solver is warmed up after the first look
        return self

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let the server hang for a while."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def connect(self, path: str = "ws/command", **headers: str) -> ClientConnection:
        """Open a socket of the panel, as a front end that is no browser."""
        address = self.url.replace("http", "ws", 1) + path
        return connect(address, additional_headers={**self.headers, **headers}, proxy=None)

    def close(self) -> int:
        """End the panel as a service manager does, and return its exit code."""
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGTERM)
        try:
            code = self.process.wait(30)
        finally:
            self.process.kill()
            said = self.said()
            self._errors.close()
            sys.stderr.write(said)  # pytest shows it where a test failed
        return code


class Watcher:
    """A front end: hears everything, and may give orders.

    Args:
        socket: As of `PanelProcess.connect`.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.view: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.numbers: list[int] = []
        self.answers: list[dict[str, Any]] = []
        self.lease = ""
        self.offset_s = 0.0
        self._number = 0

    def hear(self, timeout_s: float = 0.05) -> dict[str, Any] | None:
        """Take the next message; None when none came in time."""
        try:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout_s))
        except TimeoutError:
            return None
        match message["type"]:
            case "view":
                self.view = message["view"]
                self.numbers.append(message["seq"])
            case "event":
                self.events.append(message["event"])
                self.numbers.append(message["seq"])
            case "tick":
                self.lease = message["lease"]
                self.offset_s = message["now_s"] - time.monotonic()
            case _:
                self.answers.append(message)
        return message

    def until(self, true: Callable[["Watcher"], bool], timeout_s: float = READY_S) -> "Watcher":
        """Listen until it is so."""
        deadline_s = time.monotonic() + timeout_s
        while not true(self):
            assert time.monotonic() < deadline_s, self.view
            self.hear()
        return self

    def take(self) -> "Watcher":
        """Take control, as soon as whoever had it is gone for good."""
        asked_s = -1.0
        while not self.lease:
            if time.monotonic() - asked_s > 1.0:
                self.socket.send('{"lease":"take"}')
                asked_s = time.monotonic()
            self.hear()
        return self

    def order(self, command: dict[str, Any], late_s: float = 0.0, **fields: Any) -> dict[str, Any]:
        """Give an order, and return the answer."""
        self._number += 1
        number = self._number
        order = {
            "id": number,
            "sent_s": time.monotonic() + self.offset_s - late_s,
            "lease": self.lease,
            "do": command,
            **fields,
        }
        self.socket.send(json.dumps(order))
        self.until(lambda watcher: any(each.get("id") == number for each in watcher.answers))
        return next(each for each in self.answers if each.get("id") == number)
