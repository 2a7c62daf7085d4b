"""Help in place: every tab has its section in every language; the keyboard gets there and back."""

import re
from functools import partial

import pytest
from panel_pages import fits_at, insist
from playwright.sync_api import expect

from chromium import Visit
from frontends.panel.pages.frame import ASSISTANT, TABS
from frontends.panel.pages.help import _MORE, help_text
from panel_desk import PanelProcess
from prepared import ROOT
from thistlebot.words.words import languages, load_words

KEYS = [*(tab.key for tab in (*TABS, ASSISTANT)), "show"]


def test_every_tab_has_a_section_in_every_language() -> None:
    wrong = []
    for language in languages():
        words = load_words(language)
        for key in KEYS:
            text = help_text(language, words(f"frame.{key}"), ROOT)
            pages = re.findall(r'href="/manual/docs/([^"#]+)\.html', text)
            missing = [page for page in pages if not (ROOT / "docs" / f"{page}.md").is_file()]
            if missing or text.count("\n") < 2 or "](" in text or "![" in text:
                wrong.append((language, key, text))
    assert wrong == []
    assert [
        page for page in _MORE.values() if not (ROOT / "docs" / page).with_suffix(".md").is_file()
    ] == []


def test_without_the_web_pages_links_are_text() -> None:
    text = help_text("en", "By hand", None)
    assert "by-hand.md" in text
    assert "href" not in text


@pytest.mark.browser
def test_help_opens_by_key_and_gives_the_focus_back(visit: Visit, panel: PanelProcess) -> None:
    page = visit.open(f"{panel.url}?tab=school", "touch", locale="fr-FR")
    button = page.get_by_role("button", name="Aide")
    button.focus()
    sheet = page.get_by_role("dialog", name="Aide")
    shown = expect(sheet.get_by_role("heading", name="École")).to_be_visible
    insist(partial(page.keyboard.press, "Enter"), shown)
    fits_at(page, ("desk", "phone", "touch"), "help", judged="touch", within=".q-dialog")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(button).to_be_focused()
