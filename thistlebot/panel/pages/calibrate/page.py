"""Puts the cards of the page Calibrate together."""

from collections.abc import Callable

from nicegui import ui

from thistlebot.panel.pages.calibrate.colours import build_colours
from thistlebot.panel.pages.calibrate.motors import build_motors
from thistlebot.panel.pages.calibrate.profiles import build_profiles
from thistlebot.panel.pages.calibrate.views import build_views
from thistlebot.panel.pages.page import Page

_CARDS: tuple[tuple[str, Callable[[Page], None]], ...] = (
    ("colours", build_colours),
    ("views", build_views),
    ("motors", build_motors),
    ("profiles", build_profiles),
)


def build_calibrate(page: Page) -> None:
    """Build the page."""
    ui.add_head_html('<link rel="stylesheet" href="/static/calibrate.css">')
    words = page.words
    with ui.element("div").classes("calibrate"):
        with ui.tabs().props("dense no-caps narrow-indicator align=left").classes("cards") as tabs:
            for key, _ in _CARDS:
                ui.tab(key, label=words(f"calibrate.{key}"))
        with ui.tab_panels(tabs, value=_CARDS[0][0], animated=False).classes("card-panels"):
            for key, build in _CARDS:
                with ui.tab_panel(key).classes(f"card {key}-card"):
                    build(page)
