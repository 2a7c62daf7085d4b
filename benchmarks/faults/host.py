"""The real program in a separate process, forked to avoid loading it again."""

import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import thistlebot.__main__ as program
from benchmarks.faults.case import FaultCase
from benchmarks.faults.ground import FirmwareGround
from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState
from documents.typed_toml import save_document
from solver.stages.solution import Solution
from thistlebot.cli.solve import one as solve_one
from thistlebot.events import Event, Turned
from thistlebot.journal.recording import Recording
from thistlebot.reading.reader import Reader
from thistlebot.session import machine
from vision.frame import Frame
from vision.reading import UNSEEN, CubeReading, ReadingState, StickerReading

HUNG = -99
WITNESS = "witness"
"""The file with the acknowledged moves, one number per line."""
_LONGEST_S = 180.0
_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """How a program ended.

    Attributes:
        verb: The command.
        code: Its exit code, negative for a signal.
        text: Its output for people.
    """

    verb: str
    code: int
    text: str

    @property
    def killed(self) -> bool:
        """Whether it could not print anything."""
        return self.code == -signal.SIGKILL


class PerfectEye(Reader):
    """Replaces the cameras: sees the cube as it is, and no cube if faces are askew."""

    def __init__(self, ground: FirmwareGround) -> None:
        self._ground = ground

    def look(self) -> tuple[Frame, ...]:
        """Take no pictures."""
        return ()

    def read(self, _: tuple[Frame, ...]) -> CubeReading:
        """Return the cube's stickers."""
        truth = self._ground.truth()
        letters = truth.state.to_facelets()
        stickers = tuple(
            StickerReading(place, (), UNSEEN, letter, 1.0)
            for place, letter in enumerate(letters.text)
        )
        state = ReadingState.SURE if truth.aligned else ReadingState.ASK_AGAIN
        return CubeReading(state, letters, 9.0, (), (), stickers, 0.0, letters)


class HostProgram:
    """One run of the program.

    Args:
        verb: Name of its end.
        arguments: Its command line.
        ground: The cube of the perfect eye.
        folder: Folder of the program's files.
        case: The case, whose moves are the way to the solved cube.
    """

    def __init__(
        self,
        verb: str,
        arguments: Sequence[str],
        ground: FirmwareGround,
        folder: Path,
        case: FaultCase,
    ) -> None:
        self.verb = verb
        self._output = folder / "output"
        self._output.write_text("")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)
        self.pid = os.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # as before Python's first line
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            _be_the_program(arguments, case, ground, self._output, folder)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    @property
    def ended(self) -> bool:
        """Return whether it has ended; its status can still be read."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def signal(self, number: int) -> None:
        """Send it a signal, which has no effect after its end."""
        os.kill(self.pid, number)

    def wait(self) -> ProgramEnd:
        """Wait for its end; the code HUNG means that there is none."""
        deadline_s = time.monotonic() + _LONGEST_S
        while not self.ended:
            if time.monotonic() > deadline_s:
                self.signal(signal.SIGKILL)
                os.waitpid(self.pid, 0)
                return ProgramEnd(self.verb, HUNG, self._output.read_text())
            time.sleep(0.003)
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return ProgramEnd(self.verb, code, self._output.read_text())


def arguments_of(verb: str, case: FaultCase, port: Path, folder: Path) -> list[str]:
    """Return the command line of a verb in a case.

    Besides "run" and "stop", these are "solve", which is told the state of the cube, "again", the
    press after a fault, which looks, and "align", when a person has aligned the faces.
    """
    file = folder / "rig.toml"
    save_document(file, case.rig)
    usual = ["--rig", str(file), "--port", str(port)]
    if verb == "stop":
        return ["stop", *usual]
    if verb == "align":
        return ["align", "--aligned", *usual]
    if verb == "run":
        return ["run", str(case.moves), *usual]
    usual += [] if case.verify else ["--no-verify"]
    if verb != "solve":
        return ["solve", *usual]
    return ["solve", "--facelets", case.start.to_facelets().text, *usual]


def _be_the_program(
    arguments: Sequence[str],
    case: FaultCase,
    ground: FirmwareGround,
    output: Path,
    folder: Path,
) -> None:
    """Run the program in this process, and never return."""
    code = program.STOPPED + 1
    try:
        file = os.open(output, os.O_WRONLY | os.O_APPEND)
        for stream in (1, 2):
            os.dup2(file, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for name in ("CONFIG", "STATE", "DATA"):  # the tables are those of everybody
            os.environ[f"THISTLEBOT_{name}_DIR"] = str(folder / name.lower())
        witnessed = _witnessed(Recording.__call__, folder / WITNESS)
        setattr(Recording, "__call__", witnessed)  # noqa: B010 - mypy allows no other way
        solve_one.solving_for = lambda *_: _known_solutions(case)
        for name, method in (
            ("view_reader", lambda _, **__: PerfectEye(ground)),
            ("unseen_stickers", lambda _: ()),
        ):
            setattr(machine.Machine, name, method)
        sys.argv = ["thistlebot", *arguments]
        signal.signal(signal.SIGINT, signal.default_int_handler)
        program.main()
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:  # noqa: BLE001 - told, and the process ends
        code = 1
        sys.excepthook(*sys.exc_info())
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:  # whatever still arrives: the folders of the campaign are not the child's
            while True:
                with suppress(BaseException):
                    os._exit(code)


def _witnessed(
    write: Callable[[Recording, Event], None], file: Path
) -> Callable[[Recording, Event], None]:
    """Record what a listener of the session's events has received, after it has returned."""
    witness = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_TRUNC)

    def heard(recorded: Recording, event: Event) -> None:
        write(recorded, event)
        if isinstance(event, Turned):
            os.write(witness, b"%d\n" % event.done)

    return heard


def _known_solutions(case: FaultCase) -> Any:
    """Replace the solver: every state on the way to the solved cube is known, no other."""

    class Known(SimpleNamespace):
        def __call__(self, state: CubeState) -> Solution:
            return Solution(
                state, next(rest for rest in _ways_home(case) if state == _before(rest))
            )

    return Known(building=False)


def _before(rest: MoveSequence) -> CubeState:
    return SOLVED.apply(rest.inverse())


def _ways_home(case: FaultCase) -> Iterator[MoveSequence]:
    """Yield what is left after each step, also after the first quarters of half turns."""
    steps = case.program.steps
    for number, step in enumerate(steps):
        later = MoveSequence.of(move for each in steps[number + 1 :] for move in each.moves)
        lefts = [((move,), (Move(move.face, 1),), (Move(move.face, 3),), ()) for move in step.moves]
        for left in itertools.product(*lefts):
            yield MoveSequence.of(itertools.chain(*left)) + later
    yield MoveSequence()
