"""`thistlebot serve` for tests: run as a program, it prints its address.

The first argument is JSON. With ``camera`` there is no rig, and this file is the webcam's; with
``first`` no machine is named; else the virtual machine is served, which plans in ``budget_ms`` if
given. ``host`` is where to listen, ``names`` and ``proxy`` are as of `Access.of`. Each line that
comes in later is JSON, too, changes how things are from now on, and is answered by a line:

- ``hurry``: so many times faster than real time the virtual machine lives;
- ``held``: whether a machine that is to be opened has to wait;
- ``covered``: stickers that its cameras do not see;
- ``person``: moves of a cube that somebody holds before the webcam, who shows no more than
  ``faces`` until it is told otherwise.
"""

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hand_person import Person

from cube.moves import MoveSequence
from cube.state import SOLVED
from frontends.control.hub import Hub
from frontends.control.view_model.view import ViewModel
from frontends.panel.address import panel_url
from frontends.panel.server import feeds
from frontends.panel.server.access import Access
from frontends.panel.server.serving import listen, serve, served_machine
from thistlebot.config import Folders
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import QUICK, Approach, Method
from vision.cameras.camera import Camera


class PacedClock:
    """Real time that passes faster or slower, as is wished from moment to moment."""

    def __init__(self) -> None:
        self._factor = 1.0
        self._since_s = time.monotonic()
        self._passed_s = 0.0

    def pace(self, factor: float) -> None:
        now_s = self.now_s()
        self._since_s, self._passed_s, self._factor = time.monotonic(), now_s, factor

    def now_s(self) -> float:
        return self._passed_s + (time.monotonic() - self._since_s) * self._factor

    def sleep(self, duration_s: float) -> None:
        time.sleep(max(0.0, duration_s) / self._factor)


class Stage:
    """What is played before the cameras of the panel, and how fast."""

    def __init__(self) -> None:
        self.clock = PacedClock()
        self.wishes: dict[str, Any] = {}
        self.hub = Hub(ViewModel("none"))

    @contextmanager
    def opening(self, choices: Choices, folders: Folders, **named: Any) -> Iterator[Machine]:
        """Open a machine that lives on this stage."""
        while self.wishes.get("held"):
            time.sleep(0.05)
        with ExitStack() as stack:
            if not choices.virtual:
                machine: Machine = BesideTheStage(choices, folders, stack, **named)
                machine.stage = self  # type: ignore[attr-defined]
            else:
                machine = stack.enter_context(open_machine(choices, folders, **named))
                machine._clock = self.clock
                for camera in machine.world.cameras:
                    camera._covered = lambda: tuple(self.wishes.get("covered", ()))  # type: ignore[attr-defined]
            yield machine

    def listen(self) -> None:
        for line in sys.stdin:
            self.wishes |= json.loads(line)
            self.clock.pace(self.wishes.get("hurry", 1.0))
            print("done", flush=True)  # noqa: T201 - whoever wished it reads it


class BesideTheStage(Machine):
    """A machine whose webcam sees the person on the stage, if there is one."""

    stage: Stage

    @contextmanager
    def lend_camera(self, source: int | str) -> Iterator[Camera]:
        wishes = self.stage.wishes
        if moves := wishes.get("person"):
            state = SOLVED.apply(MoveSequence.parse(moves).inverse())
            view = lambda: self.stage.hub.view  # noqa: E731
            faces = lambda: wishes.get("faces", 6)  # noqa: E731
            yield Person(state, view, faces=faces, most=10**7)
        else:
            with super().lend_camera(source) as camera:
                yield camera


def main(given: dict[str, Any]) -> None:
    choices, approach = Choices(virtual=True), Approach(Method.THISTLETHWAITE, budget_ms=20.0)
    if "camera" in given:
        choices, approach = Choices(port="/dev/no-such-port", cameras=(given["camera"],)), QUICK
    if "first" in given:
        choices = Choices()
    if "budget_ms" in given:
        approach = Approach(budget_ms=given["budget_ms"])
    feeds._PERIOD_S = 1.0  # pictures for eyes, of which there are none
    folders = Folders.of_platform()
    stage = Stage()
    served = served_machine(choices, folders, approach)
    served = replace(served, setup=replace(served.setup, opening=stage.opening))
    stage.hub = served.hub
    threading.Thread(target=stage.listen, daemon=True).start()
    host = given.get("host", "127.0.0.1")
    port = listen(host, 0)
    names, proxy = given.get("names", ()), given.get("proxy", "")
    access = Access.of(host, Path(folders.state) / "panel-token", names, proxy)
    url = panel_url((host, port.getsockname()[1]), access.token)
    serve(served, access, port, lambda: print(url, flush=True))  # noqa: T201


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as `thistlebot` does
    try:
        main(json.loads(sys.argv[1]))
    except KeyboardInterrupt:
        sys.exit(6)
