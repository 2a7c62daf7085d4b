"""A cable between host and board that can be noisy or unplugged."""

import contextlib
import multiprocessing
import os
import random
import select
import tty
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

_FORK = multiprocessing.get_context("fork")
_PIECE = 4096


class Relay:
    """The host's end is a pseudo-terminal behind a link; it vanishes while the cable is off."""

    def __init__(self, link: Path, device: str) -> None:
        self.link = link
        self._line, line = _FORK.Pipe()
        self._process = _FORK.Process(target=_serve, args=(link, device, line), daemon=True)
        self._process.start()
        self._line.recv()

    def noise(self, share: float, seed: int) -> None:
        """Damage this share of the bytes, and lose and duplicate as many; 0 for an intact line."""
        self._ask(("noise", (share, seed)))

    def unplug(self) -> None:
        """Unplug the cable."""
        self._ask(("unplug", None))

    def plug(self) -> None:
        """Plug it in again; the board was left running."""
        self._ask(("plug", None))

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.join()

    def _ask(self, question: tuple[str, Any]) -> None:
        self._line.send(question)
        self._line.recv()


class _Cable:
    """The relay's process."""

    def __init__(self, link: Path, device: str) -> None:
        self._link = link
        self._board = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._board)
        self._ends: tuple[int, int] | None = None
        self._share, self._rng = 0.0, random.Random(0)
        self.plug()

    def plug(self) -> None:
        """Make the host's end."""
        if self._ends is None:
            self._ends = os.openpty()
            tty.setraw(self._ends[1])
            fresh = self._link.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(self._ends[1]))
            fresh.replace(self._link)

    def unplug(self) -> None:
        """Take the host's end away."""
        if self._ends is not None:
            self._link.unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def hear(self, question: str, value: Any) -> None:
        """Execute a request of the campaign."""
        match question:
            case "noise":
                self._share, self._rng = value[0], random.Random(value[1])
            case "unplug":
                self.unplug()
            case "plug":
                self.plug()

    def sources(self) -> list[int]:
        """Return where bytes may come from."""
        return [self._board] if self._ends is None else [self._board, self._ends[0]]

    def carry(self, source: int) -> None:
        """Transfer arrived bytes to the other end."""
        with contextlib.suppress(OSError):  # nobody is there, or the line is full
            data = self._damaged(os.read(source, _PIECE))
            if source != self._board:
                os.write(self._board, data)
            elif self._ends is not None:
                os.write(self._ends[0], data)

    def _damaged(self, data: bytes) -> bytes:
        if not self._share:
            return data
        arriving = bytearray()
        for byte in data:
            if self._rng.random() < self._share:
                continue
            flipped = self._rng.random() < self._share
            arriving.append(byte ^ 1 << self._rng.randrange(8) if flipped else byte)
            if self._rng.random() < self._share:
                arriving.append(byte)
        return bytes(arriving)


def _serve(link: Path, device: str, line: Connection) -> None:
    cable = _Cable(link, device)
    line.send(None)
    asked = line.fileno()
    while True:
        for ready in select.select([asked, *cable.sources()], [], [])[0]:
            if ready == asked:
                cable.hear(*line.recv())
                line.send(None)
                break  # the ends may have changed
            cable.carry(ready)
