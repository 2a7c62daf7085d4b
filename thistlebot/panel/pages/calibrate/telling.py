"""What all cards show: their part of the view, and what became of the last wish."""

from nicegui import ui

from thistlebot.control.showing.calibrate_pane import CalibratePane, pane_of
from thistlebot.control.showing.view import ViewModel
from thistlebot.panel.pages.attention import show_attention
from thistlebot.panel.pages.page import Page


def pane(view: ViewModel) -> CalibratePane:
    """Return what the page shows."""
    return pane_of(view.panes)


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
