"""A program whose board answers wrongly, in simulated time, and what is wrong about its end."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from wrong_answers import ANSWERS, Hung, WrongPort

from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from robot.errors import AbortedError
from robot.rigs.catalogue import named_rig
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver

PROGRAMS = {
    "short": ("six", "R U F2"),
    "long": ("six", " ".join(["R U2 F' L D2 B"] * 25)),
    "pairs": ("six", " ".join(["R L' U D2 F2 B"] * 6)),
    "claws": ("claws", "R U F2 L'"),
}
"""A rig and its moves."""
BEGINS_S = 0.5
"""Time after the program's end in which a step may still begin."""
_WATCHED_S = 30.0
_STOP_AFTER_S = 0.3


@dataclass(frozen=True, slots=True)
class WrongCase:
    """A kind of case.

    Attributes:
        answer: Key of ANSWERS.
        place: One of PLACES.
        duration_s: One of DURATIONS_S.
        program: Key of PROGRAMS.
        stops: Whether the user asks to stop.
    """

    answer: str
    place: str
    duration_s: float
    program: str
    stops: bool = False


@dataclass(frozen=True, slots=True)
class CaseEnd:
    """How a case ended.

    Attributes:
        end: How the program ended: "done", or the error.
        waited_s: Time without progress before its end.
        late: Steps that began more than BEGINS_S after an end with an error.
        wrong: Whatever else was wrong; empty if nothing.
    """

    end: str
    waited_s: float
    late: int
    wrong: str


def play_wrong(case: WrongCase) -> CaseEnd:
    """Run a case."""
    rig, program = _planned(case.program)
    port = WrongPort(rig, ANSWERS[case.answer], case.place, case.duration_s)
    driver = RigDriver(port, rig, port, seed=1)
    asked_s: float | None = None

    def stop_wanted() -> bool:
        nonlocal asked_s
        since_s = port.half_s if case.place == "stop" else port.begun_s
        asks = case.stops or case.place == "stop"
        if asks and asked_s is None and since_s is not None:
            asked_s = port.now_s() if port.now_s() > since_s + _STOP_AFTER_S * case.stops else None
        return asked_s is not None

    driver.stop_wanted = stop_wanted
    error: BaseException | None = None
    try:
        driver.connect()
        driver.prepare()
        port.begin_program(len(program.steps))
        driver.run(program)
    except (ThistlebotError, KeyboardInterrupt, Hung) as ended:
        error = ended
    except Exception as bug:  # noqa: BLE001 - it is the result
        error = bug
    waited_s = port.waited_s
    begun = port.watch(BEGINS_S)
    wrong = "; ".join(_wrong(program, port, driver, error))
    late = max(0, port.watch(_WATCHED_S) - begun)
    return CaseEnd(
        end="done" if error is None else type(error).__name__,
        waited_s=waited_s,
        late=0 if error is None else late,
        wrong=wrong,
    )


@cache
def _planned(name: str) -> tuple[Mechanism, RigProgram]:
    rig_name, moves = PROGRAMS[name]
    rig = named_rig(rig_name)
    return rig, rig.plan(MoveSequence.parse(moves))


def _wrong(
    program: RigProgram,
    port: WrongPort,
    driver: RigDriver,
    error: BaseException | None,
) -> Iterator[str]:
    """Compare what the program says with what the board did."""
    if not isinstance(error, ThistlebotError | KeyboardInterrupt | Hung | None):
        yield f"a bug: {error!r}"
    if port.first is None:
        return
    done = port.done - port.first
    if error is None and done != len(program.steps):
        yield f"said to be done after {done} of {len(program.steps)} steps"
    claimed = max(driver.executed, error.executed if isinstance(error, AbortedError) else 0)
    if error is not None and claimed > done:
        yield f"{claimed} steps said to be turned, not {done}"
