"""The part of the view that the page By hand shows, and elements that follow it."""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

import msgspec
from nicegui import ui

from thistlebot.control.showing.hand_view import PANE, HandPhase, HandView
from thistlebot.control.showing.view import ViewModel
from thistlebot.panel.pages.page import Page

T = TypeVar("T")


class HandPage:
    """The page, and what of the view is for it.

    Args:
        page: The page.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.words = page.words
        self._last: tuple[Any, HandView | None] = (None, None)

    def of(self, view: ViewModel) -> HandView | None:
        """Return what there is to show; None when nobody solves by hand."""
        pane = view.panes.get(PANE)
        if pane is not self._last[0]:
            self._last = pane, None if pane is None else msgspec.convert(pane, HandView)
        return self._last[1]

    def follow(self, pick: Callable[[HandView], T], change: Callable[[T], object]) -> None:
        """Show a part of it, now and whenever it has become another."""

        def picked(view: ViewModel) -> T | None:
            hand = self.of(view)
            return None if hand is None else pick(hand)

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
        """Show an element while something holds."""

        def change(seen: bool) -> None:
            element.set_visibility(seen)

        change(when(self.of(self.page.hub.view)))
        self.page.follow(lambda view: when(self.of(view)), change)

    def shown_in(self, phases: Collection[HandPhase] | None) -> ui.element:
        """Return a place that is seen in some phases; None: while nobody solves by hand."""
        place = ui.element("div").classes("hand-part")
        self.visible(
            place,
            lambda hand: (
                hand is None if phases is None else hand is not None and hand.phase in phases
            ),
        )
        return place
