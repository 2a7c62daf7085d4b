"""The board in the browser: its firmware and wiring, findings with remedies, and the rig file."""

import html
import re
from collections.abc import Iterator

from nicegui import ui

from documents.errors import ConfigError
from documents.files import read_text
from frontends.control.view_model.view import BoardPane, ViewModel
from frontends.panel.pages.calibrate.fields import choice_field, field_button, told
from frontends.panel.pages.page import Page
from robot.ports.serial_port import serial_ports
from robot.rigs.catalogue import default_rig_text
from thistlebot.config import find_rig_file
from thistlebot.session.flashing import known_boards
from thistlebot.shipped import shipped_root

_PORT, _RIG = "flash-port", "rig-text"
_COLUMNS = {"uno": "Uno", "nano": "Uno", "nano-old": "Uno", "mega": "Mega"} | {
    "cnc-shield": "CNC Shield",
    "ramps": "RAMPS",
    "mks-gen-l": "MKS GEN L",
}
"""The columns of each board in the wiring tables begin like this."""
_COMMON = {"channel", "signal", "face", "how"}
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARKS = {"good": "✓", "absent": "–", "bad": "✗"}


def pane(view: ViewModel) -> BoardPane:
    """Return the pane of the board."""
    return view.panes.board or BoardPane()


def build_board(page: Page) -> None:
    """Build the card of the page Calibrate."""
    words = page.words
    with ui.element("div").classes("card-body board-body"):
        with ui.element("div").classes("board-told"):
            told(page)
        with ui.element("section").classes("board-part"):
            ui.label(words("board.findings")).classes("strong")
            page.show(
                lambda view: (pane(view).findings, view.job == "examine"),
                lambda part: _findings(page, *part),
            )
            ui.label(words("board.firmware")).classes("strong")
            build_flash(page)
        with ui.element("section").classes("board-part"):
            ui.label(words("board.rig_file")).classes("strong")
            _rig_file(page)
    with ui.element("aside").classes("actions"):
        page.order_button("board.examine", {"command": "examine"}, icon="fact_check")
        last = ui.button(words("board.bundle"), icon="download")
        last.props('no-caps outline href="api/v1/runs/last/bundle.zip" download')


def build_flash(page: Page) -> None:
    """Add what loads the firmware, and how the chosen board is wired."""
    words = page.words
    ui.label(words("board.flash_hint")).classes("small")
    boards = [*known_boards(shipped_root() / "firmware")]
    with ui.element("div").classes("board-fields"):
        kind = ui.select(boards, value=boards[-1], label=words("board.kind"))
        kind.props("outlined dense").set_value("uno")
        ports = [(each.device, f"{each.device} · {each.description}") for each in serial_ports()]
        choice_field(_PORT, words("board.port"), ports)
        place = ui.element("div")
    wiring = ui.element("details")

    def draw() -> None:
        place.clear()
        order = {"command": "flash_board", "board": str(kind.value)}
        with place:
            field_button(page, "board.flash", order, {"port": _PORT}, "memory").classes("begins")
        wiring.clear()
        with wiring:
            with ui.element("summary"):
                ui.label(words("board.wiring", board=kind.value))
            ui.markdown("\n".join(wiring_of(str(kind.value)))).classes("wiring").props(
                'lang="en" tabindex="0"'
            )

    draw()
    kind.on_value_change(draw)
    page.show(
        lambda view: (view.job == "flash", pane(view).flashed),
        lambda part: _flashed(page, *part),
    )


def _flashed(page: Page, busy: bool, port: str) -> None:
    if busy:
        ui.label(page.words("board.flashing")).props('role="status"')
    elif port:
        text = page.words("board.flashed", port=port)
        ui.label(text).classes("verdict good").props('role="status"')


def _findings(page: Page, findings: tuple[tuple[str, str, str], ...], busy: bool) -> None:
    words = page.words
    if busy:
        ui.label(words("board.examining")).props('role="status"')
    elif not findings:
        ui.label(words("board.not_examined")).classes("small")
    for subject, health, text in findings:
        with ui.element("div").classes(f"verdict {'good' if health == 'good' else 'bad'}"):
            ui.label(f"{_MARKS[health]} {subject}").classes("strong").props('lang="en"')
            ui.label(text).classes("small").props('lang="en"')


def _rig_file(page: Page) -> None:
    """Show the rig file to those who may change it: it may contain addresses of cameras."""
    words, folders = page.words, page.setup.folders
    if not page.calibrates:
        ui.label(words("board.not_allowed")).classes("small")
        return
    try:
        file = find_rig_file(None, folders)
        text = default_rig_text() if file is None else read_text(file)
    except ConfigError as error:
        ui.label(str(error)).classes("verdict bad").props('lang="en"')
        return
    ui.label(str(file or folders.config / "rig.toml")).classes("small")
    ui.html(
        f'<textarea id="{_RIG}" spellcheck="false" maxlength="200000" '
        f'aria-label="{html.escape(words("board.rig_file"))}">{html.escape(text)}</textarea>',
        sanitize=False,
    ).classes("rig-text")
    with ui.element("div").classes("board-fields"):
        order = {"command": "save_rig_file"}
        field_button(page, "board.save", order, {"text": _RIG}, "save").classes("begins")
        page.show(lambda view: pane(view).saved, lambda saved: _saved(page, saved))


def _saved(page: Page, saved: str) -> None:
    if saved:
        backup = pane(page.hub.view).backup
        text = page.words("board.saved", file=saved, backup=backup or "–")
        ui.label(text).classes("verdict good").props('role="status"')


def wiring_of(board: str) -> Iterator[str]:
    """Yield the lines of the wiring tables of the firmware for one board, as Markdown."""
    text = (shipped_root() / "firmware" / "README.md").read_text(encoding="utf-8")
    section = text.partition("\n## Wiring\n")[2].partition("\n## ")[0]
    chosen: list[int] = []
    for line in section.splitlines():
        if not line.startswith("|"):
            chosen = []
            continue
        cells = [_LINK.sub(r"\1", cell).strip() for cell in line.strip("|").split("|")]
        if not chosen:
            own = [n for n, cell in enumerate(cells) if cell.startswith(_COLUMNS[board])]
            own += [n + 1 for n in own if cells[n + 1 : n + 2] == ["DIR"]]
            common = [n for n, cell in enumerate(cells) if cell in _COMMON]
            chosen = sorted(own + common) if own else [-1]
            if own:
                yield ""
        if chosen != [-1]:
            yield f"| {' | '.join(cells[n] for n in chosen)} |"
