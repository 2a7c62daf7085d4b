"""The page Show: the machine for an audience, full screen."""

import html
from dataclasses import dataclass

from nicegui import ui

from cube.facelets import SOLVED_FACELETS
from cube.patterns import PATTERNS
from frontends.control.view_model.thoughts import LAWS, STAGES, Thoughts, makes_pattern, thoughts_of
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.best import follow_best, is_best
from frontends.panel.pages.cubes import SolidCube
from frontends.panel.pages.elements import ClockElement
from frontends.panel.pages.frame import build_head, build_stop
from frontends.panel.pages.help import build_help
from frontends.panel.pages.page import Page
from frontends.panel.pages.past.past_charts import seconds
from thistlebot.events import Phase


def build_show(page: Page, *, visits: bool = False, invitation: str = "") -> None:
    """Build the page.

    Args:
        page: The page.
        visits: Whether this is a visitor's phone, which cannot give commands.
        invitation: The address for visitors' phones; empty to invite nobody.
    """
    words = page.words
    mark = "watching = root.dataset.visiting" if visits else "watching"
    script = f'const root = document.documentElement; root.dataset.{mark} = "yes"'
    ui.add_head_html(f"<script>{{ {script} }}</script>")
    build_head(page, "show.css")
    ui.context.client.content.classes("show")
    with ui.element("main").classes("show-grid"):
        with ui.element("section").classes("show-cube"):
            praise = {name: words(f"show.{name}") for name in ("solved", "reached")}
            praise["replay"] = words("run.replay")
            SolidCube(label=words("run.cube"), live=True, pace_ms=150, praise=praise, drifts=True)
        with ui.element("section").classes("show-told"):
            with ui.element("div").classes("show-head"):
                ui.label("Thistlebot").classes("show-name")
                page.show(lambda view: view.machine.virtual, lambda on: _virtual(page, virtual=on))
                if not visits:
                    _buttons(page, invitation)
            with ui.element("div").classes("show-clock"):
                ClockElement(
                    point=words("number.point"),
                    sound_on=words("show.sound_on"),
                    sound_off=words("show.sound_off"),
                )
                if not visits:
                    page.order_button("run.solve", {"command": "solve"}, icon="play_arrow")
            page.show(lambda view: _said(page, view), _say)
            _Thinking(page)
            _records(page)
    ui.html('<div id="panel-message" role="status" aria-live="polite"></div>', sanitize=False)
    if not visits:
        build_stop(page)


def _invite(page: Page, invitation: str) -> None:
    """Add the button that shows the code for visitors' phones."""
    import segno

    label = page.words("show.invite")
    drawn = segno.make(invitation, error="m").svg_inline(omitsize=True, border=2, light="#fff")
    with (
        ui.dialog().props(f'aria-label="{label}"') as dialog,
        ui.element("div").classes("show-invitation"),
    ):
        ui.html(drawn, sanitize=False).props(f'role="img" aria-label="{label}"')
        ui.label(page.words("show.invited"))
    button = ui.button(icon="qr_code_2", on_click=dialog.open)
    button.props(f'flat round aria-label="{label}"')


def _buttons(page: Page, invitation: str) -> None:
    words = page.words
    if invitation:
        _invite(page, invitation)
    unlock = html.escape(words("show.unlock"))
    ui.html(
        f'<button type="button" class="show-lock" aria-label="{unlock}" title="{unlock}">'
        '<i class="q-icon material-icons" aria-hidden="true"></i></button>',
        sanitize=False,
    ).on("click", js_handler="() => window.thistlebot.unlock()")
    build_help(page, lambda: "show")
    whole = ui.button(icon="fullscreen").props(f'flat round aria-label="{words("show.whole")}"')
    whole.on(
        "click",
        js_handler="() => document.fullscreenElement ? document.exitFullscreen()"
        " : document.documentElement.requestFullscreen()",
    )
    leave = ui.button(icon="close").props(f'flat round aria-label="{words("show.leave")}"')
    leave.on("click", js_handler="() => { location.href = './' }")


def _virtual(page: Page, *, virtual: bool) -> None:
    if virtual:
        ui.label(page.words("frame.virtual")).classes("badge virtual")


def _said(page: Page, view: ViewModel) -> tuple[str, str]:
    """Return the state of the machine, as a class and a text."""
    words = page.words
    if view.attention is not None:
        return "wait", words("show.wait")
    if view.verified and not view.job and view.plan.moves:
        return "done", _done(page, view.cube.facelets)
    if view.job and view.phase is Phase.EXECUTE:
        moves = len(view.plan.moves)
        return "busy", words("show.turning", done=view.cube.turned, total=moves)
    if view.job:
        return "busy", words(f"show.phase_{view.phase}" if view.phase in _TOLD else "show.busy")
    return "idle", words("show.idle")


