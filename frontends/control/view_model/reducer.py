"""The change of the view with each event and notice: a pure function.

This module also contains the display of the machine's thoughts: what each stage of its plan reduces
to zero, and its present value.
"""

from dataclasses import dataclass
from functools import lru_cache, singledispatch

import numpy as np
from msgspec.structs import replace

from cube.errors import ThistlebotError
from cube.facelets import Facelets
from cube.laws import Orbit, orbit_of
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from frontends.control.view_model import notices
from frontends.control.view_model.attention import concluded, noticed
from frontends.control.view_model.notices import Told
from frontends.control.view_model.view import LastLook, ShownCube, ShownPlan, ViewModel
from solver.coordinates import rank_permutations, square_corners
from solver.cubies import Cubies
from solver.stages.solution import TABLE_CHAIN, Chain, Solution, chain_of
from thistlebot import events
from thistlebot.events import Phase
from thistlebot.records import ReadingRecord

STAGES = (
    ("flipped_edges",),
    ("twisted_corners", "slice_edges"),
    ("corner_orbit", "edge_slices"),
    ("pieces",),
)
"""The values that the stages reduce to zero, as `Gauge.name`."""
LAWS = ("twist", "flip", "parity")
"""The three invariants, in the order of `Orbit`."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """A value that a stage reduces to zero.

    Attributes:
        name: What is counted, as named in ``show.toml``.
        left: Present value.
        most: Maximum value.
    """

    name: str
    left: int
    most: int


@dataclass(frozen=True, slots=True)
class Thoughts:
    """A cube in terms of the subgroup chain.

    Attributes:
        level: Number of the smallest subgroup that contains it, 0 to 4; 4 is the target itself.
        stages: What each of the four stages reduces to zero.
        orbit: The three invariants, which turns cannot change; all 0 for a solvable cube.
    """

    level: int
    stages: tuple[tuple[Gauge, ...], ...]
    orbit: Orbit


def thoughts_of(view: ViewModel) -> Thoughts | None:
    """Analyse the cube of a view; None if it is unknown or invalid.

    The chain is that of the plan, and the cube is relabelled by the plan's target, so the values
    also reach zero for a pattern.
    """
    if view.cube.facelets is None:
        return None
    try:
        return _thoughts(view.cube.facelets, view.plan)
    except ThistlebotError:
        return None  # misread stickers may not form a cube


def makes_pattern(view: ViewModel) -> bool:
    """Return whether the plan leads to another state than the solved cube."""
    target = _aim(view.plan)[1] if view.plan.stages else None
    return target is not None and target != SOLVED


@lru_cache(maxsize=64)
def _thoughts(facelets: str, plan: ShownPlan) -> Thoughts:
    state = CubeState.from_facelets(Facelets(facelets))
    chain, target = _aim(plan)
    here = state if target is None else target.inverse() * state
    cubies = chain.seen(here)
    return Thoughts(chain.level(here), _stages(cubies), orbit_of(state))


def _stages(cubies: Cubies) -> tuple[tuple[Gauge, ...], ...]:
    """Count what is left, in the orientation of the tables (`solver.stages.solution`)."""
    arranged = square_corners()[rank_permutations(cubies.corners[None])[0]] >= 0
    corners = np.count_nonzero(cubies.corners != np.arange(8))
    edges = np.count_nonzero(cubies.edges != np.arange(12))
    return (
        (Gauge("flipped_edges", int(np.count_nonzero(cubies.flips)), 12),),
        (
            Gauge("twisted_corners", int(np.count_nonzero(cubies.twists)), 8),
            Gauge("slice_edges", int(np.count_nonzero(cubies.edges[8:] < 8)), 4),
        ),
        (
            Gauge("corner_orbit", int(not arranged), 1),
            Gauge("edge_slices", _in_wrong_slice(cubies), 8),
        ),
        (Gauge("pieces", int(corners + edges), 20),),
    )


def _in_wrong_slice(cubies: Cubies) -> int:
    """Count edges of the two other slices that are not in their own one."""
    places, edges = np.arange(8), cubies.edges[:8]
    return int(np.count_nonzero((edges >= 8) | ((edges ^ places) & 1 == 1)))


@lru_cache(maxsize=8)
def _aim(plan: ShownPlan) -> tuple[Chain, CubeState | None]:
    """Find the orientation of the chain in a plan, and the plan's target."""
    if plan.before is None or not plan.moves:
        return TABLE_CHAIN, None
    state = CubeState.from_facelets(Facelets(plan.before))
    told = [(name, " ".join(moves)) for name, moves in plan.stages]
    moves = MoveSequence.parse(" ".join(move for _, those in told for move in those.split()))
    target = state.apply(MoveSequence.parse(" ".join(plan.moves)))
    if not told or state.apply(moves) != target:
        return TABLE_CHAIN, None  # given moves have no target
    return chain_of(Solution(state, moves, target), told) or TABLE_CHAIN, target


NOTES_KEPT = 5
_ABOUT_CUBE = (events.Read, events.Verified, events.Diagnosed)


def after(view: ViewModel, told: Told) -> ViewModel:
    """Return the view after one more event or notice."""
    changed = _after(told, view)
    if isinstance(told, _ABOUT_CUBE):
        changed = replace(changed, noticed=noticed(view.noticed, told))
    return changed


@singledispatch
def _after(_told: Told, view: ViewModel) -> ViewModel:
    """Return the view unchanged: other events change nothing that is shown."""
    return view


@_after.register
def _(told: notices.Readied, view: ViewModel) -> ViewModel:
    return replace(view, machine=told.machine)


