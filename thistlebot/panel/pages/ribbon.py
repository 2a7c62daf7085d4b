"""The moves that are turned, by their stages; those that were acknowledged are marked."""

from nicegui import ui

from thistlebot.control.showing.view import ShownPlan
from thistlebot.panel.pages.page import Page


class Ribbon:
    """A chip for each move.

    Chips are used again by the next plan: NiceGUI keeps a little of every element that a page ever
    had, and a move that is marked must not have the others drawn again.

    Args:
        page: The page.
    """

    def __init__(self, page: Page) -> None:
        self._chips: list[tuple[ui.element, ui.label, ui.label]] = []
        self._marked = 0
        self._place = ui.element("ol").classes("ribbon")
        self._place.props(f'aria-label="{page.words("run.moves")}"')
        view = page.hub.view
        self._write(view.plan)
        self._mark(view.cube.turned)
        page.follow(lambda view: view.plan, self._write)
        page.follow(lambda view: view.cube.turned, self._mark)

    def _write(self, plan: ShownPlan) -> None:
        named = _named(plan)
        while len(self._chips) < len(named):
            self._add()
        for number, (chip, move, stage) in enumerate(self._chips):
            text, name = named[number] if number < len(named) else ("", "")
            move.set_text(text)
            stage.set_text(name)
            chip.set_visibility(number < len(named))

    def _add(self) -> None:
        with self._place, ui.element("li").classes("move") as chip:
            self._chips.append((chip, ui.label(), ui.label().classes("stage-name")))

    def _mark(self, turned: int) -> None:
        for chip, _, _ in self._chips[self._marked : turned]:
            chip.classes(add="turned")
        for chip, _, _ in self._chips[turned : self._marked]:
            chip.classes(remove="turned")
        self._marked = min(turned, len(self._chips))


def _named(plan: ShownPlan) -> list[tuple[str, str]]:
    """Return the moves, the first of each stage with the stage's name."""
    stages = plan.stages
    if [move for _, moves in stages for move in moves] != list(plan.moves):
        stages = (("", plan.moves),)  # what the rig turns in another order has no stages
    return [
        (move, name if number == 0 else "")
        for name, moves in stages
        for number, move in enumerate(moves)
    ]
