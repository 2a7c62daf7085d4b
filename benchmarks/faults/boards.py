"""The boards of the campaign, their cables, and the execution of a case on them."""

import contextlib
import tempfile
from pathlib import Path

from benchmarks.faults.case import LANES, FaultCase, draw_case
from benchmarks.faults.ground import FirmwareGround
from benchmarks.faults.kinds import KINDS
from benchmarks.faults.play import Play
from benchmarks.faults.relay import Relay
from benchmarks.report import CaseOutcome


class Boards:
    """The boards and the cables.

    Args:
        folder: Folder for files.
        shapes: Only programs of shapes whose name contains this.
    """

    def __init__(self, folder: Path, shapes: str = "") -> None:
        self._folder, self._shapes = folder, shapes
        self._stack = contextlib.ExitStack()
        self._grounds = {board: FirmwareGround(folder, board) for board in LANES}
        self._relays = {
            board: Relay(folder / f"port-{board}", str(ground.device))
            for board, ground in self._grounds.items()
        }
        for board, ground in self._grounds.items():
            self._stack.callback(ground.close)
            self._stack.callback(self._relays[board].close)
            ground.rest(resting=True)

    def __enter__(self) -> "Boards":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def play(self, kind: str, number: int) -> CaseOutcome:
        """Run a case."""
        fault = KINDS[kind]
        case = draw_case(number, kind, fault.patience_ms, self._shapes)
        ground = self._grounds[case.board]
        ground.rest(resting=False)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            play = Play(case, ground, self._relays[case.board], Path(folder))
            struck = play.reach_the_middle()
            if struck:
                fault.strike(play)
            else:
                play.wait()
            play.clear_up()
        ground.rest(resting=True)
        return CaseOutcome(kind, int(struck), _wrong(case, play, struck))


def _wrong(case: FaultCase, play: Play, struck: bool) -> tuple[str, ...]:
    """Return the errors of a case, and the output of its programs."""
    wrong = list(play.wrong)
    if struck and KINDS[case.kind].survivable and not play.solved:
        wrong.append("gave up a cube that it could have solved")
    said = "".join(f"\n  {each.verb}, {each.code}: {each.text}" for each in play.said)
    played = f"{case.shape}, {case.board}, verified {case.verify}"
    return tuple(f"{text} ({played}){said}" for text in wrong)
