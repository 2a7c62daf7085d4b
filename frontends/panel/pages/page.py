"""One page in one browser: its texts, and its content as a function of the view."""

import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from nicegui import background_tasks, ui
from nicegui.client import Client

from frontends.control.hub import Hub
from frontends.control.outbox import news_event
from frontends.control.routing import BEGINNING
from frontends.control.view_model.view import ViewModel
from frontends.control.worker import WorkerSetup
from frontends.panel.pages.school_verbs import SchoolVerbs
from thistlebot.words.words import Words

T = TypeVar("T")
Change = Callable[[ViewModel], None]


class ViewPump:
    """Sends every new view to the pages, in the server's loop; only the newest one."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._changes: dict[str, dict[Change, None]] = {}

    def start(self) -> None:
        """Start; called once the server's loop runs."""
        background_tasks.create(self._run(), name="views")

    def add(self, client: Client, change: Change) -> Callable[[], None]:
        """Send each view to a page of a browser, as long as it exists.

        Returns:
            A function that ends this sooner.
        """
        if client.id not in self._changes:
            self._changes[client.id] = {}
            client.on_delete(lambda: self._changes.pop(client.id, None))
        changes = self._changes[client.id]
        changes[change] = None
        return lambda: changes.pop(change, None)

    async def _run(self) -> None:
        news, wake = news_event()
        outbox = self._hub.watch(wake)
        try:
            while True:
                await news.wait()
                news.clear()
                outbox.take()
                view = self._hub.view
                for changes in list(self._changes.values()):
                    for change in list(changes):
                        if change in changes:  # perhaps already removed by another one's redraw
                            self._tell(changes, change, view)
        finally:
            self._hub.leave(outbox)

    @staticmethod
    def _tell(changes: dict[Change, None], change: Change, view: ViewModel) -> None:
        try:
            change(view)
        except Exception:  # noqa: BLE001 - a bug of ours in one page; the other pages go on
            traceback.print_exc()
            changes.pop(change, None)


class Page:
    """The tools for building the parts of a page.

    Attributes:
        client: The browser's connection.
        card: The card of a tab, or the run, in the page's address, as in
            ``/?tab=calibrate&card=views`` and ``/?tab=history&card=12``.
        calibrates: Whether the device of this browser may calibrate.
        typed: The cube in the address, as in ``/?tab=run&cube=R%20U``.
    """

    def __init__(
        self, hub: Hub, setup: WorkerSetup, words: Words, pump: ViewPump, school: SchoolVerbs
    ) -> None:
        self.hub = hub
        self.setup = setup
        self.words = words
        self.school = school
        self.card, self.typed = "", ""
        self.calibrates = False
        self._pump = pump
        self.client = ui.context.client
        self._following: list[Callable[[], None]] = []

    def show(self, pick: Callable[[ViewModel], T], draw: Callable[[T], None]) -> ui.element:
        """Show a part of the view, now and whenever it changes.

        Args:
            pick: Returns the part.
            draw: Builds elements for it; they replace the earlier ones.
        """
        place = ui.element("div").classes("shown")

        inside: list[Callable[[], None]] = []

        def redraw(part: T) -> None:
            _end(inside)
            place.clear()
            outside, self._following = self._following, inside
            try:
                with place:
                    draw(part)
            finally:
                self._following = outside

        redraw(pick(self.hub.view))
        self.follow(pick, redraw)
        self._following.append(lambda: _end(inside))
        return place

    def follow(self, pick: Callable[[ViewModel], T], change: Callable[[T], None]) -> None:
        """Call back whenever a part of the view changes; not initially.

        In the `draw` of `show`, this ends at the next redraw.
        """
        last = [pick(self.hub.view)]

        def compare(view: ViewModel) -> None:
            part = pick(view)
            if part != last[0]:
                last[0] = part
                change(part)

        self._following.append(self._pump.add(self.client, compare))

    def text(self, pick: Callable[[ViewModel], str]) -> ui.label:
        """Show a text that is a function of the view."""
        label = ui.label(pick(self.hub.view))

        def tell(text: str) -> None:
            label.set_text(text)

        self.follow(pick, tell)
        return label

    def order_button(
        self, key: str, order: Mapping[str, Any], *, icon: str | None = None, classes: str = ""
    ) -> ui.button:
        """Return a button that sends a command through the page's own socket."""
        begins = "begins" if order["command"] in BEGINNING else ""
        button = ui.button(self.words(key), icon=icon).classes(f"order {begins} {classes}")
        button.props("no-caps unelevated")
        button.on("click", js_handler=sending(order))
        return button


def stage_numbers(names: Iterable[str | None]) -> list[str]:
    """Return a number for each move that begins a stage, and an empty text for all others.

    Args:
        names: The name of a stage at its first move, such as ``G0>G1``; otherwise nothing.
    """
    count, found = 0, list[str]()
    for name in names:
        count += bool(name)
        found.append(str(count) if name else "")
    return found


def _end(following: list[Callable[[], None]]) -> None:
    for end in following:
        end()
    following.clear()


def sending(order: Mapping[str, Any]) -> str:
    """Return the code that sends a command in the browser."""
    import json

    return f"() => window.thistlebot.send({json.dumps(dict(order))})"


def keep_in_address(tabs: ui.tabs, start: str) -> None:
    """Keep the chosen tab or card in the address, so that a reloaded page shows it again."""
    keep = f"(name) => history.replaceState(null, '', `{start}${{name}}`)"
    tabs.on("update:model-value", js_handler=keep)
