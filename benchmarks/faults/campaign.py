"""Plays case after case, each on the board that it was drawn for."""

import contextlib
import random
import tempfile
from pathlib import Path

from benchmarks.faults.case import FaultCase, draw_case
from benchmarks.faults.ground import FirmwareGround, Ground
from benchmarks.faults.kinds import KINDS
from benchmarks.faults.play import Play
from benchmarks.faults.relay import Relay
from benchmarks.faults.report import Row
from benchmarks.faults.virtual_ground import VirtualGround


class Campaign:
    """The boards, the cables, and what became of the cases on them.

    Args:
        folder: For files.
        share: How many of the cases are played on the firmware's own binary, 0..1.
        shapes: Only programs of shapes whose name has this in it.

    Attributes:
        rows: What became of the cases, by kind.
        told: What the programs said in the last case.
    """

    def __init__(self, folder: Path, share: float, shapes: str = "") -> None:
        self.rows = {kind: Row() for kind in KINDS}
        self.told = ""
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

    def __enter__(self) -> "Campaign":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def play(self, kind: str, number: int) -> bool:
        """Play a case.

        Returns:
            Whether all was as it should be.
        """
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
        return self._note(case, play, struck=struck)

    def _note(self, case: FaultCase, play: Play, *, struck: bool) -> bool:
        row = self.rows[case.kind]
        codes = [said.code for said in play.said]
        row.wrong += [
            f"case {case.seed}, {case.shape}, verified {case.verify}, firmware {case.firmware} "
            f"({case.board}): "
            f"{text}; codes {codes}"
            for text in play.wrong
        ]
        row.struck += struck
        row.missed += not struck
        row.firmware += struck and case.firmware
        row.mega += struck and case.firmware and case.board == "mega"
        row.verified += struck and case.verify
        gave_up = struck and KINDS[case.kind].survivable and not play.solved
        row.solved += struck and play.solved
        row.gave_up += gave_up
        self.told = "".join(f"  {said.verb}, {said.code}: {said.text}" for said in play.said)
        return not play.wrong and not gave_up
