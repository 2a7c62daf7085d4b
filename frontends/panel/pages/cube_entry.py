"""A cube that somebody types, pastes or paints: a field, and a net whose stickers are tapped."""

import json
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from nicegui import ui

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS, facelet_index
from frontends.panel.pages.cubes import Net
from frontends.panel.pages.net import net_words
from frontends.panel.pages.page import Page
from thistlebot.reading.typed_cube import TypedCube


class CubeEntry:
    """The field and the net, which show the same cube.

    Args:
        page: The page.
        tab: Its tab, which the link to this cube opens.
        orders: The text of each button, its command, and the field of the command that gets what
            was typed, straight from the browser: a late command is refused.
    """

    def __init__(
        self, page: Page, tab: str, orders: Sequence[tuple[str, Mapping[str, str], str]]
    ) -> None:
        self._page, self._tab = page, tab
        words = page.words
        self._facelets = page.hub.view.cube.facelets or SOLVED_FACELETS.text
        with ui.element("div").classes("entry-text"):
            self._field = ui.input(label=words("entry.field"), value=page.typed)
            self._field.props("outlined dense maxlength=10000 autocomplete=off spellcheck=false")
            self._field.classes("entry-field").on_value_change(self._read)
            with ui.element("div").classes("entry-buttons"):
                for key, order, field in orders:
                    typed = f"document.querySelector('.{tab}-page .entry-field input').value"
                    send = f"{{...{json.dumps(order)}, {field}: {typed}}}"
                    button = ui.button(words(key)).classes("order begins").props("no-caps")
                    button.on("click", js_handler=f"() => window.thistlebot.send({send})")
            self._verdict = ui.label().classes("entry-verdict").props('role="status"')
            self._link = ui.link(words("entry.link"), "").classes("small")
        painted = net_words(page) | {"clockwise": ""}  # nobody reads its faces, so none is rotated
        self._net = Net(self._facelets, label=words("entry.net"), words=painted, editable=True)
        self._net.classes("entry-net")
        self._net.on("correct", lambda told: self._paint(told.args))
        self._read()

    def _read(self) -> None:
        """Show the cube of the text, or why there is none."""
        text, words = str(self._field.value or ""), self._page.words
        self._link.set_visibility(False)
        self._verdict.classes(remove="bad").props(f'lang="{words.language}"')
        if not text.strip():
            self._verdict.set_text(words("entry.hint"))
            return
        try:
            self._facelets = TypedCube.read(text).state.to_facelets().text
        except ThistlebotError as error:
            self._verdict.classes(add="bad").props('lang="en"').set_text(str(error))
            return
        self._net.show(self._facelets)
        self._verdict.set_text(words("entry.solvable"))
        self._link.props(f'href="?tab={self._tab}&cube={quote(text)}"').set_visibility(True)

    def _paint(self, told: Mapping[str, str]) -> None:
        at = facelet_index(told["facelet"])
        self._facelets = self._facelets[:at] + told["letter"] + self._facelets[at + 1 :]
        self._net.show(self._facelets)
        self._field.set_value(self._facelets)
