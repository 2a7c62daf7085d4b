"""Fields whose content goes to the machine with an order, by the page's own socket.

What all cards show: their part of the view, and what became of the last wish.
"""

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from frontends.control.view_model.calibrate import CalibratePane
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.page import Page
from frontends.panel.pages.run import show_attention


def pane(view: ViewModel) -> CalibratePane:
    """Return what the page shows."""
    return view.panes.calibrate or CalibratePane()


def told(page: Page) -> None:
    """Show what went wrong with the last wish."""
    show_attention(page)
    page.show(lambda view: view.notes[-1:], _notes)


def saved_text(page: Page, saved: str) -> None:
    """Say what became of what was saved.

    Args:
        page: The page.
        saved: The file or name; ``-`` when it was not kept, empty when nothing was saved.
    """
    if saved == "-":
        ui.label(page.words("calibrate.not_kept")).classes("note").props('role="status"')
    elif saved:
        text = page.words("calibrate.saved", what=saved)
        ui.label(text).classes("note good").props('role="status"')


def _notes(notes: tuple[str, ...]) -> None:
    for note in notes:
        ui.label(note).classes("note").props('role="status" lang="en"')


def text_field(field: str, label: str, value: str = "", *, longest: int = 60) -> ui.html:
    """Add a field for a short text.

    Args:
        field: Its id on the page.
        label: What it is for.
        value: What stands in it at first.
        longest: Characters.
    """
    return ui.html(
        f'<label for="{field}">{html.escape(label)}</label>'
        f'<input id="{field}" type="text" maxlength="{longest}" autocomplete="off"'
        f' value="{html.escape(value)}">',
        sanitize=False,
    ).classes("field")


def choice_field(
    field: str, label: str, options: Sequence[tuple[str, str]], chosen: str = ""
) -> ui.html:
    """Add a list to choose one of.

    Args:
        field: Its id on the page.
        label: What it is for.
        options: Value and text of each.
        chosen: The value that is chosen at first.
    """
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
    """Return the code that gives an order with what stands in fields.

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
    """Return a button that gives an order with what stands in fields."""
    button = ui.button(page.words(key), icon=icon).classes("order").props("no-caps unelevated")
    button.on("click", js_handler=sending_fields(order, fields))
    return button
