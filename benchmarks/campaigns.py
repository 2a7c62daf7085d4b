"""The campaigns: real programs that a fault strikes, and whole runs of every rig, in one table.

    python -m benchmarks.campaigns --minutes 60 --seed 1
    python -m benchmarks.campaigns --only boards --kinds unplug --struck 20
    python -m benchmarks.campaigns --case boards:1000007            one case again

- boards: a fault strikes a real program in the middle (`benchmarks.faults`)
- rigs: whole runs of every built-in rig in simulated time, with up to two faults each
  (`benchmarks.rig_runs`)

Both get the same time. ``--kinds`` selects faults, or rigs, whose name contains a text,
``--shapes`` does the same for the boards' programs. The number of a case determines everything but
the computer's speed.
"""

import gc
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.faults.boards import Boards
from benchmarks.faults.kinds import KINDS
from benchmarks.report import CaseOutcome, Figure, Given, Report, Row, Rows, parser_of, run
from benchmarks.rig_runs.trial import play as play_rig
from robot.rigs.catalogue import NAMES

_NUMBERS = 1_000_003
"""Distance between the first cases of two seeds."""


class KindRow(Row):
    """The results of a kind of cases."""

    campaign: str
    kind: str
    cases: int = 0
    struck: int = 0
    wrong: int = 0


class WrongRow(Row):
    """A case with an error."""

    case: str
    kind: str
    text: str


PlayCase = Callable[[int], CaseOutcome]


def _chosen(names: Iterable[str], given: Given) -> list[str]:
    """Return the names that contain ``--kinds``; end the program if there is none."""
    found = [name for name in names if given.kinds in name]
    if not found:
        sys.exit(f"--kinds {given.kinds}: no such kind; there are {', '.join(names)}")
    return found


def boards(stack: ExitStack, folder: Path, given: Given) -> PlayCase:
    """Prepare the boards of `benchmarks.faults`."""
    campaign = stack.enter_context(Boards(folder, given.shapes))
    kinds = _chosen(KINDS, given)
    return lambda number: campaign.play(kinds[number % len(kinds)], number)


def rigs(_: ExitStack, __: Path, given: Given) -> PlayCase:
    """Prepare the runs of `benchmarks.rig_runs`."""
    names = _chosen(NAMES, given)
    return lambda number: play_rig(names[number % len(names)], number)


CAMPAIGNS = {"boards": boards, "rigs": rigs}
"""The functions that prepare each campaign, by name."""


@dataclass
class _Turn:
    """One campaign: its function, the number of its next case, and its time so far."""

    play: PlayCase
    number: int
    took_s: float = 0.0
    rows: dict[str, KindRow] = field(default_factory=dict)


def measure(given: Given, _report: Report) -> Rows:
    """Run cases until the time is over, or enough faults struck."""
    name, _, number = (given.case or "").partition(":")
    names = [name] if name else given.only.split(",")
    first = int(number) if number else given.seed * _NUMBERS
    gc.freeze()  # forks share the loaded modules
    with ExitStack() as stack:
        turns = {}
        for each in names:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix=f"{each}-"))
            play = CAMPAIGNS[each](stack, Path(folder), given)
            turns[each] = _Turn(play, first)
        struck, began_s = 0, time.monotonic()
        while time.monotonic() - began_s < 60 * given.minutes and struck < given.struck:
            name = min(turns, key=lambda each: turns[each].took_s)
            turn, started_s = turns[name], time.monotonic()
            outcome = turn.play(turn.number)
            turn.took_s += time.monotonic() - started_s
            row = turn.rows.setdefault(outcome.kind, KindRow(name, outcome.kind))
            row.cases += 1
            row.struck += outcome.struck
            row.wrong += len(outcome.wrong)
            struck += outcome.struck
            for text in outcome.wrong:
                yield WrongRow(f"{name}:{turn.number}", outcome.kind, text)
            if given.case:
                break
            turn.number += 1
            print(f"{struck} faults struck", end="\r", file=sys.stderr, flush=True)
    rows = [row for turn in turns.values() for _, row in sorted(turn.rows.items())]
    yield from rows
    yield Figure("faults that struck", struck)
    yield Figure("time", round(time.monotonic() - began_s, 1), "s")
    yield Figure.at_most("what was wrong", sum(row.wrong for row in rows), 0)


if __name__ == "__main__":
    parser = parser_of(
        __doc__,
        minutes=60.0,
        seed=0,
        struck=10**6,
        only=",".join(CAMPAIGNS),
        kinds="",
        shapes="",
    )
    parser.add_argument("--case", help="NAME:NUMBER; play this one only")
    run(parser, measure)
