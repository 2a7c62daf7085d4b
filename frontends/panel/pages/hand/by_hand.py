"""The page By hand, for a webcam and no rig: six faces, the reading, then turn after turn."""

import html
import sys

from nicegui import ui

from cube.moves import Move
from frontends.control.view_model.attention import Attention, AttentionAction, said
from frontends.control.view_model.by_hand import CAMERA, HandPhase, HandTurns, HandView
from frontends.control.view_model.by_hand import HandNet as SeenNet
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.cube_entry import CubeEntry
from frontends.panel.pages.cubes import Net, SolidCube
from frontends.panel.pages.elements import CameraElement
from frontends.panel.pages.hand.hand_page import HandPage
from frontends.panel.pages.hand.hand_words import changes_text, hold_text, turn_text
from frontends.panel.pages.net import net_words, send_corrections
from frontends.panel.pages.page import Page
from thistlebot.words.guidance import told_text
from vision.cameras.camera_kinds import list_cameras
from vision.cameras.camera_source import shown_source

_SCANNING = (HandPhase.SCAN, HandPhase.READ, HandPhase.PLAN)
_TURNING = (HandPhase.TURN, HandPhase.DONE)
_NUMBERED = 4
"""Number of webcams offered by number if the system does not name them."""
_BEGIN = (
    "() => window.thistlebot.send({command: 'hand_begin', "
    "camera: document.getElementById('hand-camera')?.value ?? ''})"
)


def build_by_hand(page: Page) -> None:
    """Build the page: the visible part depends on the user's progress."""
    hand = HandPage(page)
    corrector = _corrector(hand)
    with ui.element("div").classes("hand-grid"):
        with hand.shown_in(None):
            _intro(page)
        with hand.shown_in(_SCANNING).classes("hand-scan"):
            _scan(hand, corrector)
        with hand.shown_in(_TURNING).classes("hand-turn"):
            _turn(hand, corrector)
    with ui.element("aside").classes("actions hand-actions"):
        _actions(hand)


def _intro(page: Page) -> None:
    words = page.words
    given = [shown_source(source) for source in page.setup.choices.cameras]
    offered = [(source, source) for source in given] or [("", words("hand.camera_first"))]
    if sys.platform.startswith("linux"):
        found = [(str(each.source), each.name) for each in list_cameras()]
    else:  # on other systems a camera must be switched on to be found
        found = [(str(n), words("hand.camera_number", number=n)) for n in range(_NUMBERED)]
    options = "".join(
        f'<option value="{html.escape(source)}">{html.escape(name)}</option>'
        for source, name in (*offered, *found)
    )
    with ui.element("div").classes("hand-intro"):
        page.show(_ended, lambda why: _why_it_ended(page, why))
        ui.label(words("hand.intro")).classes("hand-lead")
        ui.html(
            f'<label class="hand-choice">{html.escape(words("hand.camera"))} '
            f'<select id="hand-camera">{options}</select></label>',
            sanitize=False,
        )
        begin = ui.button(words("hand.begin"), icon="play_arrow").props("no-caps unelevated")
        begin.classes("order hand-begin").on("click", js_handler=_BEGIN)
        with ui.element("div").classes("hand-entry"):
            CubeEntry(page, "hand", [("entry.solve", {"command": "hand_begin"}, "state")])


def _ended(view: ViewModel) -> Attention | None:
    """Return why solving by hand ended; None if the user ended it, or never began."""
    return view.attention if view.last_job == "by_hand" else None


def _why_it_ended(page: Page, why: Attention | None) -> None:
    if why is None:
        return
    with ui.element("div").classes("attention").props('role="alert"'):
        with ui.element("div").classes("attention-text"):
            ui.label(said(why, page.words))
            ui.label(why.text).classes("small").props('lang="en"')
        page.order_button(f"attention.{AttentionAction.CLEAR}", {"command": "dismiss"}).props(
            "dense"
        )


