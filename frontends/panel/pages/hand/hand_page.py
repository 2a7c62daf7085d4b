"""A part of the page By hand: its part of the view, and elements that follow it."""

from collections.abc import Callable, Collection
from typing import TypeVar

from nicegui import ui

from frontends.control.view_model.by_hand import HandPhase, HandView
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.page import Page

T = TypeVar("T")


class HandPage:
    """The page, and elements that follow its part of the view."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.words = page.words

    def follow(self, pick: Callable[[HandView], T], change: Callable[[T], object]) -> None:
        """Show a part of it, now and whenever it changes."""

        def picked(view: ViewModel) -> T | None:
            return None if view.panes.hand is None else pick(view.panes.hand)

        def changed(part: T | None) -> None:
            if part is not None:
                change(part)

        changed(picked(self.page.hub.view))
        self.page.follow(picked, changed)

    def text(self, say: Callable[[HandView], str]) -> ui.label:
        """Show a text."""
        label = ui.label()
        self.follow(say, label.set_text)
        return label

    def visible(self, element: ui.element, when: Callable[[HandView | None], bool]) -> None:
        """Show an element while a condition holds."""

        def change(seen: bool) -> None:
            element.set_visibility(seen)

        change(when(self.page.hub.view.panes.hand))
        self.page.follow(lambda view: when(view.panes.hand), change)

    def shown_in(self, phases: Collection[HandPhase] | None) -> ui.element:
        """Return a container that is visible in some phases; None: while nobody solves by hand."""
        place = ui.element("div").classes("hand-part")
        self.visible(
            place,
            lambda hand: (
                hand is None if phases is None else hand is not None and hand.phase in phases
            ),
        )
        return place
