"""The panel on the virtual machine; it reports the times of traffic on the wire and the hub."""

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from frontends.control.hub import Hub
from frontends.control.view_model.by_hand import HandPhase, HandTurns, HandView
from frontends.control.view_model.notices import Told
from frontends.panel.address import panel_url
from frontends.panel.server.access import Access
from frontends.panel.server.serving import listen, serve, served_machine
from robot.ports.port import FastClock
from robot.protocol.frames import FrameDecoder, Packet
from robot.protocol.messages import Abort
from thistlebot.config import Folders
from thistlebot.events import Turned, Verified
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach
from vision.cameras.camera import Camera
from vision.frame import Frame
from vision.virtual.viewpoints import HandHeldCube

NO_BOARD, NOTHING = "no board", "nothing"
"""Instead of a rig: one whose board is unplugged, and no choice yet."""
HELD = "R U2 F' L D B2 R' U F D'"
"""Solves the cube that somebody holds before the webcam."""
_PICTURE_S = 1 / 15
_PORT = "/dev/ttyACM9"


def tell(**record: Any) -> None:
    """Write one line for the benchmark."""
    sys.stdout.write(json.dumps(record | {"at_s": time.time()}) + "\n")  # at once: several threads
    sys.stdout.flush()


def watch_wire(machine: Machine) -> None:
    """Report when an ABORT is written to the port."""
    rig = machine.world.rig
    write, decoder = rig.write, FrameDecoder()

    def watched(data: bytes) -> None:
        for found in decoder.feed(data):
            if isinstance(found, Packet) and isinstance(found.message, Abort):
                tell(told="abort")
        write(data)

    rig.write = watched  # type: ignore[method-assign]


class Holder(Camera):
    """A webcam before which somebody shows each face that the page By hand asks for.

    Args:
        hub: Tells which face that is.
        wishes: ``faces``: show only that number of them; ``turned``: a move made in secret.
    """

    name = "webcam"

    def __init__(self, hub: Hub, wishes: Mapping[str, Any]) -> None:
        self._pictures = self._live(hub, wishes)

    def read(self) -> Frame:
        """Return the next picture."""
        time.sleep(_PICTURE_S)
        return next(self._pictures)

    def close(self) -> None:
        """End it; nothing is open."""

    @staticmethod
    def _live(hub: Hub, wishes: Mapping[str, Any]) -> Iterator[Frame]:
        cube, shown = HandHeldCube(SOLVED, seed=3), ""
        while True:
            hand = hub.view.panes.hand
            if hand is not None and hand.phase is HandPhase.SCAN:
                cube.state = _needing(HELD).apply(MoveSequence.parse(wishes.get("turned", "")))
                more = len(hand.captured) < wishes.get("faces", 6)
                if more and hand.wanted not in ("", shown):
                    shown = hand.wanted
                    yield from cube.show(shown)
            yield from cube.hold(1)


def _needing(moves: str) -> CubeState:
    """Return the state that the moves solve."""
    return SOLVED.apply(MoveSequence.parse(moves).inverse())


def play(hub: Hub, machines: list[Machine], wishes: dict[str, Any]) -> None:
    """Do what each line of the input says.

    ``hand``: moves and a number, show them on the page By hand, so many of them made, or null;
    ``covered``: stickers that the cameras do not see; ``pressed``: the emergency stop; others: see
    `Holder`.
    """
    for line in sys.stdin:
        wish = json.loads(line)
        wishes |= wish
        if "hand" in wish:
            hub.show(hand=_guided(*wish["hand"]) if wish["hand"] else None)
        if "covered" in wish:
            for camera in machines[0].world.cameras:
                camera._covered = lambda names=tuple(wish["covered"]): names  # type: ignore[attr-defined]
        if "pressed" in wish:
            board = machines[0].world.rig.board
            (board.press_estop if wish["pressed"] else board.release_estop)()
    os.kill(os.getpid(), signal.SIGTERM)  # the benchmark has ended


def _guided(moves: list[str], done: int) -> HandView:
    state = _needing(" ".join(moves))
    facelets = state.apply(MoveSequence.parse(" ".join(moves[:done]))).to_facelets().text
    way = HandTurns("white", "green", True, tuple(moves), done, facelets)
    return HandView(HandPhase.TURN if moves[done:] else HandPhase.DONE, way=way)


def _choices(rig: str) -> Choices:
    if rig == NOTHING:
        return Choices()
    if rig == NO_BOARD:
        return Choices(port=_PORT)
    return Choices(virtual=True, rig=Path(rig) if rig else None)


def main(hurry: float = 1.0, budget_ms: float = 100.0, rig: str = "") -> None:
    """Serve on a free port until the program is ended.

    Args:
        hurry: How many times faster than real time the virtual machine runs.
        budget_ms: Time for each plan.
        rig: The virtual machine's; by default the usual one; or `NO_BOARD` or `NOTHING`.
    """

    @contextmanager
    def opening(*given: Any, **named: Any) -> Iterator[Machine]:
        with open_machine(*given, **named) as machine:
            machine.lend_camera = held  # type: ignore[assignment]
            if hurry > 1.0:
                machine._clock = FastClock(hurry)
            if machine.choices.virtual:
                watch_wire(machine)
            machines[:] = [machine]
            yield machine

    @contextmanager
    def held(_: int | str) -> Iterator[Camera]:
        yield Holder(hub, wishes)

    machines: list[Machine] = []
    wishes: dict[str, Any] = {}
    approach = Approach(budget_ms=budget_ms)
    served = served_machine(_choices(rig), Folders.of_platform(), approach)

    def heard(told: Told) -> None:
        if isinstance(told, Turned):
            tell(told="turned", run=hub.view.run, done=told.done)
        elif isinstance(told, Verified):
            solved = machines[0].world.rig.state == SOLVED
            tell(told="verified", claimed=told.solved, solved=solved)

    hub = Hub(served.hub.view, heard)
    served = replace(served, hub=hub, setup=replace(served.setup, opening=opening))
    threading.Thread(target=play, args=(hub, machines, wishes), daemon=True).start()
    port = listen("127.0.0.1", 0)
    url = panel_url(("127.0.0.1", port.getsockname()[1]), "")
    serve(served, Access(), port, lambda: tell(told="url", url=url))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as `thistlebot` does
    with contextlib.suppress(OSError):  # as root, and on Linux: like the service's CPUWeight
        os.setsid()
        Path("/proc/self/autogroup").write_text("-10")
    with contextlib.suppress(KeyboardInterrupt):
        main(float(sys.argv[1]), float(sys.argv[2]), *sys.argv[3:])
