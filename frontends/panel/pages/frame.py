"""The frame of every page: the name, the tabs, the controller, and STOP."""

import html
import json
from collections.abc import Callable
from dataclasses import dataclass

from nicegui import ui

from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.assistant.page import build_assistant
from frontends.panel.pages.calibrate.page import build_calibrate
from frontends.panel.pages.hand.by_hand import build_by_hand
from frontends.panel.pages.help import build_help
from frontends.panel.pages.page import Page, keep_in_address
from frontends.panel.pages.past.history import build_history
from frontends.panel.pages.run import build_run
from frontends.panel.pages.school import build_school
from thistlebot.shipped import shipped_root, shipped_site
from thistlebot.words.words import languages, load_words

_LINK_KINDS = ("expired", "run", "busy", "link")


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of the main page.

    Attributes:
        key: Its name, also of its text and its address, as in ``/?tab=history``.
        icon: Name of a Material icon.
        build: Builds its content.
        files: See `build_head`.
    """

    key: str
    icon: str
    build: Callable[[Page], None]
    files: tuple[str, ...] = ()


TABS = (
    Tab("run", "play_arrow", build_run),
    Tab("hand", "back_hand", build_by_hand, ("hand.css", "hand.js")),
    Tab("calibrate", "tune", build_calibrate, ("calibrate.css",)),
    Tab("history", "history", build_history, ("past.css",)),
    Tab("school", "school", build_school, ("school.css",)),
)


ASSISTANT = Tab("assistant", "flag", build_assistant, ("assistant.css",))
"""Opened by itself or from the menu: it needs no place among the tabs."""
PANELS = (*TABS, ASSISTANT)


def build_head(page: Page, *files: str) -> None:
    """Add what every page needs before anything is shown.

    Args:
        page: The page.
        files: Its own styles and scripts; scripts added later do not run.
    """
    for name in ("panel.css", "command.js", *files):
        address = f"static/{name}"
        script = f'<script type="module" src="{address}"></script>'
        style = f'<link rel="stylesheet" href="{address}">'
        ui.add_head_html(style if name.endswith(".css") else script)
    told = {kind: page.words(f"link.{kind}") for kind in _LINK_KINDS}
    ui.add_body_html(
        '<script type="application/json" id="panel-words">'
        f"{json.dumps(told).replace('<', '&lt;')}</script>"
    )
    ui.query("html").props(f'lang="{page.words.language}"')


def build_stop(page: Page) -> None:
    """Add STOP: always visible, without confirmation."""
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
        wish: The tab in its address; any other opens the first one.
    """
    first = next((tab.key for tab in PANELS if tab.key == wish), TABS[0].key)
    build_head(page, *(file for tab in PANELS for file in tab.files))
    ui.context.client.content.classes("panel")
    with ui.element("header").classes("panel-header"):
        ui.label("Thistlebot").classes("panel-name")
        _badges(page)
        with ui.tabs().props("dense no-caps inline-label narrow-indicator shrink") as tabs:
            for tab in TABS:
                ui.tab(tab.key, label=page.words(f"frame.{tab.key}"), icon=tab.icon)
        keep_in_address(tabs, "?tab=")
        ui.space()
        _control(page)
        build_help(page, lambda: str(tabs.value))
        _menu(page)
    unbuilt = {tab.key: tab.build for tab in PANELS}

    def build(key: str) -> None:
        if key in unbuilt:
            with panels[key]:
                unbuilt.pop(key)(page)

    with (
        ui.tab_panels(tabs, value=first, animated=False).classes("panel-main").props('role="main"')
    ):
        panels = {
            tab.key: ui.tab_panel(tab.key).classes(f"panel-page {tab.key}-page") for tab in PANELS
        }
    build(first)  # the others when they are chosen: most pages only ever show one tab
    tabs.on_value_change(lambda chosen: build(chosen.value))
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
        ui.menu_item(words("frame.assistant")).on(
            "click", js_handler="() => location.assign('./?tab=assistant')"
        )
        ui.menu_item(words("frame.show")).on("click", js_handler="() => { location.href = 'show' }")
        if shipped_site(shipped_root()):
            ui.menu_item(words("frame.manual")).on(
                "click", js_handler="() => window.open('manual/index.html')"
            )
