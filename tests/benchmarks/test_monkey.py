"""The monkey's eye notices what a program claims and did not do, and what it did unbidden."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.faults.case import draw_case
from benchmarks.faults.ground import Truth
from benchmarks.faults.host import ProgramEnd
from benchmarks.faults.relay import Relay
from benchmarks.faults.virtual_ground import VirtualGround
from benchmarks.monkey import SOLVE, Life
from cube.moves import MoveSequence
from cube.state import SOLVED


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    """A machine in order."""
    ground = VirtualGround()
    relay = Relay(tmp_path / "port", ground.device)
    case = draw_case(1, "monkey", shapes="pairs", firmware=False)
    yield Life(1, ground, relay, tmp_path, case, tell=lambda _: None)
    relay.close()
    ground.close()


def test_a_machine_in_order_solves_its_cube(life: Life) -> None:
    life.press("estop 1")
    life.cable(on=False)
    life.tidy()
    assert life.wrong == []
    assert life.ends["align", 0] == life.ends["solve", 0] == 1


def test_what_is_wrong_is_noticed(life: Life) -> None:
    scrambled = SOLVED.apply(MoveSequence.parse("R U"))
    before = Truth(scrambled, aligned=True, moves=(), amount=0, share=0.0)
    after = Truth(SOLVED, aligned=True, moves=(), amount=9, share=1.0)

    def wrong(code: int, before: Truth = before, after: Truth = after, text: str = "") -> int:
        end = ProgramEnd("solve", code, text)
        return len(life.judge(SOLVE, end, before, after, alone=True))

    assert wrong(0) == wrong(7) == wrong(6, after=before) == 0
    assert wrong(0, after=before) == 1
    assert wrong(1) == wrong(-6) == wrong(5, text="Traceback") == 1
    askew = replace(before, aligned=False)
    assert wrong(6, before=askew) == 1  # it turned
    assert wrong(6, after=replace(after, aligned=False), text="every face stands at a detent") == 2
    assert wrong(5, after=replace(after, aligned=False), text="align the faces") == 0
    assert wrong(7, after=replace(after, held=False)) == 1
