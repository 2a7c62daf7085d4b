"""The machine among visitors who press too often; in simulated time."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from world import Agenda

from cube.state import SOLVED
from frontends.exhibition import kiosk
from frontends.exhibition.kiosk import _Kiosk, serve_cubes
from robot.rigs.catalogue import default_rig_text
from thistlebot.config import Folders
from thistlebot.errors import MisreadError
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import QUICK
from thistlebot.terminal.screen import Screen

LONGEST_S = 300.0
ASKS, SOLVES = "_ask_for_cube", "_solve"
"""What the show does, by its methods."""


def leave() -> None:
    signal.raise_signal(signal.SIGINT)


class Booth(Screen):
    """A virtual machine, the button on its board, and visitors who react to what it does.

    `reactions` are what a visitor does at the first of each, in their order.
    """

    opened: Machine

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.clock = Agenda()
        self.did: list[str] = []
        self.reactions: list[tuple[str, Callable[[], object]]] = []
        self.solved = 0
        self.packets: list[str] = []
        for name in (ASKS, SOLVES):
            patch.setattr(_Kiosk, name, self._watched(getattr(_Kiosk, name), name))

    def _watched(self, method: Callable[..., object], name: str) -> Callable[..., object]:
        def watched(show: _Kiosk, *args: Any) -> object:
            self._react(name)
            try:
                return method(show, *args)
            finally:
                self.solved = show.solved

        return watched

    def _react(self, done: str) -> None:
        self.did.append(done)
        if self.reactions and self.reactions[0][0] == done:
            self.reactions.pop(0)[1]()

    def press(self) -> None:
        self.later(0.0, self.opened.world.rig.press_button)

    def later(self, time_s: float, *actions: Callable[[], object]) -> None:
        self.clock.later(time_s, *actions)

    def serve(
        self, rig: str | Path | None = None, *, left: bool = True, as_json: bool = False
    ) -> None:
        """Serve cubes until somebody leaves, or presses q; nobody stays for ever."""
        self.later(LONGEST_S, leave)
        choices, folders = Choices(rig and Path(rig), virtual=True), Folders.of_platform()
        has_left = False
        try:
            serve_cubes(choices, folders, QUICK, self, self._opening, as_json=as_json)
        except KeyboardInterrupt:
            has_left = True
        assert has_left == left
        assert not self.reactions, self.did

    @contextmanager
    def _opening(self, *given: Any, **named: Any) -> Iterator[Machine]:
        with open_machine(*given, on_packet=self._hear, **named) as self.opened:
            self.opened._clock = self.clock
            yield self.opened

    def _hear(self, packet: str) -> None:
        self.packets.append(packet)


@pytest.fixture
def booth(monkeypatch: pytest.MonkeyPatch) -> Booth:
    return Booth(monkeypatch)


def test_the_button_starts_each_cube_and_each_has_a_record(
    booth: Booth, capsys: pytest.CaptureFixture[str]
) -> None:
    booth.reactions = [
        (ASKS, booth.press),
        (ASKS, booth.press),
        (ASKS, leave),
    ]
    booth.serve(as_json=True)
    lines = capsys.readouterr().out.splitlines()
    records = [json.loads(line) for line in lines if line.startswith("{")]
    assert [record["verified"] for record in records] == [True, True]
    assert records[0]["facelets"] != records[1]["facelets"]


def test_an_error_ends_the_current_cube_only(
    booth: Booth, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def misread(*_: object, **__: object) -> object:
        raise MisreadError("too dark", ("U",))

    monkeypatch.setattr(kiosk, "session_for", misread)
    booth.reactions = [(ASKS, booth.press), (ASKS, leave)]
    booth.serve(as_json=True)
    (line,) = (each for each in capsys.readouterr().out.splitlines() if each.startswith("{"))
    assert json.loads(line)["error"]["type"] == "MisreadError"


def test_presses_of_the_space_bar_while_it_works_are_dropped_and_q_ends(
    booth: Booth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a terminal: one cube is solved, however often somebody presses meanwhile."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    master, slave = pty.openpty()

    def typed(keys: bytes) -> Callable[[], object]:
        return lambda: booth.later(0.5, lambda: os.write(master, keys))

    booth.reactions = [(ASKS, typed(b" ")), (SOLVES, typed(b" " * 20)), (ASKS, typed(b"q"))]
    with os.fdopen(slave) as keyboard, monkeypatch.context() as patch:
        patch.setattr("sys.stdin", keyboard)
        booth.serve(left=False)
    os.close(master)
    assert booth.solved == 1


def test_the_buzzer_sounds_after_a_solve(booth: Booth, tmp_path: Path) -> None:
    """The board switches it on, and off again before the next press."""
    rig = tmp_path / "rig.toml"
    rig.write_text("buzzer = 2\n" + default_rig_text(), encoding="utf-8")
    booth.reactions = [(ASKS, booth.press), (ASKS, leave)]
    booth.serve(rig)
    assert booth.solved == 1
    assert booth.opened.world.rig.state == SOLVED
    switched = [packet for packet in booth.packets if "→" in packet and "OUTPUT" in packet]
    assert len(switched) == 2, booth.packets[-9:]
