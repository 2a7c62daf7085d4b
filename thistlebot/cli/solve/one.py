"""How `solve` handles one cube: read it, solve it, turn it, look again, and report."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from cube.moves import MoveSequence
from cube.net import has_colours
from thistlebot.config import Folders
from thistlebot.events import Event, Executed, Listener, Read, Verified
from thistlebot.journal.run_times import RunClock, RunTimes
from thistlebot.reading.reader import Look
from thistlebot.reading.rig_views import tell_unseen
from thistlebot.records import solve_record, to_line
from thistlebot.session.choices import Choices
from thistlebot.session.composing import Recorder, solve_session
from thistlebot.session.cube_source import CubeSource
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.session import Plan
from thistlebot.session.target import Target
from thistlebot.session.unsolved import MOST_PLANS_AGAIN
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.by_hand import tell_by_hand
from thistlebot.terminal.light_watch import LightWatch
from thistlebot.terminal.progress_listener import ProgressListener, print_times
from thistlebot.terminal.ready_solver import wait_for_tables
from thistlebot.terminal.screen import Screen

if TYPE_CHECKING:
    from solver.search.optimal import Depth


class DropListener:
    """Reports once that a virtual machine dropped the cube, after it has finished."""

    def __init__(self, machine: Machine, screen: Screen) -> None:
        self._machine = machine
        self._screen = screen
        self._told = 0

    def __call__(self, event: Event) -> None:
        """Check the machine after it has moved, and after the cameras have looked."""
        if isinstance(event, (Read, Executed, Verified)):
            violations = self._machine.world.rig.violations
            for text in violations[self._told :]:
                self._screen.problem(f"the virtual machine dropped the cube: {text}")
            self._told = len(violations)


@dataclass(frozen=True, slots=True)
class SolveJob:
    """A cube to solve, and what the user chose for it.

    Attributes:
        source: Where its state comes from.
        choices: The machine.
        approach: How to solve.
        folders: The folders of the program's files.
        screen: Where to print.
        target: The target; by default the solved cube.
        dry_run: Print the moves instead of turning them.
        verify: Look again after turning.
        learn: Let the profile follow the light.
        seed: Seed of a virtual cube.
        json: Print a record for programs.
    """

    source: CubeSource
    choices: Choices
    approach: Approach
    folders: Folders
    screen: Screen
    target: Target | None = None
    dry_run: bool = False
    verify: bool = True
    learn: bool = False
    seed: int | None = None
    json: bool = False


def solve_one(job: SolveJob) -> None:
    """Solve one cube from any source, or bring it to another target.

    Raises:
        ThistlebotError: A part of the machine failed, or the cube is not seen there at the end.
    """
    source, choices, screen, target = job.source, job.choices, job.screen, job.target
    typed, approach = source.typed(), replace(job.approach, rig_turns=not job.dry_run)
    held = None if typed is None else typed.known_scheme(choices.scheme)
    colours = held if held is not None and has_colours(held) else None
    if choices.virtual and colours is not None:
        choices = replace(choices, scheme=colours)  # the virtual cube looks as typed
    if typed is not None:
        typed.tell(screen.note)
    given = None if typed is None else typed.state
    with (
        open_machine(choices, job.folders, note=screen.note) as machine,
        ProgressListener(screen, nets=not job.dry_run) as listener,
    ):
        solving = solving_for(approach, machine, screen, listener.show_proof)
        if target is not None and given is not None and not choices.virtual:
            target = target.named_as(tuple((held or machine.scheme or {}).items()))
            held = dict(target.scheme)
        looks: list[Look] = []
        recorder = Recorder()
        watch = LightWatch(machine.profile, machine.profile_file, screen, looks, learn=job.learn)
        clock = RunClock(time.monotonic)
        listeners: list[Listener] = [clock, listener, recorder, watch]
        if choices.virtual:
            listeners.append(DropListener(machine, screen))
        if choices.virtual and source.photos is not None:
            listeners.append(machine.world.put_cube)
        elif choices.virtual:
            machine.scramble_virtual_cube(given, np.random.default_rng(job.seed))
            given = None
        reads = source.photos is None and given is None
        _require_parts(machine, job, looks_on=reads or (job.verify and not job.dry_run))
        wait_for_tables(solving, screen)
        session = solve_session(
            machine,
            solving,
            listeners,
            looks=looks,
            source=source.reader(machine.profile, choices.scheme),
            stored=source.recorded(),
            given=given is not None,
            typed_scheme=colours,
            turn=not job.dry_run,
            verify=job.verify,
            target=target,
            plans_again=MOST_PLANS_AGAIN,
        )
        clock.press()  # whoever started the program
        plan = session.run(given)
    shortest = getattr(solving, "shortest", ())
    more = {"scheme": typed.scheme} if typed is not None and typed.scheme else {}
    _tell(job, plan, recorder, clock.times, shortest, more)
    if job.dry_run:
        held = held or (dict(looks[-1].reading.scheme) if looks else machine.scheme)
        tell_by_hand(screen, plan.state.to_facelets(), plan.solution.moves, held)


def _require_parts(machine: Machine, job: SolveJob, *, looks_on: bool) -> None:
    """Report a missing board before opening cameras, a missing camera before building tables."""
    if looks_on:
        tell_unseen(machine.unseen_stickers(), job.screen.note)
    if not job.dry_run:
        machine.connected_driver()
    if looks_on:
        machine.view_reader(moving=not job.dry_run)


def solving_kind(approach: Approach) -> type[Solving]:
    """Return the class that solves: only a proof needs the optimal search."""
    if not approach.optimal:
        return Solving
    kind: type[Solving] = import_module("thistlebot.solving.proving").Proving
    return kind


def solving_for(
    approach: Approach,
    machine: Machine,
    screen: Screen,
    progress: Callable[["Depth"], None] | None = None,
) -> Solving:
    """Return the solver, which loads or builds its tables meanwhile."""
    more: dict[str, Any] = {"progress": progress} if approach.optimal and progress else {}
    return solving_kind(approach)(
        machine.folders.cache,
        approach,
        machine.rig,
        screen.note,
        lanes=machine.known_lanes,
        pose=machine.known_pose,
        **more,
    )


def _tell(
    job: SolveJob,
    plan: Plan,
    recorder: Recorder,
    times: RunTimes,
    shortest: Sequence[MoveSequence],
    known: Mapping[str, object],
) -> None:
    if not job.dry_run:
        print_times(job.screen, times)
    if job.json:
        record = solve_record(plan.state.to_facelets(), plan.solution, plan.program)
        more = dict(known) if job.dry_run else {**known, "clock": times.to_record()}
        if shortest:
            more["all"] = [str(moves) for moves in shortest]
        wrong = recorder.went_wrong
        typer.echo(to_line(record, verified=recorder.verified, went_wrong=wrong, **more))
    for moves in shortest:
        job.screen.line(f"shortest  {moves}")
    if job.dry_run:
        job.screen.actions(plan.program)
