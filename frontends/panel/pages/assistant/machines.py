"""The first of the first steps: which machine do you have?"""

import html
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nicegui import ui

from cube.errors import ThistlebotError
from frontends.control.assistant_commands import AssistantStep
from frontends.control.view_model.view import AssistantPane, ViewModel
from frontends.panel.pages.page import Page
from robot.rigs.catalogue import NAMES, described
from robot.rigs.picture import draw_machine
from thistlebot.config import load_rig

_CHOSEN = (
    "((card) => card.querySelector('select')?.value ?? card.querySelector('input').value)"
    "(document.querySelector('.rig-card:has(input:checked)'))"
)
_VARIANTS = {"cubotino": ("cubotino-fast", "cubotino-pi"), "four-claws": ("four-claws-pi",)}
"""Further rigs on the card of the first one."""
_LEAVE_MS = 300
"""Time in which an order is sent before the page is left."""


def assistant_pane(view: ViewModel) -> AssistantPane:
    """Return the pane of the assistant."""
    return view.panes.assistant or AssistantPane(opening=True)


def choose_machine(page: Page) -> None:
    """Show a card for each machine; the user's own comes first."""
    words, pane = page.words, assistant_pane(page.hub.view)
    several = {each for others in _VARIANTS.values() for each in others}
    own = bool(pane.file) and not pane.virtual
    cards = [_own_card(page, pane, checked=own)] if pane.file else []
    for name in NAMES:
        if name not in several:
            names = (name, *_VARIANTS.get(name, ()))
            chosen = pane.rig if pane.rig in names and not own else ""
            first = not own and pane.rig not in NAMES and name == NAMES[0]
            cards.append(_rig_card(page, names, chosen, checked=bool(chosen) or first))
    if pane.file:
        ui.label(words("assistant.replaces", file=pane.file)).classes("note")
    ui.html(f'<div class="rig-cards" role="radiogroup">{"".join(cards)}</div>', sanitize=False)


def _own_card(page: Page, pane: AssistantPane, *, checked: bool) -> str:
    """Return the card of the user's own rig file, which is kept."""
    try:
        rig = load_rig(Path(pane.file), page.setup.folders)
        name, picture = rig.name, quote(draw_machine(rig.name, rig.parts))
    except ThistlebotError as error:
        name, picture = str(error), ""
    image = f'<img src="data:image/svg+xml,{picture}" alt="">' if picture else ""
    text = page.words("assistant.own", file=pane.file)
    return _card("", image, name, html.escape(text), checked=checked)


def _rig_card(page: Page, names: tuple[str, ...], chosen: str, *, checked: bool) -> str:
    """Return the card of a built-in rig, with a choice of its variants."""
    words, texts = page.words, list[str]()
    for name in names:
        key = f"assistant.rig_{name}"
        texts.append(html.escape(words(key) if words.has(key) else described(name)))
    shown = texts[0]
    if len(names) > 1:
        options = "".join(
            f'<option value="{name}"{" selected" if name == chosen else ""}>'
            f"{name} · {text}</option>"
            for name, text in zip(names, texts, strict=True)
        )
        shown = f'{texts[0]}<select aria-label="{names[0]}">{options}</select>'
    image = f'<img src="picture/rig/{names[0]}.svg" alt="">'
    return _card(names[0], image, names[0], shown, checked=checked)


def _card(value: str, image: str, name: str, text: str, *, checked: bool) -> str:
    return (
        f'<label class="rig-card"><input type="radio" name="assistant-rig" value="{value}"'
        f"{' checked' if checked else ''}>{image}"
        f"<span><b>{html.escape(name)}</b><br>{text}</span></label>"
    )


def choosing_buttons(page: Page) -> None:
    """Offer to use the chosen rig, really or virtually, or no machine."""
    for key, icon, virtual in (("use_rig", "check", False), ("use_virtual", "devices", True)):
        button = ui.button(page.words(f"assistant.{key}"), icon=icon).classes("order")
        button.props("no-caps unelevated")
        order = f"{{command: 'choose_rig', rig: {_CHOSEN}, virtual: {json.dumps(virtual)}}}"
        button.on("click", js_handler=f"() => window.thistlebot.send({order})")
    by_hand = ui.button(page.words("assistant.by_hand"), icon="back_hand").classes("order")
    by_hand.props("no-caps outline")
    done = json.dumps(going(AssistantStep.DONE))
    by_hand.on(
        "click",
        js_handler=f"() => {{ window.thistlebot.send({done});"
        f" setTimeout(() => location.assign('./?tab=hand'), {_LEAVE_MS}); }}",
    )


def going(step: AssistantStep) -> dict[str, Any]:
    """Return the command that goes to a step."""
    return {"command": "go_to_step", "step": str(step)}
