"""The page Calibrate, made of its cards."""

from collections.abc import Callable

from nicegui import ui

from frontends.panel.pages.board import build_board
from frontends.panel.pages.calibrate.cameras import build_views
from frontends.panel.pages.calibrate.colours import build_colours
from frontends.panel.pages.calibrate.motors import build_motors
from frontends.panel.pages.calibrate.profiles import build_profiles
from frontends.panel.pages.page import Page, keep_in_address

_CARDS: tuple[tuple[str, Callable[[Page], None]], ...] = (
    ("colours", build_colours),
    ("views", build_views),
    ("motors", build_motors),
    ("profiles", build_profiles),
    ("board", build_board),
)


def build_calibrate(page: Page) -> None:
    """Build the page."""
    words = page.words
    first = next((key for key, _ in _CARDS if key == page.card), _CARDS[0][0])
    with ui.element("div").classes("calibrate"):
        with ui.tabs().props("dense no-caps narrow-indicator align=left").classes("cards") as tabs:
            for key, _ in _CARDS:
                ui.tab(key, label=words(f"calibrate.{key}"))
        keep_in_address(tabs, "?tab=calibrate&card=")
        with ui.tab_panels(tabs, value=first, animated=False).classes("card-panels"):
            for key, build in _CARDS:
                with ui.tab_panel(key).classes(f"card {key}-card"):
                    build(page)
