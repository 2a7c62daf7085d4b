"""The card that chooses, copies and deletes the colour profiles."""

from nicegui import ui

from calibration.profiles import KnownProfile
from frontends.panel.pages.calibrate.fields import (
    field_button,
    named_button,
    pane,
    text_field,
    told,
)
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
                    order = {"command": "choose_profile", "profile": each.name}
                    use = words("calibrate.use_profile", profile=each.name)
                    named_button(page, "use", "check", use, order)
                order = {"command": "delete_profile", "profile": each.name}
                delete = words("calibrate.delete_profile", profile=each.name)
                named_button(page, "delete", "delete", delete, order)
    if chosen:
        page.order_button("calibrate.use_none", {"command": "choose_profile", "profile": ""})


def _copying(page: Page, chosen: str) -> None:
    if not chosen:
        return
    text_field(_NEW, page.words("calibrate.new_name"))
    order = {"command": "copy_profile", "profile": chosen}
    field_button(page, "calibrate.copy", order, {"name": _NEW}, "content_copy")
