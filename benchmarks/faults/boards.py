"""The boards of the campaign, their cables, and the execution of a case on them."""

import contextlib
import random
import tempfile
from pathlib import Path

from benchmarks.faults.case import FaultCase, draw_case
from benchmarks.faults.ground import FirmwareGround, Ground
from benchmarks.faults.kinds import KINDS
from benchmarks.faults.play import Play
from benchmarks.faults.relay import Relay
from benchmarks.faults.virtual_ground import VirtualGround
from benchmarks.report import CaseOutcome


class Boards:
    """The boards and the cables.

    Args:
        folder: Folder for files.
        share: Share of the cases on the firmware's own binary, 0..1.
        shapes: Only programs of shapes whose name contains this.
    """

    def __init__(self, folder: Path, share: float, shapes: str = "") -> None:
        self._folder = folder
        self._share = share
        self._shapes = shapes
        self._stack = contextlib.ExitStack()
        self._grounds: dict[str, Ground] = {
            "virtual": VirtualGround(),
            "old": VirtualGround(hasty=True),
        }
        if share > 0:
            self._grounds |= {board: FirmwareGround(folder, board) for board in ("uno", "mega")}
        self._relays = {
            name: Relay(folder / f"port-{name}", ground.device)
            for name, ground in self._grounds.items()
        }
        for relay in self._relays.values():
            self._stack.callback(relay.close)
        for ground in self._grounds.values():
            self._stack.callback(ground.close)
        for ground in self._grounds.values():
            ground.rest(resting=True)

    def __enter__(self) -> "Boards":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def play(self, kind: str, number: int) -> CaseOutcome:
        """Run a case."""
        fault = KINDS[kind]
        firmware = not fault.old_firmware and random.Random(number).random() < self._share
        case = draw_case(number, kind, fault.patience_ms, self._shapes, firmware=firmware)
        name = case.board if firmware else "old" if fault.old_firmware else "virtual"
        ground = self._grounds[name]
        ground.rest(resting=False)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            play = Play(case, ground, self._relays[name], Path(folder))
            struck = play.reach_the_middle()
            if struck:
                fault.strike(play)
            else:
                play.wait()
            play.clear_up()
        ground.rest(resting=True)
        return CaseOutcome(kind, int(struck), int(struck and firmware), _wrong(case, play, struck))


def _wrong(case: FaultCase, play: Play, struck: bool) -> tuple[str, ...]:
    """Return the errors of a case, and the output of its programs."""
    wrong = list(play.wrong)
    if struck and KINDS[case.kind].survivable and not play.solved:
        wrong.append("gave up a cube that can be solved")
    said = "".join(f"\n  {each.verb}, {each.code}: {each.text}" for each in play.said)
    played = f"{case.shape}, {case.board if case.firmware else 'virtual'}, verified {case.verify}"
    return tuple(f"{text} ({played}){said}" for text in wrong)
