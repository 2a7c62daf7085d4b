"""A virtual rig behind a real pseudo-terminal, in modelled time that is real time."""

import os
import select
import threading
import tty
from collections.abc import Callable, Iterator

import pytest

from robot.clock import MonotonicClock
from robot.faults import Faults
from robot.rig import Rig, default_rig
from robot.virtual_rig import VirtualRig

PtyRig = tuple[str, VirtualRig]


class _PtyServer:
    """Carries bytes between a pseudo-terminal and a virtual rig until it is stopped."""

    def __init__(self, rig: VirtualRig) -> None:
        self.rig = rig
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._stop.is_set():
            readable, _, _ = select.select([self._master], [], [], 0.001)
            if readable:
                self.rig.write(os.read(self._master, 4096))
            data = self.rig.read(0.001)
            if data:
                os.write(self._master, data)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def rig() -> Rig:
    return default_rig()


@pytest.fixture
def pty_rig(rig: Rig) -> Iterator[Callable[..., PtyRig]]:
    servers = []

    def start(faults: Faults | None = None) -> PtyRig:
        server = _PtyServer(VirtualRig(rig, MonotonicClock(), faults=faults))
        servers.append(server)
        return server.path, server.rig

    yield start
    for server in servers:
        server.close()
