"""The patterns as a grid of pictures; a tap makes one."""

import html

from nicegui import ui

from cube.patterns import PATTERNS
from frontends.panel.pages.page import Page, sending


def build_patterns(page: Page) -> None:
    """Add the button that opens the grid; it is built when it is opened for the first time."""
    name = html.escape(page.words("run.patterns"))
    with ui.dialog().props(f'aria-label="{name}"') as dialog:
        grid = ui.element("div").classes("sheet patterns")

    def show() -> None:
        if not grid.default_slot.children:
            with grid:
                _build(page, dialog)
        dialog.open()

    button = ui.button(page.words("run.patterns"), icon="grid_view", on_click=show)
    button.props("no-caps outline")


def _build(page: Page, dialog: ui.dialog) -> None:
    words = page.words
    with ui.element("div").classes("patterns-grid"):
        for pattern in PATTERNS:
            card = ui.element("button").classes("order pattern-card")
            card.props(f'type="button" data-pattern="{pattern.slug}"')
            with card:
                ui.html(f'<img src="/picture/pattern/{pattern.slug}.svg" alt="">', sanitize=False)
                ui.label(words(f"pattern.{pattern.slug}"))
            order = {"command": "solve", "target": pattern.name}
            card.on("click", js_handler=sending(order))
            card.on("click", dialog.close, [])
    with ui.element("div").classes("sheet-buttons"):
        ui.button(words("run.close"), on_click=dialog.close).props("no-caps outline")
