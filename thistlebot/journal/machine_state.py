"""What must be known of a machine after a kill: how centres stand, which program was under way."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from cube.facelets import Facelets
from cube.moves import MoveSequence
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
    """The centres as the motors' turns have left them.

    Args:
        journal: Where they are kept from run to run, or None for a virtual cube, which does not
            outlive the program. A cube that was never told of stands straight, unless what was
            told is lost.
    """

    def __init__(self, journal: Journal | None) -> None:
        self._journal = journal
        self._centres: Centres | None = STRAIGHT
        if journal is not None:
            text = journal.kept(KEY)
            self._centres = None if text is None and journal.lost else _parsed(text)

    @property
    def centres(self) -> Centres:
        """How they stand now.

        Raises:
            UsageError: Nobody knows: the program or the board was lost while faces turned.
        """
        if self._centres is None:
            raise UsageError(
                "the orientation of the centres is no longer known: look at the pictures on "
                "them and give it, for example --centres U0R1F2D0L3B0"
            )
        return self._centres

    def put(self, centres: Centres | None) -> None:
        """Somebody looked; None when nobody knows any more."""
        self._centres = centres
        if self._journal is not None:
            self._journal.keep(KEY, str(centres or _UNKNOWN))

    def doubt(self, event: Event) -> None:
        """Count the turns no further when some were made otherwise than planned.

        A listener of the session that turns.
        """
        if isinstance(event, Diagnosed):
            self.put(None)

    @contextmanager
    def turning(self, moves: Callable[[], MoveSequence | None]) -> Iterator[None]:
        """Faces turn: unknown meanwhile, in case the program is killed.

        Args:
            moves: Tells at the end what was turned; None when nobody knows.
        """
        before = self._centres
        self.put(None)
        try:
            yield
        finally:
            turned = moves()
            self.put(None if turned is None or before is None else before.apply(turned))


def _parsed(text: str | None) -> Centres | None:
    """What was kept says; straight when there is nothing."""
    try:
        return STRAIGHT if text is None else None if text == _UNKNOWN else Centres.parse(text)
    except SolverError:
        return None


class CountingDriver(RigDriver):
    """A rig's driver that counts what the motors turn.

    Attributes:
        log: Where it counts.
    """

    log: CentreLog

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
        *,
        target: Facelets | None = None,
    ) -> RunResult:
        """Turn a program, as `RigDriver.run` says."""
        with self.log.turning(lambda: self.turned):
            return super().run(program, on_progress, target=target)

    def resume(
        self, record: JournalRecord, on_progress: Callable[[RunProgress], None] | None = None
    ) -> RunResult:
        """Finish a program that another host began; what that one counted is not known."""
        self.log.put(None)
        return super().resume(record, on_progress)


_KEY = "unfinished"


class ProgramJournal:
    """Implements `robot.running.journal.ProgramStore`: a value that the journal keeps.

    Args:
        journal: Where it is kept.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def begin(self, record: JournalRecord) -> None:
        """Keep a record, in place of any other."""
        self._journal.keep(_KEY, msgspec.json.encode(record).decode())

    def end(self, why: Exception | str = "") -> None:
        """Forget the record; when its program was not turned to its end, keep why."""
        try:
            record = self.last() if why else None
        except UsageError:
            return  # what it was stays in doubt
        if record is None:
            self._journal.keep(_KEY, "")
        else:
            askew = leaves_askew(why)
            self.begin(msgspec.structs.replace(record, ended=str(why), askew=askew))

    def cut_off_askew(self, boot_id: int, status: Status) -> str:
        """Say why a face may stand between detents; empty where none does, as far as is known.

        Args:
            boot_id: Of the board as it is now.
            status: The board's condition.
        """
        try:
            record = self.last()
        except UsageError as error:  # another version's
            return str(error)
        if record is None or not may_stand_askew(record, boot_id, status):
            return ""
        return record.ended or "the board restarted during a program"

    def aligned(self) -> None:
        """A person says that every face stands at a detent; what was interrupted is not finished.
        """
        self._journal.keep(_KEY, "")

    def unfinished(self) -> JournalRecord | None:
        """Return the record of a program that was interrupted and may be finished, if one is known.
        """
        try:
            record = self.last()
        except UsageError:
            return None
        return None if record is None or record.ended else record

    def last(self) -> JournalRecord | None:
        """Return the record of the last program; None when it was turned to its end.

        Raises:
            UsageError: What is kept is no record, or it is lost.
        """
        text = self._journal.kept(_KEY)
        if text is None and self._journal.lost:
            raise UsageError(
                "the journal cannot be read, so it is unknown whether the last program was "
                "interrupted: read the cube with `thistlebot solve`"
            )
        if not text:
            return None
        try:
            return msgspec.json.decode(text, type=JournalRecord)
        except msgspec.DecodeError as error:
            raise UsageError(
                "a different version of this program was interrupted, and its record cannot "
                f"be read ({error}): read the cube with `thistlebot solve`"
            ) from None
