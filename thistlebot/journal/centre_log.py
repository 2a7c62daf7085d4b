"""How the centres of the cube in the rig stand: no scan tells it, so the turns are counted."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cube.facelets import Facelets
from cube.moves import MoveSequence
from documents.errors import ConfigError, MissingDocumentError
from documents.files import seal, unseal, write_atomically
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.journal import JournalRecord
from robot.running.program_run import RunProgress, RunResult
from solver.centres.centre_turns import STRAIGHT, Centres
from solver.errors import SolverError
from thistlebot.errors import UsageError

FILE = "centres.txt"
_UNKNOWN = "unknown"


class CentreLog:
    """The centres as the motors' turns have left them.

    Args:
        file: Where they are kept from run to run, or None for a virtual cube, which does not
            outlive the program. A cube that was never told of stands straight.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._centres = STRAIGHT if file is None else _read(file)

    @property
    def centres(self) -> Centres:
        """How they stand now.

        Raises:
            UsageError: Nobody knows: the program or the board was lost while faces turned.
        """
        if self._centres is None:
            raise UsageError(
                "how the centres stand is not known any more: look at the pictures and say it, "
                "such as --centres U0R1F2D0L3B0"
            )
        return self._centres

    def put(self, centres: Centres | None) -> None:
        """Somebody looked; None when nobody knows any more."""
        self._centres = centres
        if self._file is not None:
            with contextlib.suppress(ConfigError):  # then it is known until the program ends
                write_atomically(self._file, seal(str(centres or _UNKNOWN)))

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


def _read(file: Path) -> Centres | None:
    """What a file says; straight when there is none."""
    try:
        text = unseal(file)
        return None if text == _UNKNOWN else Centres.parse(text)
    except MissingDocumentError:
        return STRAIGHT
    except (ConfigError, SolverError):
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
