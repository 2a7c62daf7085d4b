"""The machine among visitors who press too often, and when nobody presses; in simulated time."""

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from world import Agenda, cube

from cube.state import SOLVED
from frontends.exhibition.kiosk import SOLVED_ALREADY, _Kiosk, serve_cubes
from robot.rigs.catalogue import default_rig_text
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import QUICK
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.show import Show

LONGEST_S = 300.0
ASKS, SHOWS, SOLVES, ALREADY = "_ask_for_cube", "_attract", "_solve_one", SOLVED_ALREADY
"""What the show does, by its methods, and one thing that it says."""


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
        self._executed, self._touch_after = 0, 10**9
        for name in (ASKS, SHOWS, SOLVES):
            patch.setattr(_Kiosk, name, self._watched(getattr(_Kiosk, name), name))

    def _watched(self, method: Callable[..., object], name: str) -> Callable[..., object]:
        def watched(kiosk: _Kiosk, *args: Any) -> object:
            self._react(name)
            try:
                return method(kiosk, *args)
            finally:
                self.solved = kiosk.solved

        return watched

    def _react(self, done: str) -> None:
        self.did.append(done)
        if self.reactions and self.reactions[0][0] == done:
            self.reactions.pop(0)[1]()

    def line(self, text: str = "") -> None:
        super().line(text)
        if text == ALREADY:
            self._react(ALREADY)

    def press(self, times: int = 1, apart_s: float = 0.1) -> None:
        for number in range(times):
            self.later(number * apart_s, self.opened.world.rig.press_button)

    def later(self, time_s: float, *actions: Callable[[], object]) -> None:
        self.clock.later(time_s, *actions)

    def touch(self) -> None:
        """Press the button again and again once two more steps are turned."""
        self._touch_after = self._executed + 2

    def serve(self, rig: str | Path | None = None, *, left: bool = True, **show: Any) -> None:
        """Serve cubes until somebody leaves, or presses q; nobody stays for ever."""
        self.later(LONGEST_S, leave)
        choices, folders = Choices(rig and Path(rig), virtual=True), Folders.of_platform()
        has_left = False
        try:
            serve_cubes(choices, folders, QUICK, self, self._opening, show=Show(**show))
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
        if told := re.search(r"executed=(\d+)", packet):
            self._executed = int(told[1])
        if self._executed >= self._touch_after:
            self._touch_after = 10**9
            self.press(4, apart_s=0.0)


@pytest.fixture
def booth(monkeypatch: pytest.MonkeyPatch) -> Booth:
    return Booth(monkeypatch)


def test_the_button_starts_each_cube_and_each_has_a_record(
    booth: Booth, capsys: pytest.CaptureFixture[str]
) -> None:
    """A press on the cube that was just solved is answered with a word."""
    booth.reactions = [
        (ASKS, booth.press),
        (ASKS, lambda: booth.later(0.5, booth.press)),
        # It asks once more when somebody has put in another cube.
        (ALREADY, lambda: None),
        (ASKS, booth.press),
        (ASKS, leave),
    ]
    booth.serve(as_json=True)
    lines = capsys.readouterr().out.splitlines()
    records = [json.loads(line) for line in lines if line.startswith("{")]
    assert [record["verified"] for record in records] == [True, True]
    assert records[0]["facelets"] != records[1]["facelets"]
    assert booth.did.count(ALREADY) == 1


@pytest.mark.exhaustive
def test_a_machine_that_moves_the_cube_to_see_it_looks_at_a_press_and_turns_nothing(
    booth: Booth,
) -> None:
    booth.reactions = [
        (ASKS, booth.press),
        (ASKS, lambda: booth.later(0.5, booth.press)),
        (ALREADY, leave),
    ]
    booth.serve("three")
    assert booth.solved == 1
    assert booth.did.count(ALREADY) == 1


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
    assert ALREADY not in booth.did


def test_when_nobody_presses_the_machine_shows_itself_and_the_buzzer_sounds(
    booth: Booth, tmp_path: Path
) -> None:
    """The board switches it on, and off again before the next press."""
    rig = tmp_path / "rig.toml"
    rig.write_text("buzzer = 2\n" + default_rig_text(), encoding="utf-8")
    booth.reactions = [(SHOWS, lambda: None), (ASKS, leave)]
    booth.serve(rig, attract_min=0.01)
    assert booth.did.count(SHOWS) == 1
    assert booth.solved == 1
    assert booth.opened.world.rig.state == SOLVED
    switched = [packet for packet in booth.packets if "→" in packet and "OUTPUT" in packet]
    assert len(switched) == 2, booth.packets[-9:]


@pytest.mark.parametrize("moment", [SHOWS, SOLVES])
def test_a_touch_stops_the_machine_that_shows_itself(booth: Booth, moment: str) -> None:
    """It stops at a detent, while it scrambles or solves, and waits: the touch was no press."""
    booth.reactions = [(moment, booth.touch), (ASKS, lambda: booth.later(1.5, leave))]
    booth.serve(attract_min=0.01)
    assert booth.did.count(SOLVES) == (moment == SOLVES)
    assert booth.solved == 0
    rig = booth.opened.world.rig
    assert rig.state != SOLVED
    cube: Any = rig._cube  # a user of the rig has no need to see its slips
    assert cube.slips == 0
    assert cube.misaligned_deg == {}


def test_a_cube_that_is_not_seen_solved_is_left_alone(booth: Booth) -> None:
    def put_in() -> None:
        booth.opened.world.rig.state = cube(1)
        booth.later(2.0, leave)

    booth.reactions = [(ASKS, put_in)]
    booth.serve(attract_min=0.01)
    assert SHOWS not in booth.did
    assert booth.opened.world.rig.state == cube(1)


def test_a_show_is_refused_to_a_rig_that_moves_the_cube_to_see_it() -> None:
    choices, show = Choices(rig=Path("cubotino"), virtual=True), Show(attract_min=1.0)
    with pytest.raises(UsageError):
        serve_cubes(choices, Folders.of_platform(), QUICK, Screen(), show=show)
