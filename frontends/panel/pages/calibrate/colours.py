"""The card of the colours: measuring them, checking which can be distinguished, saving them."""

import html

from nicegui import ui

from calibration.pair_scores import LEAST_SCORE, PairScore
from cube.moves import FACES
from frontends.control.view_model.by_hand import CAMERA
from frontends.control.view_model.calibrate import Colours, Shade
from frontends.panel.pages.calibrate.fields import field_button, pane, saved_text, text_field, told
from frontends.panel.pages.elements import CameraElement
from frontends.panel.pages.page import Page, sending
from thistlebot.words.guidance import told_text

_NAME = "calibrate-name"


def build_colours(page: Page) -> None:
    """Build the card."""
    words, choices = page.words, page.setup.choices
    with ui.element("div").classes("card-body colours-body"):
        with ui.element("section").classes("picture"):
            page.show(
                lambda view: pane(view).colours.doing == "hand", lambda hand: _live(page, hand)
            )
            page.show(lambda view: pane(view).colours, lambda part: _state(page, part))
            told(page)
        with ui.element("section"):
            page.show(
                lambda view: (pane(view).colours.shades, pane(view).colours.pairs),
                lambda part: pair_matrix(page, *part),
            )
            page.show(lambda view: pane(view).colours, lambda part: _verdict(page, part))
            page.show(
                lambda view: (pane(view).colours.can_save, pane(view).chosen),
                lambda part: _saving(page, *part),
            )
    with ui.element("aside").classes("actions"):
        page.order_button(
            "calibrate.measure", {"command": "measure_colours"}, icon="palette"
        ).props(f'title="{html.escape(words("calibrate.measure_hint"))}"')
        if choices.cameras or not choices.virtual:  # nobody is in front of a virtual camera
            order = {"command": "measure_colours", "by_hand": True}
            page.order_button("calibrate.by_hand", order, icon="back_hand")


def _live(page: Page, hand: bool) -> None:
    label = page.words("calibrate.camera", number=1)
    legend = "" if hand else page.words("run.marks")
    CameraElement(CAMERA if hand else 0, label=label, live=not hand, legend=legend)


def pair_matrix(page: Page, shades: tuple[Shade, ...], pairs: tuple[PairScore, ...]) -> None:
    """Show how well each pair of colours can be distinguished: a number, a mark, and a word."""
    words = page.words
    if not shades:
        ui.label(words("calibrate.no_colours")).classes("small")
        return
    names = {shade.face: words(f"cube.{shade.colour}") for shade in shades}
    by_faces = {pair.faces: pair for pair in pairs}
    faces = [shade.face for shade in shades]
    about = words("calibrate.pairs", least=words.number(LEAST_SCORE))
    rows = [
        f"<caption>{html.escape(about)}</caption>",
        "<tr><td></td>" + "".join(_head(shade, names, "col") for shade in shades[1:]) + "</tr>",
    ]
    for row, shade in enumerate(shades[:-1]):
        cells = "".join(
            _cell(page, by_faces.get((shade.face, other)), names) if column > row else "<td></td>"
            for column, other in enumerate(faces)
            if column
        )
        rows.append(f"<tr>{_head(shade, names, 'row')}{cells}</tr>")
    ui.html(f"<table>{''.join(rows)}</table>", sanitize=False).classes("pairs")


def _head(shade: Shade, names: dict[str, str], scope: str) -> str:
    return (
        f'<th scope="{scope}"><span class="swatch" style="background:{shade.srgb}"></span>'
        f"{html.escape(names[shade.face])}</th>"
    )


def _cell(page: Page, pair: PairScore | None, names: dict[str, str]) -> str:
    if pair is None:
        return "<td></td>"
    words = page.words
    mark, word = ("✓", "pass") if pair.passed else ("✗", "fail")
    score = words.number(pair.score, ".1f")
    told = words(f"calibrate.{word}", one=names[pair.faces[0]], other=names[pair.faces[1]])
    return (
        f'<td class="{word}" title="{html.escape(told)}">{score}'
        f'<span aria-hidden="true"> {mark}</span>'
        f'<span class="heard"> {html.escape(told)}</span></td>'
    )


def _verdict(page: Page, colours: Colours) -> None:
    words = page.words
    if colours.trouble:
        with ui.element("div").classes("verdict bad").props('role="alert"'):
            ui.label(words("calibrate.refused")).classes("strong")
            ui.label(colours.trouble).props('lang="en"').classes("small")
    failed = [pair for pair in colours.pairs if not pair.passed]
    if failed:
        told = ", ".join(
            words("calibrate.two", one=words(f"cube.{one}"), other=words(f"cube.{other}"))
            for one, other in (pair.colours for pair in sorted(failed, key=lambda p: p.score))
        )
        ui.label(words("calibrate.advice", pairs=told)).classes("verdict bad").props(
            'role="status"'
        )
    elif colours.pairs and not colours.trouble:
        ui.label(words("calibrate.all_pass")).classes("verdict good").props('role="status"')
    if colours.measured:
        ui.label(words("calibrate.of_profile", profile=colours.measured)).classes("small")
    saved_text(page, colours.saved)


def _state(page: Page, colours: Colours) -> None:
    words = page.words
    if not colours.doing:
        ui.label(words("calibrate.solved_in")).classes("small")
        return
    if colours.doing != "hand":
        text = words(f"calibrate.{colours.doing}", done=colours.done, total=colours.total)
        ui.label(text).classes("strong").props('role="status"')
        return
    if colours.told is not None:
        ui.label(told_text(colours.told, words)).classes("strong").props('role="status"')
    label = html.escape(words("calibrate.holding"))
    ui.linear_progress(colours.held, show_value=False).props(f'aria-label="{label}"')
    with ui.element("div").classes("captured"):
        for face in FACES:
            if face in colours.captured:
                button = ui.button(f"{face} ✓").props("dense outline no-caps").classes("order")
                button.on("click", js_handler=sending({"command": "redo_face", "face": face}))
            else:
                ui.label(face).classes("missing")
    page.order_button("calibrate.take_face", {"command": "take_face"}, icon="photo_camera")


def _saving(page: Page, can_save: bool, chosen: str) -> None:
    if not can_save:
        return
    with ui.element("div").classes("saving"):
        text_field(_NAME, page.words("calibrate.venue"), chosen)
        order = {"command": "save_colours"}
        field_button(page, "calibrate.save", order, {"profile": _NAME}, "save")
