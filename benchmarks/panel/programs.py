"""Programs that use the HTTP interface: `python -m benchmarks.panel.programs URL`.

Five at once: two follow the events, two request the state, runs and pictures ten times a second,
and one sends commands that are refused. Ended by SIGTERM, they print the waiting times.
"""

import json
import signal
import sys
import threading
import time
from contextlib import suppress

from thistlebot.client import Client
from thistlebot.errors import RefusedError

_PERIOD_S = 0.1
"""Pause between two requests: this is the load that is measured."""


def follow(url: str) -> None:
    """Receive every event."""
    for _ in Client(url).events():
        pass


def ask(url: str, times_s: list[float]) -> None:
    """Request everything repeatedly."""
    client = Client(url)
    while True:
        for question in (client.view, lambda: client.runs(20, virtual=True), client.camera):
            began_s = time.monotonic()
            question()
            times_s.append(time.monotonic() - began_s)
            time.sleep(_PERIOD_S)


def command(url: str, times_s: list[float]) -> None:
    """Send commands, which are refused because a browser has control."""
    client = Client(url)
    while True:
        began_s = time.monotonic()
        with suppress(RefusedError):
            client.command("scramble")
        times_s.append(time.monotonic() - began_s)
        time.sleep(_PERIOD_S)


def main(url: str) -> None:
    """Run them until the program is ended."""
    times_s: list[float] = []
    works = [(follow, (url,))] * 2 + [(ask, (url, times_s))] * 2 + [(command, (url, times_s))]
    for work, given in works:
        threading.Thread(target=work, args=given, daemon=True).start()
    with suppress(KeyboardInterrupt):
        signal.sigwait({signal.SIGTERM, signal.SIGINT})
    print(json.dumps(times_s), flush=True)


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    main(sys.argv[1])
