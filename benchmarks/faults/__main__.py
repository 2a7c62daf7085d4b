"""The campaign from the command line: plays until enough faults were effective.

What became of the cases, kind by kind: as a table, or as JSON.

Plays case after case, each on the board that it was drawn for. ``--kinds`` and ``--shapes`` take
only those whose name has this in it; ``--firmware`` is the share of the real firmware.
"""

import contextlib
import gc
import itertools
import random
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.faults.case import SMALL_DISKS, FaultCase, draw_case
from benchmarks.faults.ground import FirmwareGround, Ground
from benchmarks.faults.kinds import KINDS
from benchmarks.faults.play import Play
from benchmarks.faults.relay import Relay, can_mount
from benchmarks.faults.virtual_ground import VirtualGround
from benchmarks.report import Figure, Given, Report, Rows, Wide, parser_of, run


@dataclass
class FaultRow:
    """One kind of fault.

    Attributes:
        fault: Its name.
        struck: Faults that struck while a program was turned.
        missed: Faults that came before or after.
        firmware: How many of those that struck did on the firmware's own binary.
        mega: How many of these on a Mega, with servos, outputs and a switch.
        verified: How many of them with a look at the end.
        solved: Cases that ended with a solved cube.
        gave_up: Cases that ended without, although the cube could have been solved.
        wrong: What was wrong, with the number of the case.
    """

    fault: Wide
    struck: int = 0
    missed: int = 0
    firmware: int = 0
    mega: int = 0
    verified: int = 0
    solved: int = 0
    gave_up: int = 0
    wrong: list[str] = field(default_factory=list)


def total(rows: Iterable[FaultRow]) -> FaultRow:
    """Add the kinds up."""
    columns = [*zip(*(list(vars(row).values())[1:] for row in rows), strict=True)]
    return FaultRow("all", *(sum(column[1:], column[0]) for column in columns))


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
        self.rows = {kind: FaultRow(kind) for kind in KINDS}
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


_NUMBERS = 1_000_003
"""Cases of one seed are so far from those of the next."""


def measure(given: Given, report: Report) -> Rows:
    """Play until enough faults struck."""
    kinds = [kind for kind in KINDS if given.kinds in kind]
    with tempfile.TemporaryDirectory() as probe:
        if not can_mount(Path(probe)):
            report.screen.note("no disk can be mounted here: none fills up")
            kinds = [kind for kind in kinds if kind not in SMALL_DISKS]
    first = given.seed * _NUMBERS if given.case is None else given.case
    began_s = time.monotonic()
    gc.freeze()  # forks share what is loaded
    with (
        tempfile.TemporaryDirectory(prefix="faults-") as folder,
        Campaign(Path(folder), given.firmware, given.shapes) as campaign,
    ):
        for kind, number in zip(itertools.cycle(kinds), itertools.count(first), strict=False):
            if not campaign.play(kind, number):
                report.screen.note(f"{kind}, case {number}:\n{campaign.told}")
            struck = total(campaign.rows.values()).struck
            print(f"{struck} of {given.faults}", end="\r", file=sys.stderr)
            if struck >= given.faults:
                break
    rows = [campaign.rows[kind] for kind in kinds]
    all_ = total(rows)
    yield from [*rows, all_]
    yield Figure("time", round(time.monotonic() - began_s, 1), "s")
    yield Figure.at_most("cases in which something was wrong", len(all_.wrong), 0)


if __name__ == "__main__":
    parser = parser_of(__doc__, seed=0, kinds="", shapes="", firmware=0.4)
    parser.add_argument("--faults", type=int, default=1000, help="effective faults to play")
    parser.add_argument("--case", type=int, help="begin with the case of this number")
    run(parser, measure)
