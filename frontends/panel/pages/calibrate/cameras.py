"""The card of the cameras: corners of the cube are dragged over the live picture."""

import html

from nicegui import ui

from frontends.control.view_model.by_hand import Outline
from frontends.control.view_model.calibrate import ViewPoints
from frontends.panel.pages.calibrate.fields import (
    choice_field,
    pane,
    saved_text,
    sending_fields,
    told,
    trouble,
)
from frontends.panel.pages.elements import CameraElement
from frontends.panel.pages.page import Page, sending

_SIGHT = "calibrate-sight"
_MOVED = """(detail) => window.thistlebot.send({
  command: "move_points",
  points: Object.fromEntries(detail.points.map((point) => [point.name, [point.x, point.y]])),
})"""
_PATCH = "#ffffff"


def build_views(page: Page) -> None:
    """Build the card."""
    with ui.element("div").classes("card-body views-body"):
        with ui.element("section").classes("picture"):
            page.show(
                lambda view: (pane(view).points.camera, pane(view).points.size),
                lambda part: _picture(page, part[0]),
            )
        with ui.element("section").classes("views-told"):
            page.show(lambda view: pane(view).points, lambda part: _verdict(page, part))
            told(page)
    with ui.element("aside").classes("actions"):
        page.show(
            lambda view: (pane(view).cameras, pane(view).points.camera),
            lambda part: _cameras(page, *part),
        )
        page.show(
            lambda view: (pane(view).points.camera, pane(view).points.sight),
            lambda part: _sight(page, *part),
        )
        page.show(lambda view: pane(view).points.can_save, lambda part: _saving(page, part))


def _picture(page: Page, camera: int) -> None:
    words = page.words
    if camera < 0:
        ui.label(words("calibrate.choose_camera")).classes("small")
        return
    label = words("calibrate.camera", number=camera + 1)
    picture = CameraElement(camera, label=label, hint=words("calibrate.drag"))
    picture.on("points", js_handler=_MOVED)

    def draw(shown: ViewPoints) -> None:
        picture.draw([Outline(name, polygon, _PATCH) for name, polygon in shown.polygons])
        picture.place(shown.points)

    draw(pane(page.hub.view).points)
    page.follow(lambda view: pane(view).points, draw)


def _verdict(page: Page, shown: ViewPoints) -> None:
    words = page.words
    if shown.camera < 0:
        return
    if shown.trouble_kind:
        miss = f"{shown.misses_px.get(shown.about, 0.0):.0f}"
        text = words(f"calibrate.points_{shown.trouble_kind}", about=shown.about, miss=miss)
        trouble(page, text, shown.trouble)
    else:
        most = max(shown.misses_px.values(), default=0.0)
        text = words("calibrate.points_fit", miss=words.number(most, ".1f"))
        ui.label(text).classes("verdict good").props('role="status"')
    ui.label(f"{words('calibrate.drag')} {words('calibrate.marks')}").classes("small")
    saved_text(page, shown.saved)


def _cameras(page: Page, cameras: tuple[str, ...], camera: int) -> None:
    with ui.element("div").classes("cameras"):
        for number, name in enumerate(cameras):
            order = {"command": "open_view", "camera": number}
            text = page.words("calibrate.camera", number=number + 1)
            button = ui.button(text).classes("order").props("no-caps unelevated")
            button.props(
                f'title="{html.escape(name)}" aria-pressed="{str(number == camera).lower()}"'
            )
            if number != camera:
                button.props("outline")
            button.on("click", js_handler=sending(order))


def _sight(page: Page, camera: int, sight: str) -> None:
    if camera < 0:
        return
    sights = pane(page.hub.view).points.sights
    label = page.words("calibrate.sight")
    choice_field(_SIGHT, label, [(each, each) for each in sights], sight)
    again = {"command": "open_view", "camera": camera, "fresh": True}
    button = ui.button(page.words("calibrate.afresh"), icon="restart_alt").classes("order")
    button.props("no-caps unelevated outline")
    button.on("click", js_handler=sending_fields(again, {"sight": _SIGHT}))


def _saving(page: Page, can_save: bool) -> None:
    if can_save:
        page.order_button("calibrate.save_view", {"command": "save_view"}, icon="save")
