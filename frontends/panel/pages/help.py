"""Help in place: the section of the documentation about a page, in front of it."""

import html
import re
from collections.abc import Callable
from pathlib import Path

from nicegui import ui

from frontends.panel.pages.page import Page
from thistlebot.shipped import shipped_root, shipped_site

_MORE = {
    "hand": "by-hand.html",
    "calibrate": "calibrating.html",
    "history": "journal.html",
    "school": "lessons.html",
    "show": "exhibition.html",
}
"""The page of the documentation that says more; for the others, that of the panel."""
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+?)\.md(#[^)\s]+)?\)")
_HEADING = re.compile(r"(?m)^(#+) (.+)$")


def help_text(language: str, title: str, site: Path | None) -> str:
    """Return the section of the panel's page with a heading, as Markdown without pictures.

    Args:
        language: The page is in this language if there is such a page, otherwise in English.
        title: The heading, which is the name of a tab in that language.
        site: The documentation as web pages; without them, links to other pages are plain text.

    Raises:
        KeyError: There is no such heading.
    """
    text = panel_page(language).read_text(encoding="utf-8")
    headings = [(found.start(), len(found[1]), found[2]) for found in _HEADING.finditer(text)]
    for number, (start, level, name) in enumerate(headings):
        if name == title:
            after = (at for at, other, _ in headings[number + 1 :] if other <= level)
            section = text[start : next(after, len(text))]
            return _LINK.sub(_linked if site else r"\1", _PICTURE.sub("", section)).strip()
    raise KeyError(f"{panel_page(language).name} has no section {title!r}")


def panel_page(language: str) -> Path:
    """Return the file about the panel."""
    docs = shipped_root() / "docs"
    file = docs / f"panel-{language}.md"
    return file if file.is_file() else docs / "panel.md"


def _linked(link: re.Match[str]) -> str:
    name, page, section = link.groups()
    return f'<a href="manual/docs/{page}.html{section or ""}" target="_blank">{name}</a>'


def build_help(page: Page, tab: Callable[[], str]) -> None:
    """Add the button that opens the help.

    Args:
        page: The page.
        tab: Returns the key of the visible tab, such as ``run`` for ``frame.run``.
    """
    words, site = page.words, shipped_site(shipped_root())
    name = html.escape(words("frame.help"))
    with ui.dialog().props(f'aria-label="{name}"') as dialog:
        place = ui.element("div").classes("sheet help")

    def show() -> None:
        place.clear()
        with place:
            text = help_text(words.language, words(f"frame.{tab()}"), site)
            ui.markdown(text, sanitize=False).classes("help-text").props('tabindex="0"')
            with ui.element("div").classes("sheet-buttons"):
                if site:
                    more = ui.button(words("frame.help_more"), icon="open_in_new")
                    address = f"manual/docs/{_MORE.get(tab(), 'panel.html')}"
                    more.props("no-caps flat").on(
                        "click", js_handler=f"() => window.open('{address}')"
                    )
                ui.button(words("run.close"), on_click=dialog.close).props("no-caps outline")
        dialog.open()

    button = ui.button(icon="help_outline", on_click=show)
    button.props(f'flat dense round aria-label="{name}" title="{name}"')
