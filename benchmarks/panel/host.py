"""The panel on the virtual machine; it reports the times of traffic on the wire and the hub."""

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from frontends.control.hub import Hub
from frontends.control.view_model.notices import Told
from frontends.panel.address import panel_url
from frontends.panel.server.access import Access
from frontends.panel.server.serving import listen, serve, served_machine
from robot.protocol.frames import FrameDecoder, Packet
from robot.protocol.messages import Abort
from thistlebot.config import Folders
from thistlebot.events import Turned
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach

NOTHING = "nothing"
"""Instead of a rig: no choice was made yet."""


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


def hear_wishes(machines: list[Machine]) -> None:
    """Cover the stickers that each line of the input names: the cameras do not see them."""
    for line in sys.stdin:
        covered = tuple(json.loads(line)["covered"])
        for camera in machines[0].world.cameras:
            camera._covered = lambda names=covered: names  # type: ignore[attr-defined]
    os.kill(os.getpid(), signal.SIGTERM)  # the benchmark has ended


def main(budget_ms: float, rig: str) -> None:
    """Serve on a free port until the program is ended.

    Args:
        budget_ms: Time for each plan.
        rig: Empty for the usual virtual machine, or `NOTHING`.
    """
    machines: list[Machine] = []

    @contextmanager
    def opening(*given: Any, **named: Any) -> Iterator[Machine]:
        with open_machine(*given, **named) as machine:
            if machine.choices.virtual:
                watch_wire(machine)
            machines[:] = [machine]
            yield machine

    choices = Choices() if rig == NOTHING else Choices(virtual=True)
    served = served_machine(choices, Folders.of_platform(), Approach(budget_ms=budget_ms))

    def heard(told: Told) -> None:
        if isinstance(told, Turned):
            tell(told="turned", run=hub.view.run, done=told.done)

    hub = Hub(served.hub.view, heard)
    served = replace(served, hub=hub, setup=replace(served.setup, opening=opening))
    threading.Thread(target=hear_wishes, args=(machines,), daemon=True).start()
    port = listen("127.0.0.1", 0)
    url = panel_url(("127.0.0.1", port.getsockname()[1]), "")
    serve(served, Access(), port, lambda: tell(told="url", url=url))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as `thistlebot` does
    with contextlib.suppress(OSError):  # as root, and on Linux: like the service's CPUWeight
        os.setsid()
        Path("/proc/self/autogroup").write_text("-10")
    with contextlib.suppress(KeyboardInterrupt):
        main(float(sys.argv[1]), sys.argv[2])
