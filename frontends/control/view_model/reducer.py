"""The change of the view with each event and notice: a pure function."""

from msgspec.structs import replace

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import CubeState
from frontends.control.view_model import notices
from frontends.control.view_model.attention import concluded, noticed
from frontends.control.view_model.notices import Notice, Told
from frontends.control.view_model.view import LastLook, ShownCube, ShownNote, ShownPlan, ViewModel
from thistlebot import events
from thistlebot.events import Phase
from thistlebot.records import ReadingRecord

NOTES_KEPT = 5
_ABOUT_CUBE = (events.Read, events.Verified, events.Diagnosed)


def after(view: ViewModel, told: Told) -> ViewModel:
    """Return the view after one more event or notice."""
    if isinstance(told, Notice):
        return _after_notice(view, told)
    changed = _after_event(view, told)
    if isinstance(told, _ABOUT_CUBE):
        changed = replace(changed, noticed=noticed(view.noticed, told))
    return changed


def _after_notice(view: ViewModel, told: Notice) -> ViewModel:  # noqa: PLR0911 - a table
    match told:
        case notices.Began():
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
                look=replace(_unmarked(view), can_correct=False, changes=(), corrections=0),
                verified=None,
                mishaps=(),
                times={},
                attention=None,
                noticed=None,
                notes=(),
            )
        case notices.Laid():
            plan = ShownPlan(view.cube.facelets, _moves(told.steps), told.steps)
            return _planned(view, plan)
        case notices.Seen():
            look = replace(view.look, number=told.look, cameras=told.cameras, marks=told.marks)
            return replace(view, look=look)
        case notices.Glimpsed():
            return replace(view, look=replace(view.look, glimpsed=told.colours))
        case notices.Noted():
            note = ShownNote(told.text, told.job or view.job)
            return replace(view, notes=(*view.notes, note)[-NOTES_KEPT:])
        case notices.Corrected():
            look = _look_of(view, told.reading)
            look = replace(look, changes=told.changes, corrections=told.corrections)
            cube = replace(view.cube, facelets=look.facelets, sure=look.accepted)
            return replace(view, look=look, cube=replace(cube, turned=0, moves=()))
        case notices.Finished(error=error):
            return replace(
                view,
                job="",
                last_job=told.job,
                ended_s=told.now_s,
                times=told.times,
                attention=concluded(view.noticed, error.error) if error else view.attention,
                look=replace(view.look, can_correct=view.look.number >= 0 and not view.executed),
            )


def _after_event(view: ViewModel, told: events.Event) -> ViewModel:  # noqa: PLR0911 - a table
    match told:
        case events.Entered(Phase.EXECUTE):
            return replace(view, phase=told.phase, look=_unmarked(view))
        case events.Entered():
            return replace(view, phase=told.phase)
        case events.Looked():
            return replace(view, looked=(told.done, told.total))
        case events.Read():
            return _seen(view, told.reading)
        case events.Planned(solution=solution):
            steps = solution.steps or ()
            stages = tuple((each.name, _moves((each.moves,))) for each in solution.stages)
            time_s = solution.time_s or 0.0
            chain = solution.chain
            plan = ShownPlan(solution.facelets, _moves(steps), steps, stages, chain, time_s)
            return _planned(view, plan)
        case events.Turned():
            return _turned(view, told.done)
        case events.Executed():
            return _turned(view, len(view.plan.steps))
        case events.Verified():
            solved = view.solved + bool(told.solved and view.plan.moves)
            return replace(_seen(view, told.reading), verified=told.reached, solved=solved)
        case events.Diagnosed() | events.Reconnected():
            return replace(view, mishaps=(*view.mishaps, told))
        case events.Ended():
            return replace(view, cube=replace(view.cube, sure=False))
        case _:
            return view  # other events change nothing that is shown


def _unmarked(view: ViewModel) -> LastLook:
    """Return the last look without its marks, which would lie on pictures of another cube."""
    return replace(view.look, glimpsed=(), marks=())


def _planned(view: ViewModel, plan: ShownPlan) -> ViewModel:
    """Show a plan, and the cube before its first move."""
    cube = replace(view.cube, facelets=plan.before, turned=0, moves=())
    return replace(view, plan=plan, executed=0, cube=cube)


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
