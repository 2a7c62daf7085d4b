"""The page School: four cards that ask the school's verbs, and show what they answer."""

import html
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from frontends.panel.pages.page import Page
from frontends.panel.pages.school.films import show_film
from frontends.panel.pages.school.lessons import build_lessons
from frontends.panel.pages.school.verbs import VerbResult

_SCRAMBLE = "R U R' U' F2 D L"
_RANDOM_MOVES = 9
_MOST_RANDOM_MOVES = 100


def build_school(page: Page) -> None:
    """Build the page."""
    cards = {
        "lessons": build_lessons,
        "learn": _build_learn,
        "word": _build_word,
        "puzzles": _build_puzzles,
    }
    with ui.element("div").classes("school"):
        with ui.tabs().props("dense no-caps inline-label").classes("cards") as tabs:
            for key in cards:
                ui.tab(key, label=page.words(f"school.{key}"))
        first = page.card if page.card in cards else "lessons"
        with ui.tab_panels(tabs, value=first, animated=False).classes("school-panels"):
            panels = {key: ui.tab_panel(key).classes("school-card") for key in cards}

    def build(key: str) -> None:
        if not panels[key].default_slot.children:
            with panels[key]:
                cards[key](page)

    build(first)
    tabs.on_value_change(lambda chosen: build(chosen.value))
    ui.element("aside").classes("actions")  # nothing that can be pressed is near STOP


def _form(
    page: Page, act: Callable[[], Awaitable[VerbResult]], *, text: bool = True
) -> Callable[[], Awaitable[None]]:
    """Add a button and the place of the answer; return what the button does."""
    words = page.words
    button = ui.button(words("school.show"), icon="play_arrow").props("no-caps unelevated")
    place = ui.element("div").classes("school-answer").props('role="status"')

    async def show() -> None:
        button.disable()
        place.clear()
        with place:
            ui.spinner(size="lg")
        try:
            result = await act()
        except TimeoutError:
            result = VerbResult("", words("school.too_long"))
        finally:
            button.enable()
        place.clear()
        with place:
            if result.error:
                ui.label(result.error).classes("verdict bad")
            if result.film:
                show_film(page.words("school.film"), result.film)
            if text and result.text:
                ui.html(f"<pre tabindex='0'>{html.escape(result.text)}</pre>", sanitize=False)

    button.on_click(show)
    return show


def _field(page: Page, key: str, value: str = "") -> Any:
    return ui.input(label=page.words(f"school.{key}"), value=value).props("outlined dense")


def _language(page: Page) -> str:
    return f"--language={page.words.language}"


def _build_learn(page: Page) -> None:
    """Build the card in which a method explains how it solves a cube."""

    async def learn() -> VerbResult:
        if method.value is None:  # pressed before they were listed
            await fill()
        options = ["--dry-run", f"--scramble={scramble.value}", _language(page)]
        return await page.school.ask("learn", options, str(method.value), film=True)

    with ui.element("div").classes("school-fields"):
        method = ui.select({}, label=page.words("school.method")).props("outlined dense")
        scramble = _field(page, "scramble", _SCRAMBLE)
        _form(page, learn)

    async def fill() -> None:
        result = await page.school.tell("learn", _language(page))
        named = {each["name"]: f"{each['name']}: {each['text']}" for each in result.records}
        method.set_options(named, value=next(iter(named), None))

    ui.timer(0.0, fill, once=True)


def _build_word(page: Page) -> None:
    """Build the card that analyses a word of moves."""

    async def analyse() -> VerbResult:
        return await page.school.ask("word", [_language(page)], str(word.value))

    with ui.element("div").classes("school-fields"):
        word = _field(page, "moves", "R U R' U'")
        _form(page, analyse)


def _build_puzzles(page: Page) -> None:
    """Build the card in which a puzzle is scrambled and solved."""

    async def solve() -> VerbResult:
        moves = int(count.value or _RANDOM_MOVES)
        options = [f"--random={moves}", "--solve=auto", _language(page)]
        return await page.school.ask("puzzle", options, str(name.value or ""), film=True)

    with ui.element("div").classes("school-fields"):
        name = ui.input(label=page.words("school.puzzle"), value="pyraminx", autocomplete=[])
        name.props("outlined dense")
        count = ui.number(
            label=page.words("school.random"), value=_RANDOM_MOVES, min=1, max=_MOST_RANDOM_MOVES
        ).props("outlined dense")
        _form(page, solve)

    async def fill() -> None:
        result = await page.school.tell("puzzle", _language(page))
        names = [each["name"] for each in result.records]
        name.set_autocomplete([each for each in names if "," not in each])

    ui.timer(0.0, fill, once=True)
