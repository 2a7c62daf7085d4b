"""The card that chooses, copies and deletes the colour profiles."""

import html
import json

from nicegui import ui

from calibration.profiles import KnownProfile
from frontends.panel.pages.calibrate.fields import field_button, pane, text_field, told
from frontends.panel.pages.page import Page

_NEW = "calibrate-copy"


def build_profiles(page: Page) -> None:
    """Build the card."""
    with ui.element("div").classes("card-body profiles-body"), ui.element("section"):
        page.show(
            lambda view: (pane(view).profiles, pane(view).chosen),
            lambda part: _list(page, *part),
        )
        told(page)
    with ui.element("aside").classes("actions"):
        page.show(lambda view: pane(view).chosen, lambda chosen: _copying(page, chosen))


def _list(page: Page, profiles: tuple[KnownProfile, ...], chosen: str) -> None:
    words = page.words
    if not profiles:
        ui.label(words("calibrate.no_profiles"))
    with ui.element("ul").classes("part-list"):
        for each in profiles:
            with ui.element("li"):
                ui.label(each.name).classes("part-name")
                about = each.trouble or each.created.replace("T", " ")[:16]
                ui.label(about).classes("small")
                if each.name == chosen:
                    ui.label(words("calibrate.in_use")).classes("badge good")
                elif not each.trouble:
                    _button(page, "use", "check", {"command": "choose_profile"}, each.name)
                _button(page, "delete", "delete", {"command": "delete_profile"}, each.name)
    if chosen:
        page.order_button("calibrate.use_none", {"command": "choose_profile", "profile": ""})


def _button(page: Page, key: str, icon: str, order: dict[str, str], name: str) -> None:
    told = html.escape(page.words(f"calibrate.{key}_profile", profile=name))
    button = ui.button(page.words(f"calibrate.{key}"), icon=icon).classes("order")
    button.props(f'no-caps outline aria-label="{told}" title="{told}"')
    send = json.dumps({**order, "profile": name})
    button.on("click", js_handler=f"() => window.thistlebot.send({send})")


def _copying(page: Page, chosen: str) -> None:
    if not chosen:
        return
    text_field(_NEW, page.words("calibrate.new_name"))
    order = {"command": "copy_profile", "profile": chosen}
    field_button(page, "calibrate.copy", order, {"name": _NEW}, "content_copy")
