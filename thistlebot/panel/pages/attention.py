"""Cards that say why a person is needed, and what to do: attention, not errors."""

from typing import Any

from nicegui import ui

from thistlebot.control.view import View
from thistlebot.panel.pages.page import Page


def show_attention(page: Page) -> None:
    """Show the card that the view asks for, if it asks for one."""

    def pick(view: View) -> tuple[dict[str, Any] | None, int, int]:
        return view.attention, view.run, view.look.number

    def draw(part: tuple[dict[str, Any] | None, int, int]) -> None:
        attention, _run, _look = part
        if attention is not None:
            _card(page, attention)

    page.show(pick, draw)


def _card(page: Page, attention: dict[str, Any]) -> None:
    with ui.element("div").classes("attention").props('role="alert"'):
        ui.label(attention["text"]).classes("attention-text")
        page.order_button("run.close", {"command": "dismiss"})
