"""A cube that somebody types, pastes or paints: a field, and a net whose stickers are tapped."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from nicegui import ui

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS, facelet_index
from cube.moves import FACES
from frontends.panel.pages.cubes import Net
from frontends.panel.pages.net import net_words
from frontends.panel.pages.page import Page
from thistlebot.reading.typed_cube import TypedCube

_CLOCKWISE = (6, 3, 0, 7, 4, 1, 8, 5, 2)


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
        self._net = Net(self._facelets, label=words("entry.net"), words=net_words(page))
        self._net.props["editable"] = True
        self._net.classes("entry-net")
        for event, change in (
            ("correct", self._paint),
            ("turn", self._turn),
            ("exchange", self._exchange),
        ):
            self._net.on(event, lambda told, change=change: change(told.args))
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

    def _write(self, facelets: str) -> None:
        self._facelets = facelets
        self._net.show(facelets)
        self._field.set_value(facelets)

    def _paint(self, told: Mapping[str, str]) -> None:
        at = facelet_index(told["facelet"])
        self._write(self._facelets[:at] + told["letter"] + self._facelets[at + 1 :])

    def _turn(self, told: Mapping[str, Any]) -> None:
        places = _CLOCKWISE if told["quarters"] == 1 else tuple(map(_CLOCKWISE.index, range(9)))
        faces = self._faces()
        faces[told["face"]] = "".join(faces[told["face"]][place] for place in places)
        self._write("".join(faces.values()))

    def _exchange(self, told: Mapping[str, Any]) -> None:
        one, other = told["faces"]
        faces = self._faces()
        faces[one], faces[other] = (
            faces[b][:4] + faces[a][4] + faces[b][5:] for a, b in ((one, other), (other, one))
        )
        self._write("".join(faces.values()))

    def _faces(self) -> dict[str, str]:
        return {face: self._facelets[9 * n : 9 * n + 9] for n, face in enumerate(FACES)}