@_after.register
def _(told: notices.Began, view: ViewModel) -> ViewModel:
    return replace(
        view,
        job=told.job,
        run=told.run,
        dry_run=told.dry_run,
        phase=Phase.IDLE,
        began_s=told.now_s,
        ended_s=None,
        plan=ShownPlan(),
        executed=0,
        looked=(0, 0),
        look=replace(view.look, can_correct=False, changes=(), corrections=0, glimpsed=()),
        verified=None,
        times={},
        attention=None,
        noticed=None,
        notes=(),
    )


@_after.register
def _(told: notices.Laid, view: ViewModel) -> ViewModel:
    plan = ShownPlan(view.cube.facelets, _moves(told.steps), told.steps)
    return replace(view, plan=plan, executed=0, cube=_placed(view.cube, plan.before))


@_after.register
def _(told: notices.Seen, view: ViewModel) -> ViewModel:
    look = replace(view.look, number=told.look, cameras=told.cameras, marks=told.marks)
    return replace(view, look=look)


@_after.register
def _(told: notices.Glimpsed, view: ViewModel) -> ViewModel:
    return replace(view, look=replace(view.look, glimpsed=told.colours))


@_after.register
def _(told: notices.Noted, view: ViewModel) -> ViewModel:
    return replace(view, notes=(*view.notes, told.text)[-NOTES_KEPT:])


@_after.register
def _(told: notices.Shared, view: ViewModel) -> ViewModel:
    return replace(view, tables=told.tables)


@_after.register
def _(told: notices.Remembered, view: ViewModel) -> ViewModel:
    return replace(view, remembered=told.facelets)


@_after.register
def _(told: notices.Corrected, view: ViewModel) -> ViewModel:
    look = replace(
        _look_of(view, told.reading),
        changes=told.changes,
        corrections=told.corrections,
    )
    cube = replace(view.cube, facelets=look.facelets, sure=look.accepted, turned=0, moves=())
    return replace(view, look=look, cube=cube)


@_after.register
def _(told: notices.Finished, view: ViewModel) -> ViewModel:
    return replace(
        view,
        job="",
        last_job=told.job,
        ended_s=told.now_s,
        times=told.times,
        attention=concluded(view.noticed, told.error.error) if told.error else view.attention,
        look=replace(view.look, can_correct=view.look.number >= 0 and not view.executed),
    )


@_after.register
def _(_told: notices.Dismissed, view: ViewModel) -> ViewModel:
    return replace(view, attention=None)


@_after.register
def _(told: notices.Needed, view: ViewModel) -> ViewModel:
    return replace(view, attention=told.attention)


@_after.register
def _(told: events.Entered, view: ViewModel) -> ViewModel:
    return replace(view, phase=told.phase)


@_after.register
def _(told: events.Looked, view: ViewModel) -> ViewModel:
    return replace(view, looked=(told.done, told.total))


@_after.register
def _(told: events.Read, view: ViewModel) -> ViewModel:
    return _seen(view, told.reading)


@_after.register
def _(told: events.Planned, view: ViewModel) -> ViewModel:
    solution = told.solution
    steps = solution.steps or ()
    stages = tuple((each.name, _moves((each.moves,))) for each in solution.stages)
    plan = ShownPlan(solution.facelets, _moves(steps), steps, stages, solution.time_s or 0.0)
    return replace(view, plan=plan, executed=0, cube=_placed(view.cube, plan.before))


@_after.register
def _(told: events.Turned, view: ViewModel) -> ViewModel:
    return _turned(view, told.done)


@_after.register
def _(_told: events.Executed, view: ViewModel) -> ViewModel:
    return _turned(view, len(view.plan.steps))


@_after.register
def _(told: events.Verified, view: ViewModel) -> ViewModel:
    solved = view.solved + bool(told.reached and view.plan.moves)
    return replace(_seen(view, told.reading), verified=told.reached, solved=solved)


@_after.register
def _(_told: events.Ended, view: ViewModel) -> ViewModel:
    return replace(view, cube=replace(view.cube, sure=False))


def _seen(view: ViewModel, reading: ReadingRecord) -> ViewModel:
    look = replace(_look_of(view, reading), changes=(), corrections=0)
    if not look.accepted:
        return replace(view, look=look, cube=replace(view.cube, sure=False))
    cube = ShownCube(look.facelets, reading.scheme or view.cube.scheme, sure=True)
    if cube.facelets == view.cube.facelets:  # as it was turned: the moves stay visible
        cube = replace(cube, turned=view.cube.turned, moves=view.cube.moves)
    return replace(view, look=look, cube=cube)


def _look_of(view: ViewModel, reading: ReadingRecord) -> LastLook:
    doubtful = {repair.facelet for repair in reading.repairs} | set(reading.unseen)
    return replace(
        view.look,
        glimpsed=(),
        accepted=reading.accepted,
        facelets=reading.best,
        doubtful=tuple(sorted(doubtful)),
        confidence=tuple(sticker.confidence for sticker in reading.stickers),
    )


def _placed(cube: ShownCube, facelets: str | None) -> ShownCube:
    """Return the cube before the first move of a program."""
    return replace(cube, facelets=facelets, turned=0, moves=())


def _turned(view: ViewModel, done: int) -> ViewModel:
    plan, cube = view.plan, view.cube
    moves = _moves(plan.steps[:done])
    facelets, more = cube.facelets, moves[cube.turned :]
    if moves[: cube.turned] != cube.moves:  # fewer than before
        facelets, more = plan.before, moves
    if facelets is not None and more:
        state = CubeState.from_facelets(Facelets(facelets))
        facelets = state.apply(MoveSequence.parse(" ".join(more))).to_facelets().text
    cube = replace(cube, facelets=facelets, turned=len(moves), moves=moves)
    return replace(view, executed=done, cube=cube)


def _moves(steps: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(move for step in steps for move in step.split())
