"""Cards that say why a person is needed, and what to do: attention, not errors."""

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from thistlebot.control.showing.attention import Attention, AttentionAction, said
from thistlebot.control.showing.view import ViewModel
from thistlebot.panel.pages.page import Page

ORDERS: dict[AttentionAction, Mapping[str, Any]] = {
    AttentionAction.LOOK_AGAIN: {"command": "look"},
    AttentionAction.TAKE_INSTEAD: {"command": "take_instead"},
    AttentionAction.GO_ON: {"command": "dismiss"},
    AttentionAction.CLEAR: {"command": "dismiss"},
}
"""What each action asks of the machine; a correction is a tap on the net."""
_AGAIN = {"solve", "scramble", "copy", "go_on"}
"""Jobs that are begun again, where looking again is what helps."""


def show_attention(page: Page) -> None:
    """Show the card that the view asks for, if it asks for one, and what a correction changed."""

    def pick(view: ViewModel) -> tuple[Attention | None, int, str]:
        return view.attention, view.run, view.last_job

    def draw(part: tuple[Attention | None, int, str]) -> None:
        attention, run, last_job = part
        if attention is not None:
            _card(page, attention, run, last_job)

    page.show(lambda view: (view.look.corrections, view.look), lambda part: _corrected(page, *part))
    page.show(pick, draw)


def offered(attention: Attention, last_job: str) -> list[tuple[AttentionAction, Mapping[str, Any]]]:
    """Return what is offered on the card, and the order that each begins.

    Args:
        attention: Why a person is needed.
        last_job: Name of the job that ended with it; the rig does not look for one by hand.
    """
    orders = (
        ORDERS | {AttentionAction.LOOK_AGAIN: {"command": "solve"}}
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
            picture = f"/look/{run}/{attention.look}/0.jpg"
            ui.element("img").props(f'src="{picture}" alt="{words("run.picture")}"')
        with ui.element("div").classes("attention-text"):
            ui.label(said(attention, words)).classes("attention-why")
            if AttentionAction.CORRECT in attention.actions:
                ui.label(words("run.correct_hint")).classes("small")
            with ui.element("details"):
                with ui.element("summary"):
                    ui.label(words("run.details"))
                ui.label(attention.text).props('lang="en"')
        with ui.element("div").classes("attention-actions"):
            for action, order in offered(attention, last_job):
                page.order_button(f"attention.{action}", order)


def _corrected(page: Page, corrections: int, look: Any) -> None:
    """Say what a correction changed, and offer to go on or to take it back."""
    if not corrections:
        return
    words = page.words
    with ui.element("div").classes("attention corrected").props('role="status"'):
        with ui.element("div").classes("attention-text"):
            told = [change for change in look.changes if not change["told"]]
            text = ", ".join(
                f"{each['facelet']}: {each['before']} → {each['after']}" for each in told
            )
            ui.label(words("run.sure_now" if look.accepted else "run.not_sure_yet"))
            if text:
                ui.label(words("run.follows", changes=text)).classes("small")
        with ui.element("div").classes("attention-actions"):
            if look.accepted:
                page.order_button("attention.go_on", {"command": "go_on"})
            page.order_button("run.undo", {"command": "undo_correction"})
