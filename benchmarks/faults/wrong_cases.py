"""A board that answers wrongly: does the program end in time, with the truth, and stop the board?

    python -m benchmarks.faults.wrong_cases --cases 600
    python -m benchmarks.faults.wrong_cases --kinds ahead --cases 100

A kind of case is a wrong answer (`wrong_answers`), the place in the program where it begins, its
duration and the kind of program; in a third of the cases the user also asks to stop. Everything
runs in simulated time.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from benchmarks.faults.wrong_answers import (
    ANSWERS,
    DURATIONS_S,
    HUNG_S,
    PLACES,
    Hung,
    WrongPort,
)
from benchmarks.report import Figure, Given, Report, Row, Rows, parser_of, run
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
_STOPS_IN = 3
"""In one of so many cases, the user asks to stop."""


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


class CaseRow(Row):
    """The result of a case.

    Attributes:
        answer: See WrongCase.
        place: Likewise.
        lasts_s: Likewise.
        program: Likewise.
        stops: Likewise.
        end: How the program ended: "done", or the error.
        waited_s: Time without progress before its end.
        stop_s: Time from the user's request to the end.
        late: Steps that began more than BEGINS_S after an end with an error.
        wrong: Whatever else was wrong; empty if nothing.
    """

    answer: str
    place: str
    lasts_s: float
    program: str
    stops: bool
    end: str
    waited_s: float
    stop_s: float
    late: int
    wrong: str


def play_wrong(case: WrongCase) -> CaseRow:
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
    ended_s, waited_s = port.now_s(), port.waited_s
    begun = port.watch(BEGINS_S)
    wrong = "; ".join(_wrong(program, port, driver, error))
    late = max(0, port.watch(_WATCHED_S) - begun)
    return CaseRow(
        answer=case.answer,
        place=case.place,
        lasts_s=case.duration_s,
        program=case.program,
        stops=case.stops,
        end="done" if error is None else type(error).__name__,
        waited_s=round(waited_s, 2),
        stop_s=0.0 if asked_s is None else round(ended_s - asked_s, 2),
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


def cases(kinds: str, seed: int) -> Iterator[WrongCase]:
    """Yield all kinds of cases in random order; only answers whose name contains a text."""
    answers = [answer for answer in ANSWERS if kinds in answer]
    every = list(itertools.product(answers, PLACES, DURATIONS_S, PROGRAMS))
    random.Random(seed).shuffle(every)
    for number, case in enumerate(every):
        yield WrongCase(*case, stops=number % _STOPS_IN == 0)


def measure(given: Given, report: Report) -> Rows:
    """Run the cases; list those with an error."""
    chosen = list(itertools.islice(cases(given.kinds, given.seed), given.cases))
    rows = []
    for case in report.track(chosen, "cases"):
        row = play_wrong(case)
        rows.append(row)
        if given.all or row.wrong or row.late or max(row.waited_s, row.stop_s) > HUNG_S:
            yield row
    yield Figure("kinds of cases", len(rows))
    yield Figure("that ended with an error", sum(row.end != "done" for row in rows))
    yield Figure.at_most("longest wait", max(row.waited_s for row in rows), HUNG_S, "s")
    yield Figure.at_most("longest time to stop", max(row.stop_s for row in rows), HUNG_S, "s")
    yield Figure.at_most("hangs", sum(row.end == "Hung" for row in rows), 0)
    yield Figure.at_most("steps that began after the end", sum(row.late for row in rows), 0)
    yield Figure.at_most("wrong claims", sum(bool(row.wrong) for row in rows), 0)


if __name__ == "__main__":
    run(parser_of(__doc__, cases=600, seed=0, kinds="", all=False), measure)
