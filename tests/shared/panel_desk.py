"""A panel in a process of its own, and what a front end other than a browser says to it."""

import functools
import json
import operator
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

from prepared import ROOT, cache_of_tests

READY_S = 60.0


def environment_of(folder: Path) -> dict[str, str]:
    """Return the environment of a panel that keeps its files in a folder."""
    # NiceGUI serves otherwise below pytest
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(Path(__file__).parent)))
    for name in ("CONFIG", "STATE", "DATA"):
        environment[f"THISTLEBOT_{name}_DIR"] = str(folder / name.lower())
    return environment | {"THISTLEBOT_CACHE_DIR": str(cache_of_tests())}


class PanelProcess:
    """The panel, served, with its files in a folder; `given` is as of `panel_host`."""

    def __init__(self, folder: Path, **given: Any) -> None:
        program = Path(__file__).with_name("panel_host.py")
        self.folder = folder
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed in `close`
        self.process = subprocess.Popen(
            [sys.executable, str(program), json.dumps(given)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=folder,
            env=environment_of(folder),
        )
        self.link = self._line()
        assert self.link, f"the panel did not start: {self.said()}"
        self.url, _, self.token = self.link.partition("?token=")
        self.headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        self.http = httpx.Client(base_url=self.url, headers=self.headers)

    def _line(self) -> str:
        return self.process.stdout.readline().strip()

    def wish(self, **wishes: Any) -> None:
        """Have something otherwise from now on, as `panel_host` says."""
        self.process.stdin.write(json.dumps(wishes) + "\n")
        self.process.stdin.flush()
        assert self._line() == "done", self.said()

    def at_rest(self, hurry: float = 8.0) -> "PanelProcess":
        """End what is under way, and have everything as at the beginning, in a hurry."""
        self.wish(hurry=hurry, person="", faces=6, held=False)
        if self.view()["job"]:
            self.http.post("api/v1/stop")
            self.until(lambda view: not view["job"])
        return self

    def said(self) -> str:
        """What the panel wrote of errors until now."""
        self._errors.seek(0)
        return self._errors.read()

    def view(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self.http.get("api/v1/state").json()["view"]
        except httpx.TransportError:
            code = self.process.wait(10)
            raise AssertionError(f"the panel ended with {code}: {self.said()}") from None
        return found

    def until(
        self, true: Callable[[dict[str, Any]], bool], timeout_s: float = READY_S
    ) -> dict[str, Any]:
        deadline_s = time.monotonic() + timeout_s
        while not true(view := self.view()):
            assert time.monotonic() < deadline_s, view
            assert self.process.poll() is None, "the panel has ended"
            time.sleep(0.05)
        return view

    def ready(self) -> "PanelProcess":
        """Wait until the machine was opened, and has looked if it has a rig."""
        self.until(lambda view: "calibrate" in view["panes"])
        return self

    @contextmanager
    def paused(self) -> Iterator[None]:
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
            self.http.close()
            said = self.said()
            self._errors.close()
            sys.stderr.write(said)  # pytest shows it where a test failed
        return code


@contextmanager
def served(folder: Path, **given: Any) -> Iterator[PanelProcess]:
    """Serve a panel, once it is ready, and have it end as it should."""
    panel = PanelProcess(folder, **given)
    try:
        yield panel.ready()
    finally:
        assert panel.close() == 6  # asked to end


class Watcher:
    """A front end: sees everything, and may give orders."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.view: dict[str, Any] = {}
        self.answers: list[dict[str, Any]] = []
        self.offset_s = 0.0
        self.ticked = False
        self._number = 0

    def hear(self) -> None:
        """Take the next message, if one comes soon."""
        try:
            message: dict[str, Any] = json.loads(self.socket.recv(0.05))
        except TimeoutError:
            return
        match message["type"]:
            case "view":
                self.view = message["view"]
            case "changes":
                for place, value in message["changes"].items():
                    *outer, name = place.split(".")
                    functools.reduce(operator.getitem, outer, self.view)[name] = value
            case "tick":
                self.offset_s = message["now_s"] - time.monotonic()
                self.ticked = True
            case _:
                self.answers.append(message)

    def until(self, true: Callable[["Watcher"], bool], timeout_s: float = READY_S) -> "Watcher":
        deadline_s = time.monotonic() + timeout_s
        while not true(self):
            assert time.monotonic() < deadline_s, self.view
            self.hear()
        return self

    def begin(self, command: dict[str, Any]) -> None:
        """Have a run begun, as soon as the machine has none and takes orders."""
        self.until(lambda each: each.ticked)  # orders expire by the server's clock
        run = self.view["run"]
        deadline_s = time.monotonic() + READY_S
        while (answer := self.order(command))["type"] != "taken":
            assert answer["kind"] in {"busy", "expired"}, answer
            assert time.monotonic() < deadline_s, answer
        self.until(lambda each: each.view["run"] > run)

    def do(self, command: dict[str, Any]) -> dict[str, Any]:
        self.begin(command)
        self.until(lambda each: not each.view["job"])
        return self.view

    def order(self, command: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        number = self._number
        order = {"id": number, "sent_s": time.monotonic() + self.offset_s, "do": command}
        self.socket.send(json.dumps(order))
        self.until(lambda watcher: any(each.get("id") == number for each in watcher.answers))
        return next(each for each in self.answers if each.get("id") == number)
