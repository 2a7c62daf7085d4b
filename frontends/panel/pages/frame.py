"""What surrounds every page: the name, the tabs, who controls, and STOP."""

import html
import json
from collections.abc import Callable
from dataclasses import dataclass

from nicegui import ui

from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.by_hand import build_by_hand
from frontends.panel.pages.calibrate.page import build_calibrate
from frontends.panel.pages.history import build_history
from frontends.panel.pages.page import Page
from frontends.panel.pages.run import build_run
from thistlebot.words.words import languages, load_words

_LINK_KINDS = ("expired", "lease", "run", "busy", "link")


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of the main page.

    Attributes:
        key: Its name, which is also that of its text and of its address, as in ``/?tab=history``.
        icon: Name of a Material icon.
        build: Builds what it holds.
    """

    key: str
    icon: str
    build: Callable[[Page], None]


TABS = (
    Tab("run", "play_arrow", build_run),
    Tab("hand", "back_hand", build_by_hand),
    Tab("calibrate", "tune", build_calibrate),
    Tab("history", "history", build_history),
)


_KEEP_TAB = "(name) => history.replaceState(null, '', `?tab=${name}`)"


def build_head(page: Page) -> None:
    """Add what every page needs before anything is shown."""
    told = {kind: page.words(f"link.{kind}") for kind in _LINK_KINDS}
    ui.add_head_html('<link rel="stylesheet" href="/static/panel.css">')
    ui.add_head_html('<script type="module" src="/static/command.js"></script>')
    ui.add_body_html(
        '<script type="application/json" id="panel-words">'
        f"{json.dumps(told).replace('<', '&lt;')}</script>"
    )
    ui.query("html").props(f'lang="{page.words.language}"')


def build_stop(page: Page) -> None:
    """Add STOP: always there, never confirmed, without a lease."""
    label = html.escape(page.words("frame.stop_label"))
    ui.html(
        f'<button type="button" class="stop" aria-label="{label}">'
        f"{html.escape(page.words('frame.stop'))}</button>",
        sanitize=False,
    ).classes("stop-place")


def build_frame(page: Page, wish: str = "") -> None:
    """Build the main page.

    Args:
        page: The page.
        wish: The tab that its address names; the first one for any other.
    """
    first = next((tab.key for tab in TABS if tab.key == wish), TABS[0].key)
    build_head(page)
    ui.context.client.content.classes("panel")
    with ui.element("header").classes("panel-header"):
        ui.label("Thistlebot").classes("panel-name")
        _badges(page)
        with ui.tabs().props("dense no-caps inline-label narrow-indicator shrink") as tabs:
            for tab in TABS:
                ui.tab(tab.key, label=page.words(f"frame.{tab.key}"), icon=tab.icon)
        # A page that is loaded again, by a person or after a loss, shows what it showed.
        tabs.on("update:model-value", js_handler=_KEEP_TAB)
        ui.space()
        _control(page)
        _menu(page)
    with (
        ui.tab_panels(tabs, value=first, animated=False).classes("panel-main").props('role="main"')
    ):
        for tab in TABS:
            with ui.tab_panel(tab.key).classes(f"panel-page {tab.key}-page"):
                tab.build(page)
    ui.html('<div id="panel-message" role="status" aria-live="polite"></div>', sanitize=False)
    build_stop(page)


def _badges(page: Page) -> None:
    def modes(view: ViewModel) -> tuple[bool, bool]:
        return view.machine.virtual, view.dry_run and bool(view.job)

    def draw(part: tuple[bool, bool]) -> None:
        virtual, dry = part
        if virtual:
            ui.label(page.words("frame.virtual")).classes("badge virtual")
        if dry:
            ui.label(page.words("frame.dry_run")).classes("badge dry")

    page.show(modes, draw).classes("badges")


def _control(page: Page) -> None:
    words = page.words
    ui.label(words("link.lost")).classes("badge lost only-lost").props('role="status"')
    ui.label(words("link.watching")).classes("badge only-other")
    ui.button(words("link.take")).props("flat dense no-caps").classes("only-free").on(
        "click", js_handler="() => window.thistlebot.take()"
    )


def _menu(page: Page) -> None:
    words = page.words
    label = html.escape(words("frame.menu"))
    with ui.button(icon="more_vert").props(f'flat dense round aria-label="{label}"'), ui.menu():
        for code in languages():
            entry = ui.menu_item(load_words(code).name).props(f'lang="{code}"')
            entry.on("click", js_handler=f"() => window.thistlebotSettings.language('{code}')")
        ui.separator()
        for shade in ("light", "dark", "auto"):
            entry = ui.menu_item(words(f"frame.{shade}"))
            entry.on("click", js_handler=f"() => window.thistlebotSettings.shade('{shade}')")
        ui.separator()
        ui.menu_item(words("frame.show")).on(
            "click", js_handler="() => { location.href = '/show' }"
        )
        entry = ui.menu_item(words("link.give")).classes("only-mine")
        entry.on("click", js_handler="() => window.thistlebot.give()")