def _scan(hand: HandPage, corrector: ui.dialog) -> None:
    """Show the live picture and each captured face; a tap corrects a sticker."""
    words = hand.words
    with ui.element("section").classes("hand-camera"):
        _camera(hand)
        bar = ui.linear_progress(show_value=False).classes("hand-progress")
        bar.props(f'aria-label="{html.escape(words("hand.progress"))}"')
        hand.follow(lambda view: view.progress, bar.set_value)
        with ui.element("div").classes("hand-faces"):
            hand.text(lambda view: words("hand.captured", count=len(view.captured)))
            for face in "URFDLB":
                _redo(hand, face)
    with ui.element("section").classes("hand-side"):
        hand.text(lambda view: _scan_text(view, hand)).classes("hand-lead").props('role="status"')
        _attention(hand)
        _net(hand, corrector)
        _ending(hand)


def _scan_text(view: HandView, hand: HandPage) -> str:
    if view.phase is HandPhase.READ:
        return hand.words("hand.reading")
    if view.phase is HandPhase.PLAN:
        return hand.words("hand.planning")
    return told_text(view.told, hand.words)


def _redo(hand: HandPage, face: str) -> None:
    """Add a button to show a face again; captured faces are marked."""
    words = hand.words
    label = words("hand.redo", face=words(f"cube.face_{face}"))
    button = ui.button(face).props(f'dense outline no-caps aria-label="{html.escape(label)}"')
    button.classes("order hand-face").tooltip(label)
    order = f"{{command: 'hand_redo', face: '{face}'}}"
    button.on("click", js_handler=f"() => window.thistlebot.send({order})")

    hand.follow(lambda view: face in view.captured, lambda captured: _fill(button, captured))


def _fill(button: ui.button, filled: bool) -> None:
    """Draw a button filled, or as an outline."""
    shape = ("unelevated", "outline")
    button.props(shape[not filled], remove=shape[filled])


def _ending(hand: HandPage) -> None:
    """Add the buttons to start again and to end."""
    with ui.element("div").classes("hand-ending"):
        for key, order in (
            ("begin_again", {"command": "hand_redo"}),
            ("end", {"command": "hand_end"}),
        ):
            hand.page.order_button(f"hand.{key}", order).props("flat dense")


def _camera(hand: HandPage) -> None:
    camera = CameraElement(CAMERA, label=hand.words("hand.webcam"))
    hand.follow(lambda view: view.seen, camera.draw)


def _net(hand: HandPage, corrector: ui.dialog) -> None:
    """Show the net; a tap opens a large one for corrections."""
    net = Net(label=hand.words("hand.net"), words=net_words(hand.page))

    def open_corrector() -> None:
        view = hand.page.hub.view.panes.hand
        if view is not None and view.corrected.possible:
            corrector.open()

    net.on("tap", open_corrector)
    hand.follow(lambda view: view.net, lambda seen: _draw(net, seen))
    with ui.element("div").classes("hand-corrections") as place:
        words = hand.words
        ui.button(words("hand.correct"), icon="edit", on_click=corrector.open).props(
            "no-caps flat dense"
        )
        _changes(hand)
    hand.visible(place, lambda view: view is not None and view.corrected.possible)


def _corrector(hand: HandPage) -> ui.dialog:
    """Build the large net for corrections; it does not cover STOP."""
    words = hand.words
    dialog = ui.dialog().props('position="top"').classes("hand-corrector")
    dialog.props(f'aria-label="{html.escape(words("hand.correct"))}"')
    with dialog, ui.card():
        with ui.element("div").classes("hand-ending"):
            ui.label(words("hand.correct_how"))
            undo = hand.page.order_button("hand.undo", {"command": "undo_correction"})
            undo.props("flat dense")
            hand.visible(undo, lambda view: view is not None and view.corrected.count > 0)
            ui.button(words("hand.close"), on_click=dialog.close).props("no-caps flat dense")
        net = Net(label=words("hand.net"), words=net_words(hand.page), editable=True)
        send_corrections(net)
        hand.follow(lambda view: view.net, lambda seen: _draw(net, seen))
        _attention(hand)
        _changes(hand)
    return dialog


def _draw(net: Net, seen: SeenNet) -> None:
    net.paint(seen.scheme)
    net.show(seen.facelets)
    net.rate(seen.confidence or None, seen.doubtful)


