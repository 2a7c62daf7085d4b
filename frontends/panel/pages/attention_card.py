"""The card that says why the machine needs a person, on the pages that it concerns."""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from frontends.control.routing import CALIBRATING
from frontends.control.view_model.attention import Attention, AttentionAction, AttentionKind, said
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.page import Page

ORDERS: dict[AttentionAction, Mapping[str, Any]] = {
    AttentionAction.LOOK_AGAIN: {"command": "look"},
    AttentionAction.TAKE_INSTEAD: {"command": "take_instead"},
    AttentionAction.PROCEED: {"command": "dismiss"},
    AttentionAction.ALIGNED: {"command": "align"},
    AttentionAction.CLEAR: {"command": "dismiss"},
}
"""The command of each action; a correction is a tap on the net."""
_AGAIN = {"solve", "copy", "proceed"}
"""Jobs that are started again if another look helps."""
_EVERYWHERE = frozenset(
    {AttentionKind.LINK, AttentionKind.ASKEW, AttentionKind.EMERGENCY_STOP, AttentionKind.LIGHT}
)
"""What concerns every page, whatever job it ended."""


def show_attention(page: Page, own: Callable[[str], bool]) -> None:
    """Show the attention card of the view, if there is one, and the effect of a correction.

    Args:
        page: The page.
        own: Returns whether a job is one of this page: the failures of others stand there.
    """

    def pick(view: ViewModel) -> tuple[Attention | None, int, str]:
        return attention_of(view, own), view.run, view.last_job

    def draw(part: tuple[Attention | None, int, str]) -> None:
        attention, run, last_job = part
        if attention is not None:
            _card(page, attention, run, last_job)

    page.show(lambda view: (view.look.corrections, view.look), lambda part: _corrected(page, *part))
    page.show(pick, draw)


def attention_of(view: ViewModel, own: Callable[[str], bool]) -> Attention | None:
    """Return what a page shows of the attention of a view; see `show_attention`."""
    attention = view.attention
    if attention is None or attention.kind in _EVERYWHERE or own(view.last_job):
        return attention
    return None


def notes_of(view: ViewModel, own: Callable[[str], bool]) -> tuple[str, ...]:
    """Return what a page shows of the notes of a view: its jobs' own, and those of the machine."""
    return tuple(note.text for note in view.notes if not note.job or own(note.job))


def runs_cube(job: str) -> bool:
    """Return whether a job is one of the page Run."""
    return job not in CALIBRATING and job != "by_hand"


def offered(attention: Attention, last_job: str) -> list[tuple[AttentionAction, Mapping[str, Any]]]:
    """Return the buttons of the card, and the command of each.

    Args:
        attention: Why the user must act.
        last_job: Name of the job that ended with it; for solving by hand, the rig does not look.
    """
    orders = (
        ORDERS | {AttentionAction.LOOK_AGAIN: {"command": "again"}}
        if last_job in _AGAIN
        else ORDERS
    )
    by_hand = last_job == "by_hand"
    return [
        (action, orders[action])
        for action in attention.actions
        if action in orders and not (by_hand and action is AttentionAction.LOOK_AGAIN)
    ]


def _card(page: Page, attention: Attention, run: int, last_job: str) -> None:
    words = page.words
    with ui.element("div").classes("attention").props('role="alert"'):
        if attention.look is not None:
            picture = f"look/{run}/{attention.look}/0.jpg"
            ui.element("img").props(f'src="{picture}" alt="{words("run.picture")}"')
        with ui.element("div").classes("attention-text"):
            known = attention.kind is not AttentionKind.OTHER
            why = ui.label(said(attention, words) if known else attention.text)
            why.classes("attention-why").props("" if known else 'lang="en"')
            if AttentionAction.CORRECT in attention.actions:
                ui.label(words("run.correct_hint")).classes("small")
            if known:
                with ui.element("details"):
                    with ui.element("summary"):
                        ui.label(words("run.details"))
                    ui.label(attention.text).props('lang="en"')
        with ui.element("div").classes("attention-actions"):
            for number, (action, order) in enumerate(offered(attention, last_job)):
                button = page.order_button(f"attention.{action}", order)
                if number:  # the first is the recommended one
                    button.props("outline", remove="unelevated")
            if attention.kind is AttentionKind.LINK:
                leading(words("frame.hand"), "hand")


def leading(text: str, tab: str) -> ui.button:
    """Add a button that leads to a tab."""
    button = ui.button(text).props("no-caps outline")
    return button.on("click", js_handler=f"() => location.assign('./?tab={tab}')")


def _corrected(page: Page, corrections: int, look: Any) -> None:
    """Show the effect of a correction, with buttons to continue or to undo it."""
    if not corrections:
        return
    words = page.words
    with ui.element("div").classes("attention corrected").props('role="status"'):
        with ui.element("div").classes("attention-text"):
            told = [change for change in look.changes if not change.told]
            text = ", ".join(f"{each.facelet}: {each.before} → {each.after}" for each in told)
            ui.label(words("run.sure_now" if look.accepted else "run.not_sure_yet"))
            if text:
                ui.label(words("run.follows", changes=text)).classes("small")
        with ui.element("div").classes("attention-actions"):
            if look.accepted:
                page.order_button("attention.proceed", {"command": "proceed"})
            page.order_button("run.undo", {"command": "undo_correction"})
