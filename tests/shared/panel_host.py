"""`thistlebot serve --virtual` for tests: run as a program, it prints its address.

What the command line cannot ask for is given as JSON in the first argument:

- ``covered``: names of facelets that a finger hides from all cameras;
- ``hurry``: so many times faster than real time the virtual machine lives;
- ``video``: a file whose pictures are the webcam's;
- ``host``: where to listen;
- ``method``: how to solve; by Thistlethwaite's stages, which need no tables that take time.
"""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from robot.ports.clock import FastClock
from thistlebot.config import Folders
from thistlebot.panel.address import panel_url
from thistlebot.panel.server.access import Access
from thistlebot.panel.server.serving import listen, serve, served_machine
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach, Method


def main(wishes: dict[str, Any]) -> None:
    @contextmanager
    def opening(*given: Any, **named: Any) -> Iterator[Machine]:
        with open_machine(*given, **named) as machine:
            if factor := wishes.get("hurry"):
                machine._clock = FastClock(factor)
            if covered := tuple(wishes.get("covered", ())):
                for camera in machine.world.cameras:
                    camera._covered = lambda: covered  # type: ignore[attr-defined]
            yield machine

    cameras = (wishes["video"],) if "video" in wishes else ()
    choices = Choices(virtual="video" not in wishes, cameras=cameras, seed=wishes.get("seed", 0))
    approach = Approach(method=Method(wishes.get("method", Method.THISTLETHWAITE)), budget_ms=20.0)
    served = served_machine(choices, Folders.of_platform(), approach)
    served = replace(served, shop=replace(served.shop, opening=opening))
    host = wishes.get("host", "127.0.0.1")
    port = listen(host, 0)
    access = Access.of(host, Folders.of_platform().state / "panel-token")
    url = panel_url((host, port.getsockname()[1]), access.token)
    serve(served, access, port, lambda: print(url, flush=True))  # noqa: T201 - whoever started it reads it


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as `thistlebot` does
    try:
        main(json.loads(sys.argv[1]) if len(sys.argv) > 1 else {})
    except KeyboardInterrupt:
        sys.exit(6)
