"""The page School: four cards that ask the school's verbs, and show what they answer."""

import html
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from nicegui import ui

from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from cube.state import SOLVED
from frontends.panel.pages.cubes import SolidCube
from frontends.panel.pages.page import Page, keep_in_address
from frontends.panel.pages.school_verbs import VerbResult

_SCRAMBLE = "R U R' U' F2 D L"
_RANDOM_MOVES = 9
_MOST_RANDOM_MOVES = 100

_ICONS = {"proof": "functions", "mistake": "bug_report"}
"""For the cards of worksheets without moves to make, by the beginning of their names."""

_Sheet = Mapping[str, Any]


def build_school(page: Page) -> None:
    """Build the page."""
    cards: dict[str, Callable[[Page], object]] = {
        "lessons": _Lessons,
        "learn": _build_learn,
        "word": _build_word,
        "puzzles": _build_puzzles,
    }
    with ui.element("div").classes("school"):
        with ui.tabs().props("dense no-caps inline-label").classes("cards") as tabs:
            for key in cards:
                ui.tab(key, label=page.words(f"school.{key}"))
        keep_in_address(tabs, "?tab=school&card=")
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
    page: Page,
    act: Callable[[], Awaitable[VerbResult]],
    told: Callable[[Page, VerbResult], None] | None = None,
) -> None:
    """Add a button and the place of the answer, a film or what is `told`."""
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
        finally:
            button.enable()
        place.clear()
        with place:
            if result.error:
                ui.label(result.error).classes("verdict bad")
            if result.film:
                _show_film(page.words("school.film"), result.film)
            if told is not None and not result.error:
                told(page, result)

    button.on_click(show)


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
        return await page.school.ask(page.words, "learn", options, str(method.value), film=True)

    with ui.element("div").classes("school-fields"):
        method = ui.select({}, label=page.words("school.method")).props("outlined dense")
        scramble = _field(page, "scramble", _SCRAMBLE)
        _form(page, learn)

    async def fill() -> None:
        result = await page.school.tell(page.words, "learn")
        named = {each["name"]: f"{each['name']}: {each['text']}" for each in result.records}
        method.set_options(named, value=next(iter(named), None))

    ui.timer(0.0, fill, once=True)


def _build_word(page: Page) -> None:
    """Build the card that analyses a word of moves."""

    async def analyse() -> VerbResult:
        options = ["--json", _language(page)]
        return await page.school.ask(page.words, "word", options, str(word.value))

    with ui.element("div").classes("school-fields"):
        word = _field(page, "moves", "R U R' U'")
        _form(page, analyse, _word_facts)


def _word_facts(page: Page, result: VerbResult) -> None:
    """Show what a word of moves does: on a cube, and as facts."""
    words, [word] = page.words, result.records
    sign = words("word.even" if word["sign"] == 1 else "word.odd")
    facts = [(words("word.inverse"), word["inverse"]), (words("word.sign"), sign)]
    facts += [(words("word.order"), str(word["order"]))]
    for kind in word["kinds"]:
        cycles = (f"({' '.join(each['pieces'])})" for each in kind["cycles"])
        key = f"lesson.kind_{kind['name']}"
        name = words(key) if words.has(key) else kind["name"]
        facts.append((name, " ".join(cycles) or words("word.nothing")))
    turns = _turns_of(word["moves"])
    if turns:
        cube = SolidCube(SOLVED.to_facelets().text, label=words("school.cube"))
        _watch(cube.classes("school-cube"), turns)
    with ui.element("dl").classes("school-facts"):
        for name, text in facts:
            with ui.element("dt"):
                ui.label(name)
            with ui.element("dd"):
                ui.label(text)


def _build_puzzles(page: Page) -> None:
    """Build the card in which a puzzle is scrambled and solved."""

    async def solve() -> VerbResult:
        moves = count.value or _RANDOM_MOVES
        if not isinstance(moves, int | float) or not 1 <= moves <= _MOST_RANDOM_MOVES:
            return VerbResult("", page.words("school.too_large"))
        options = [f"--random={int(moves)}", "--solve=auto", _language(page)]
        typed = str(name.value or "")
        return await page.school.ask(page.words, "puzzle", options, typed, film=True)

    with ui.element("div").classes("school-fields"):
        name = ui.input(label=page.words("school.puzzle"), value="pyraminx", autocomplete=[])
        name.props("outlined dense")
        count = ui.number(
            label=page.words("school.random"), value=_RANDOM_MOVES, min=1, max=_MOST_RANDOM_MOVES
        ).props("outlined dense")
        _form(page, solve)

    async def fill() -> None:
        result = await page.school.tell(page.words, "puzzle")
        names = [each["name"] for each in result.records]
        name.set_autocomplete([each for each in names if "," not in each])

    ui.timer(0.0, fill, once=True)


def _show_film(title: str, film: str) -> None:
    """Show a page that is complete in itself; it cannot access the panel."""
    ui.html(
        f'<iframe class="school-film" title="{html.escape(title)}" sandbox="allow-scripts" '
        f'srcdoc="{html.escape(film)}"></iframe>',
        sanitize=False,
    )


