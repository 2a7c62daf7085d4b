"""The results of a comparison: means for each method, published figures beside them."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cube.moves import MoveSequence, axial_htm, axial_qtm, htm, qtm
from robot.rigs.mechanism import Mechanism
from teaching.comparison import StateTrial
from teaching.methods.catalogue import PUBLISHED, Published, parameters


@dataclass(frozen=True, slots=True)
class MethodResult:
    """One method on all states; means over those that it solved, 0 if it solved none.

    Attributes:
        htm: Turns of each solution, in order.
        mean_axial_htm: Turns, opposite faces together counting once.
        machine_s: Mean modelled time on each rig, by its name.
    """

    method: str
    states: int
    solved: int
    htm: tuple[int, ...]
    mean_htm: float
    mean_qtm: float
    mean_axial_htm: float
    mean_axial_qtm: float
    cpu_ms: float
    machine_s: dict[str, float]


def results(
    trials: Sequence[StateTrial], methods: Sequence[str], rigs: Mapping[str, Mechanism]
) -> list[MethodResult]:
    """Summarise trials by method."""
    found = []
    for method in methods:
        attempts = [a for trial in trials for a in trial.attempts if a.method == method]
        solved = [a for a in attempts if a.moves is not None]
        moves = [MoveSequence.parse(a.moves or "") for a in solved]
        found.append(
            MethodResult(
                method,
                len(attempts),
                len(solved),
                tuple(map(htm, moves)),
                _mean([htm(each) for each in moves]),
                _mean([qtm(each) for each in moves]),
                _mean([axial_htm(each) for each in moves]),
                _mean([axial_qtm(each) for each in moves]),
                _mean([a.cpu_ms for a in solved]),
                {
                    name: _mean([rig.plan(each).time_s for each in moves])
                    for name, rig in rigs.items()
                },
            )
        )
    return found


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else 0.0


def published(trials: Sequence[StateTrial], methods: Sequence[str]) -> list[Published]:
    """Return the sources' figures that are comparable to these trials."""
    shown = {trial.facelets for trial in trials}
    named = {*methods, *(parameters(method)[0] for method in methods)}
    return [
        figure
        for figure in PUBLISHED
        if figure.beside in named and (not figure.facelets or figure.facelets in shown)
    ]


def table(found: Sequence[MethodResult], figures: Sequence[Published]) -> list[str]:
    """Return the comparison as lines of text."""
    rigs = list(found[0].machine_s) if found else []
    wide = max([12, *map(len, rigs)])
    lines = [
        f"{'method':<27} {'solved':>11} {'HTM':>7} {'QTM':>7} {'axial':>7} {'ax.QTM':>7} "
        f"{'CPU ms':>9} " + " ".join(f"{name:>{wide}}" for name in rigs)
    ]
    for each in found:
        numbers = (each.mean_htm, each.mean_qtm, each.mean_axial_htm, each.mean_axial_qtm)
        shown = " ".join(f"{value:>7.2f}" if each.solved else f"{'–':>7}" for value in numbers)
        times = " ".join(
            f"{value:>{wide - 2}.2f} s" if each.solved else f"{'–':>{wide}}"
            for value in each.machine_s.values()
        )
        lines.append(
            f"{each.method:<27} {f'{each.solved} of {each.states}':>11} {shown} "
            f"{each.cpu_ms:>9.2f} {times}"
        )
    for figure in figures:
        name = f"  {figure.source}: {figure.method}"
        cpu = f"{1000 * figure.cpu_s:>9.0f}" if figure.cpu_s is not None else f"{'–':>9}"
        where = f" on {figure.facelets}" if figure.facelets else ""
        lines.append(
            f"{name:<47}{figure.moves:.2f} HTM,{cpu} ms, published; compared with "
            f"{figure.beside}{where}"
        )
    return lines
