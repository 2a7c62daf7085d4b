"""The machine's state after a kill: the orientation of the centres, and the unfinished program."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from cube.facelets import Facelets
from cube.moves import MoveSequence
from robot.ports.serial_port import NUMBERED, port_names
from robot.protocol.messages import Status
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.journal import JournalRecord, leaves_askew, may_stand_askew
from robot.running.program_run import RunProgress, RunResult
from solver.centre_turns import STRAIGHT, Centres
from solver.errors import SolverError
from thistlebot.errors import UsageError
from thistlebot.events import Diagnosed, Event
from thistlebot.journal.journal import Journal

KEY = "centres"
_UNKNOWN = "unknown"


class CentreLog:
    """The centres' orientation, counted from the motors' turns.

    Args:
        journal: The journal that stores it from run to run, or None for a virtual cube, which does
            not outlive the program. By default a cube's centres are straight, unless the stored
            value is lost.
    """

    def __init__(self, journal: Journal | None) -> None:
        self._journal = journal
        self._centres: Centres | None = STRAIGHT
        if journal is not None:
            text = journal.kept(KEY)
            self._centres = None if text is None and journal.lost else _parsed(text)

    @property
    def centres(self) -> Centres:
        """Return their present orientation.

        Raises:
            UsageError: It is unknown: the program or the board was lost while faces turned.
        """
        if self._centres is None:
            raise UsageError(
                "the orientation of the centres is no longer known: look at the pictures on "
                "them and give it, for example --centres U0R1F2D0L3B0"
            )
        return self._centres

    def put(self, centres: Centres | None) -> None:
        """Set the orientation that somebody saw; None if it is unknown."""
        self._centres = centres
        if self._journal is not None:
            self._journal.keep(KEY, str(centres or _UNKNOWN))

    def doubt(self, event: Event) -> None:
        """Stop counting if some turns differed from the plan.

        This is a listener of the session that turns.
        """
        if isinstance(event, Diagnosed):
            self.put(None)

    @contextmanager
    def turning(self, moves: Callable[[], MoveSequence | None]) -> Iterator[None]:
        """Mark the orientation as unknown while faces turn, in case the program is killed.

        Args:
            moves: At the end, returns what was turned; None if unknown.
        """
        before = self._centres
        self.put(None)
        try:
            yield
        finally:
            turned = moves()
            self.put(None if turned is None or before is None else before.apply(turned))


def _parsed(text: str | None) -> Centres | None:
    """Parse the stored value; straight if there is none."""
    try:
        return STRAIGHT if text is None else None if text == _UNKNOWN else Centres.parse(text)
    except SolverError:
        return None


class CountingDriver(RigDriver):
    """A rig's driver that counts what the motors turn.

    Attributes:
        log: The counter.
    """

    log: CentreLog

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
        *,
        target: Facelets | None = None,
    ) -> RunResult:
        """Run a program; see `RigDriver.run`."""
        with self.log.turning(lambda: self.turned):
            return super().run(program, on_progress, target=target)

    def resume(
        self, record: JournalRecord, on_progress: Callable[[RunProgress], None] | None = None
    ) -> RunResult:
        """Finish a program that another host began; the moves that it counted are unknown."""
        self.log.put(None)
        return super().resume(record, on_progress)


_KEY = "unfinished"


class ProgramJournal:
    """Implements `robot.running.journal.ProgramStore` with a value in the journal for each board.

    Args:
        journal: The journal.
        board: The board, as in `robot.ports.serial_port.board_identity`; empty if it is unknown,
            which stands for all boards.
    """

    def __init__(self, journal: Journal, board: str = "") -> None:
        self._journal = journal
        self._board = board
        self._key = f"{_KEY} {board}" if board else _KEY

    def begin(self, record: JournalRecord) -> None:
        """Store a record in place of any other."""
        self._journal.keep(self._key, msgspec.json.encode(record).decode())

    def end(self, why: Exception | str = "") -> None:
        """Delete the record; if its program was not completed, store the reason."""
        try:
            record = self.last() if why else None
        except UsageError:
            return  # the earlier doubt remains
        if record is None:
            self._journal.keep(self._key, "")
        else:
            askew = leaves_askew(why)
            self.begin(msgspec.structs.replace(record, ended=str(why), askew=askew))

    def why_askew(self, boot_id: int, status: Status) -> str:
        """Return why a face may be between detents; empty if none is, as far as known.

        Args:
            boot_id: The board's current boot id.
            status: The board's status.
        """
        try:
            record = self.last()
        except UsageError as error:  # from another version
            return str(error)
        if record is None or not may_stand_askew(record, boot_id, status):
            return ""
        return record.ended or "the board restarted during a program"

    def aligned(self) -> None:
        """Note that every face is at a detent; the interrupted program will not be finished."""
        self._journal.keep(self._key, "")

    def unfinished(self) -> JournalRecord | None:
        """Return the record of an interrupted program that can be finished, if one is known."""
        try:
            record = self.last()
        except UsageError:
            return None
        return None if record is None or record.ended else record

    def last(self) -> JournalRecord | None:
        """Return the record of the last program; None if it was completed.

        Raises:
            UsageError: The stored value is not a record, or it is lost.
        """
        text = self._journal.kept(self._key)
        if text is None or not self._board:
            kept = self._journal.kept_values().items()
            text = next((value for key, value in kept if value and self._may_be_ours(key)), text)
        if text is None and self._journal.lost:
            raise UsageError(
                "the journal cannot be read, so it is unknown whether the last program was "
                "interrupted: read the cube with `thistlebot solve`"
            )
        if not text:
            return None
        try:
            return msgspec.json.decode(text, type=JournalRecord)
        except (ValueError, RecursionError) as error:
            raise UsageError(
                "a different version of this program was interrupted, and its record cannot "
                f"be read ({error}): read the cube with `thistlebot solve`"
            ) from None

    def _may_be_ours(self, key: str) -> bool:
        """Return whether the record of another board, or of an unknown one, may be of this one.

        A board without a serial number may have moved to another port.
        """
        name, _, board = key.partition(" ")
        if name != _KEY or not self._board or not board:
            return name == _KEY
        there = Path(board).exists() or board in port_names()
        return not (there or board.startswith(NUMBERED) or self._board.startswith(NUMBERED))