class _Lessons:
    """The card of the worksheets: the list of all, or one with questions that are checked."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._language = _language(page)
        self._place = ui.element("div").classes("school-lessons")
        ui.timer(0.0, self._list, once=True)

    def _wait(self) -> None:
        self._place.clear()
        with self._place:
            ui.spinner(size="lg")

    async def _list(self) -> None:
        self._wait()
        result = await self._page.school.tell(self._page.words, "lesson")
        self._place.clear()
        if self._refused(result):
            return
        for level in sorted({sheet["level"] for sheet in result.records}):
            with self._place:
                ui.label(self._page.words(f"school.level_{level}")).classes("strong")
                with ui.element("div").classes("school-sheets"):
                    for sheet in result.records:
                        if sheet["level"] == level:
                            self._card(sheet)

    def _card(self, sheet: _Sheet) -> None:
        """Show the card of a worksheet: the cube of its first experiment, or what it is about."""
        button = ui.element("button").classes("school-sheet")
        button.props(f'type="button" data-lesson="{sheet["name"]}"')
        with button:
            if sheet["moves"]:
                address = f"picture/moves/{quote(sheet['moves'], safe='')}.svg"
                ui.html(f'<img src="{address}" alt="">', sanitize=False)
            else:
                kind = sheet["name"].partition("-")[0]
                ui.icon(_ICONS.get(kind, "extension"), size="56px").props('aria-hidden="true"')
            with ui.element("span"):
                ui.label(sheet["title"]).classes("strong")
                number = sheet["questions"]
                ui.label(self._page.words("school.questions", number=number)).classes("small")
        button.on("click", lambda: self._open(sheet["name"]))

    async def _open(self, name: str) -> None:
        self._wait()
        result = await self._page.school.tell(self._page.words, "lesson", name)
        self._place.clear()
        if self._refused(result):
            return
        [sheet] = result.records
        with self._place:
            self._show(sheet)

    def _refused(self, result: VerbResult) -> bool:
        """Show why there is no answer; return whether there is none."""
        if result.error:
            with self._place:
                ui.label(result.error).classes("verdict bad")
        return bool(result.error)

    def _show(self, sheet: _Sheet) -> None:
        words = self._page.words
        back = ui.button(words("school.all"), icon="arrow_back", on_click=self._list)
        back.props("flat dense no-caps")
        ui.label(sheet["title"]).classes("status").props('role="heading" aria-level="2"')
        ui.label(sheet["document"]).classes("small")
        ui.label(sheet["aim"])
        with ui.element("div").classes("school-sheet-body"):
            with ui.element("section"):
                self._experiments(sheet["experiments"])
            with ui.element("section"):
                for question in sheet["questions"]:
                    self._question(sheet, question)

    def _experiments(self, experiments: Sequence[Mapping[str, Any]]) -> None:
        """Show what to try; the moves are made on a cube beside the text."""
        words = self._page.words
        moves = [_turns_of(each.get("moves", "")) for each in experiments]
        cube = None
        if any(moves):
            cube = SolidCube(SOLVED.to_facelets().text, label=words("school.cube"))
            cube.classes("school-cube")
        for experiment, turns in zip(experiments, moves, strict=True):
            ui.label(experiment["text"])
            if turns and cube is not None:
                label = " ".join(turns)
                button = ui.button(label, icon="play_arrow").props("no-caps outline dense")
                button.on_click(lambda cube=cube, turns=turns: _watch(cube, turns))

    def _question(self, sheet: _Sheet, question: Mapping[str, Any]) -> None:
        words, number = self._page.words, question["number"]
        with ui.element("fieldset").classes("school-question"):
            with ui.element("legend"):
                ui.label(words("school.question", number=number))
            ui.label(question["text"])
            options: Mapping[str, str] = question["options"]
            boxes = {letter: ui.checkbox(f"{letter}) {told}") for letter, told in options.items()}
            field = None
            if not boxes:
                field = ui.input(label=words("lesson.answer")).props("outlined dense")
            verdict = ui.label().props('role="status"')

            async def check() -> None:
                picked = "".join(letter for letter, box in boxes.items() if box.value)
                typed = picked if field is None else str(field.value)
                await self._check(sheet["name"], number, typed, verdict)

            if field is not None:
                field.on("keydown.enter", check)
            with ui.element("div").classes("school-buttons"):
                ui.button(words("school.check"), on_click=check).props("no-caps unelevated")
                hint = ui.label(question["hint"]).classes("note")
                hint.set_visibility(False)
                if question["hint"]:
                    ask = ui.button(words("school.hint")).props("no-caps flat")
                    ask.on_click(lambda: hint.set_visibility(not hint.visible))

    async def _check(self, name: str, number: int, typed: str, verdict: ui.label) -> None:
        words = self._page.words
        verdict.classes(replace="verdict")
        if not typed.strip():
            verdict.set_text(words("school.empty"))
            return
        answers = ["--answer="] * (number - 1) + [f"--answer={typed}"]
        options = ["--json", self._language, *answers]
        result = await self._page.school.ask(words, "lesson", options, name)
        if result.error:
            verdict.set_text(result.error)
            return
        checked = result.records[0]["answers"][-1]
        told = words("lesson.right" if checked["right"] else "lesson.wrong")
        verdict.set_text(" ".join(part for part in (told, checked["why"]) if part))
        verdict.classes("good" if checked["right"] else "bad")


def _turns_of(moves: str) -> list[str]:
    """Return the face turns of an experiment; none if it is about another puzzle."""
    try:
        return [str(move) for move in MoveSequence.parse(moves)]
    except ThistlebotError:
        return []


def _watch(cube: SolidCube, turns: Sequence[str]) -> None:
    cube.show(SOLVED.to_facelets().text)
    cube.turn(turns)