def _changes(hand: HandPage) -> None:
    """Show the effect of a correction, or why it was refused."""
    label = hand.text(
        lambda view: (
            view.corrected.refused
            or changes_text(view.corrected.changes, view.net.scheme, hand.words)
        )
    )
    label.classes("hand-changes").props('role="status"')


def _attention(hand: HandPage) -> None:
    """Show why the reading is not trusted, with a button to fix it if there is one."""
    words = hand.words
    with ui.element("div").classes("attention").props('role="alert"') as card:
        hand.text(lambda view: said(view.attention, words) if view.attention else "").classes(
            "attention-text"
        )
        instead = hand.page.order_button("attention.take_instead", {"command": "take_instead"})
    hand.visible(
        instead,
        lambda view: bool(
            view and view.attention and AttentionAction.TAKE_INSTEAD in view.attention.actions
        ),
    )
    hand.visible(card, lambda view: bool(view and view.attention))


def _turn(hand: HandPage, corrector: ui.dialog) -> None:
    """The solution as arrows on the cube, step by step, beginning with how to hold it."""
    words = hand.words
    with ui.element("section").classes("hand-cube"):
        cube = SolidCube(label=words("hand.cube"), letters=True).classes("cube-large")
        hand.follow(lambda view: view.net.scheme, cube.paint)
        hand.follow(lambda view: view.way, _Guide(cube).tell)
    with ui.element("section").classes("hand-side"):
        hold = hand.text(lambda view: hold_text(view.way, words) if view.way else "")
        hand.visible(hold.classes("hand-hold"), _turns)
        hand.text(lambda view: _step_text(view, hand)).classes("hand-number")
        hand.text(lambda view: _turn_text(view, hand)).classes("hand-lead").props('role="status"')
        space = hand.text(lambda _view: words("hand.space"))
        hand.visible(space, _turns)
        with ui.element("div").classes("hand-first") as first:
            _net(hand, corrector)
        hand.visible(first, lambda view: _turns(view) and bool(view and view.corrected.possible))
        _ending(hand)


def _turns(view: HandView | None) -> bool:
    return view is not None and view.phase is HandPhase.TURN


class _Guide:
    """The cube that shows the turns, and what it shows."""

    def __init__(self, cube: SolidCube) -> None:
        self._cube = cube
        self._shown: HandTurns | None = None

    def tell(self, way: HandTurns | None) -> None:
        """Make or undo turns, or show the state of another solve at once."""
        before, self._shown = self._shown, way
        if way is None:
            return
        shared = min(before.done, way.done) if before else 0
        if before is None or before.moves[:shared] != way.moves[:shared]:
            self._cube.show(way.facelets)
        elif way.done >= before.done:
            self._cube.turn(way.moves[shared : way.done], way.facelets)
        else:
            undone = [
                str(Move.parse(move).inverse()) for move in before.moves[shared : before.done]
            ]
            self._cube.turn(undone[::-1], way.facelets)
        self._cube.point(way.moves[way.done] if way.done < len(way.moves) else None)


def _step_text(view: HandView, hand: HandPage) -> str:
    if view.way is None:
        return ""
    total = len(view.way.moves)
    if view.phase is HandPhase.DONE:
        key = "hand.done_turns" if total else "hand.done_already"
        return hand.words(key, total=total)
    return hand.words("hand.step", number=view.way.done + 1, total=total)


def _turn_text(view: HandView, hand: HandPage) -> str:
    if view.phase is HandPhase.DONE:
        return hand.words("hand.done")
    return turn_text(view.way, hand.words) if view.way else ""


def _actions(hand: HandPage) -> None:
    page = hand.page
    take = page.order_button("hand.take", {"command": "hand_capture"}, icon="photo_camera")
    hand.visible(take, lambda view: view is not None and view.phase is HandPhase.SCAN)
    advance = page.order_button("hand.next", {"command": "hand_next"}, classes="solve")
    back = page.order_button("hand.back", {"command": "hand_back"}).props("outline")
    hand.visible(advance, _turns)
    hand.visible(back, lambda view: bool(view and view.phase in _TURNING and view.way))
