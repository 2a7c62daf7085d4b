"""The card of the worksheets: questions whose answers the program checks."""

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from cube.state import SOLVED
from frontends.panel.pages.cubes import SolidCube
from frontends.panel.pages.page import Page
from frontends.panel.pages.school.films import show_film

Sheet = Mapping[str, Any]


def build_lessons(page: Page) -> None:
    """Build the card: the list of all worksheets, or one of them."""
    _Lessons(page)


class _Lessons:
    def __init__(self, page: Page) -> None:
        self._page = page
        self._language = f"--language={page.words.language}"
        self._place = ui.element("div").classes("school-lessons")
        ui.timer(0.0, self._list, once=True)

    def _wait(self) -> None:
        self._place.clear()
        with self._place:
            ui.spinner(size="lg")

    async def _list(self) -> None:
        self._wait()
        result = await self._page.school.tell("lesson", self._language)
        self._place.clear()
        with self._place, ui.element("div").classes("school-sheets"):
            for sheet in result.records:
                button = ui.element("button").classes("school-sheet")
                button.props(f'type="button" data-lesson="{sheet["name"]}"')
                with button:
                    ui.label(sheet["title"]).classes("strong")
                    ui.label(sheet["source"]).classes("small")
                button.on("click", lambda name=sheet["name"]: self._open(name))

    async def _open(self, name: str) -> None:
        self._wait()
        result = await self._page.school.tell("lesson", self._language, name)
        [sheet] = result.records
        self._place.clear()
        with self._place:
            self._show(sheet)

    def _show(self, sheet: Sheet) -> None:
        words = self._page.words
        back = ui.button(words("school.all"), icon="arrow_back", on_click=self._list)
        back.props("flat dense no-caps")
        ui.label(sheet["title"]).classes("status").props('role="heading" aria-level="2"')
        ui.label(sheet["document"]).classes("small")
        ui.label(sheet["aim"])
        with ui.element("div").classes("school-sheet-body"):
            with ui.element("section"):
                self._experiments(sheet["experiments"])
                if sheet["exercise"]:
                    self._exercise(sheet["name"])
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

    def _exercise(self, name: str) -> None:
        """Offer the page on which one moves pieces, below the experiments."""
        button = ui.button(self._page.words("school.move_pieces"), icon="pan_tool_alt")
        button.props("no-caps unelevated")
        place = ui.element("div").classes("school-answer")

        async def show() -> None:
            button.disable()
            result = await self._page.school.ask("lesson", [self._language], name, film=True)
            with place:
                if result.error:
                    ui.label(result.error).classes("verdict bad")
                else:
                    show_film(self._page.words("school.move_pieces"), result.film)
            button.delete()

        button.on_click(show)

    def _question(self, sheet: Sheet, question: Mapping[str, Any]) -> None:
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
        result = await self._page.school.ask("lesson", options, name)
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
