"""What the cards of the page Calibrate have in common.

Their part of the view, the result of the last command, and fields whose content is sent with a
command, through the page's own socket.
"""

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from frontends.control.routing import CALIBRATING
from frontends.control.view_model.calibrate import CalibratePane
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.attention_card import notes_of, show_attention
from frontends.panel.pages.page import Page, sending


def pane(view: ViewModel) -> CalibratePane:
    """Return the pane of the page."""
    return view.panes.calibrate or CalibratePane()


def told(page: Page) -> None:
    """Show what went wrong with the last command."""
    show_attention(page, CALIBRATING.__contains__)
    page.show(lambda view: notes_of(view, CALIBRATING.__contains__)[-1:], _notes)


def saved_text(page: Page, saved: str) -> None:
    """Show the result of saving: a file or name, or ``-`` if it was not stored."""
    if saved == "-":
        ui.label(page.words("calibrate.not_kept")).classes("note").props('role="status"')
    elif saved:
        text = page.words("calibrate.saved", what=saved)
        ui.label(text).classes("note good").props('role="status"')


def trouble(page: Page, text: str, details: str) -> None:
    """Show a problem in the page's language, with the program's message to unfold."""
    with ui.element("div").classes("verdict bad").props('role="alert"'):
        ui.label(text)
        with ui.element("details"):
            with ui.element("summary"):
                ui.label(page.words("run.details"))
            ui.label(details).props('lang="en"').classes("small")


def named_button(page: Page, key: str, icon: str, told: str, order: Mapping[str, Any]) -> None:
    """Add a button of a list, which says for screen readers what it is about."""
    told = html.escape(told)
    button = ui.button(page.words(f"calibrate.{key}"), icon=icon).classes("order")
    button.props(f'no-caps outline aria-label="{told}" title="{told}"')
    button.on("click", js_handler=sending(order))


def _notes(notes: tuple[str, ...]) -> None:
    for note in notes:
        ui.label(note).classes("note").props('role="status" lang="en"')


def text_field(field: str, label: str, value: str = "", *, longest: int = 60) -> ui.html:
    """Add a field for a short text."""
    return ui.html(
        f'<label for="{field}">{html.escape(label)}</label>'
        f'<input id="{field}" type="text" maxlength="{longest}" autocomplete="off"'
        f' value="{html.escape(value)}">',
        sanitize=False,
    ).classes("field")


def choice_field(
    field: str, label: str, options: Sequence[tuple[str, str]], chosen: str = ""
) -> ui.html:
    """Add a list with one choice."""
    entries = "".join(
        f'<option value="{html.escape(value)}"{" selected" if value == chosen else ""}>'
        f"{html.escape(text)}</option>"
        for value, text in options
    )
    return ui.html(
        f'<label for="{field}">{html.escape(label)}</label><select id="{field}">{entries}</select>',
        sanitize=False,
    ).classes("field")


def sending_fields(order: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    """Return the code that sends a command with the content of fields.

    Args:
        order: The rest of the command.
        fields: Key of the command to the field's id.
    """
    values = ", ".join(
        f"{json.dumps(key)}: document.getElementById({json.dumps(field)}).value.trim()"
        for key, field in fields.items()
    )
    return f"() => window.thistlebot.send({{...{json.dumps(dict(order))}, {values}}})"


def field_button(
    page: Page, key: str, order: Mapping[str, Any], fields: Mapping[str, str], icon: str
) -> ui.button:
    """Return a button that sends a command with the content of fields."""
    button = ui.button(page.words(key), icon=icon).classes("order").props("no-caps unelevated")
    button.on("click", js_handler=sending_fields(order, fields))
    return button