def _done(page: Page, facelets: str | None) -> str:
    if facelets == SOLVED_FACELETS.text:
        return page.words("show.solved")
    pattern = next((each for each in PATTERNS if each.state.to_facelets().text == facelets), None)
    if pattern is None:
        return page.words("show.reached")
    return page.words("show.pattern", name=page.words(f"pattern.{pattern.slug}"))


_TOLD = (Phase.SCAN, Phase.DECODE, Phase.PLAN, Phase.VERIFY)


def _say(said: tuple[str, str]) -> None:
    kind, text = said
    ui.label(text).classes(f"show-status {kind}").props('role="status"')


class _Thinking:
    """What each stage reduces to zero; built once, so that the bars move smoothly."""

    def __init__(self, page: Page) -> None:
        words = page.words
        self._words = words
        self._names: dict[str, ui.label] = {}
        label = words("show.thoughts")
        with ui.element("section").classes("thoughts").props(f'aria-label="{label}"') as self._all:
            self._stages = [self._stage(gauges) for gauges in STAGES]
            with ui.element("details").classes("laws"):
                with ui.element("summary"):
                    ui.label(words("show.laws"))
                self._laws = [ui.label().classes("law") for _ in LAWS]
        self._unknown = ui.label(words("show.unknown")).classes("small")
        self.tell(thoughts_of(page.hub.view))
        page.follow(thoughts_of, self.tell)
        self._aim(makes_pattern(page.hub.view))
        page.follow(makes_pattern, self._aim)

    def _aim(self, pattern: bool) -> None:
        """Say what the last stage brings where: home, or to its place in a pattern."""
        name = self._names["pieces"]
        name.set_text(self._words("show.pieces_of_pattern" if pattern else "show.pieces"))

    def _stage(self, names: tuple[str, ...]) -> "_Stage":
        with ui.element("div").classes("stage") as place:
            mark = ui.label().classes("stage-mark").props('aria-hidden="true"')
            with ui.element("div").classes("stage-gauges"):
                bars = [self._gauge(name) for name in names]
        return _Stage(place, mark, bars)

    def _gauge(self, name: str) -> "_Bar":
        with ui.element("div").classes("gauge").props(f'data-gauge="{name}"'):
            count = ui.label().classes("gauge-count")
            self._names[name] = ui.label(self._words(f"show.{name}")).classes("gauge-name")
            with ui.element("div").classes("gauge-bar").props('aria-hidden="true"'):
                return _Bar(ui.element("div").classes("gauge-left"), count)

    def tell(self, thoughts: Thoughts | None) -> None:
        """Show the present values."""
        self._all.set_visibility(thoughts is not None)
        self._unknown.set_visibility(thoughts is None)
        if thoughts is None:
            return
        for number, (stage, gauges) in enumerate(zip(self._stages, thoughts.stages, strict=True)):
            reached = thoughts.level > number
            kind = "reached" if reached else "now" if thoughts.level == number else "later"
            stage.place.classes(replace=f"stage {kind}")
            stage.mark.set_text("✓" if reached else str(number + 1))
            for bar, gauge in zip(stage.bars, gauges, strict=True):
                bar.left.style(f"width: {100 * gauge.left / gauge.most:.0f}%")
                open_ = gauge.most == 1 and gauge.left  # whether, not how many
                bar.count.set_text("–" if open_ else str(gauge.left))
        orbit = thoughts.orbit
        values = (orbit.corner_twist, orbit.edge_flip, orbit.parity)
        for label, name, value in zip(self._laws, LAWS, values, strict=True):
            label.set_text(f"{self._words(f'show.law_{name}')} = {value} {'✗' if value else '✓'}")
            label.classes(replace="law broken" if value else "law kept")


@dataclass(frozen=True, slots=True)
class _Bar:
    left: ui.element
    count: ui.label


@dataclass(frozen=True, slots=True)
class _Stage:
    place: ui.element
    mark: ui.label
    bars: list[_Bar]


def _records(page: Page) -> None:
    """Show the best time and the number of solves today."""
    words = page.words
    with ui.element("div").classes("records"):
        label = ui.label().classes("record-best")
        page.text(lambda view: words("show.count", number=view.solved))

    def tell(best_s: float | None) -> None:
        new = f" · {words('run.new_best')}" if is_best(page.hub.view, best_s) else ""
        label.set_text(words("show.best", time=seconds(best_s, words)) + new)

    follow_best(page, tell)
