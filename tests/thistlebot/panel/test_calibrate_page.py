"""The page Calibrate as a person uses it, in a real browser, on the virtual machine."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hand_video import record
from playwright.sync_api import FloatRect, Locator, Page, expect

from chromium import SIZES, Visit, barriers, shoot, until
from cube.state import SOLVED
from documents.typed_toml import load_document, save_document
from panel_desk import PanelProcess
from vision.colours.profile import ColourProfile
from vision.live.capture import CAPTURE_ORDER

pytestmark = pytest.mark.browser

CARDS = ("Colours", "Cameras", "Motors", "Venues")
CLEAR_PX = 48
NEAR_STOP = """() => {
  const stop = document.querySelector(".stop").getBoundingClientRect();
  const middle = (r) => [r.x + r.width / 2, r.y + r.height / 2];
  const shown = (e) => e.checkVisibility()
    && document.elementsFromPoint(...middle(e.getBoundingClientRect())).includes(e);
  return [...document.querySelectorAll("button, input, select, a, [tabindex='0']")]
    .filter((e) => !e.classList.contains("stop") && shown(e))
    .map((e) => [e.textContent, e.getBoundingClientRect()])
    .map(([text, r]) => [text, Math.hypot(
      Math.max(stop.left - r.right, r.left - stop.right, 0),
      Math.max(stop.top - r.bottom, r.top - stop.bottom, 0))])
    .filter(([, apart]) => apart < 48);
}"""
SCROLLS = """() => [...document.querySelectorAll(".card-body > section, .card, .actions, html")]
  .filter((e) => e.checkVisibility())
  .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
  .map((e) => e.className)"""
WIDER = "() => document.documentElement.scrollWidth > innerWidth"

DIM = ColourProfile(
    name="dim cellar",
    created="2026-11-20T20:00:00+01:00",
    scheme=dict(zip("URFDLB", ["white", "red", "green", "yellow", "orange", "blue"], strict=True)),
    colours={
        "U": (60.0, 2.0, 20.0),
        "R": (30.0, 40.0, 30.0),
        "F": (35.0, -25.0, 20.0),
        "D": (56.0, 0.0, 27.0),
        "L": (34.0, 38.0, 34.0),
        "B": (22.0, 5.0, -25.0),
    },
    spread=dict.fromkeys("URFDLB", 4.0),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("calibrating")


@pytest.fixture(scope="module")
def panel(folder: Path, cache_folder: object) -> Iterator[PanelProcess]:
    save_document(folder / "config" / "profiles" / "dim cellar.toml", DIM)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONFIG", "STATE", "DATA"):
            patch.setenv(f"THISTLEBOT_{name}_DIR", str(folder / name.lower()))
        patch.setenv("THISTLEBOT_CACHE_DIR", str(cache_folder))
        panel = PanelProcess()
    try:
        yield panel.ready()
    finally:
        assert panel.close() == 6  # asked to end


@pytest.fixture(scope="module")
def hand_panel(
    tmp_path_factory: pytest.TempPathFactory, cache_folder: object
) -> Iterator[tuple[PanelProcess, Path]]:
    """No rig, and a webcam before which somebody holds up a solved cube."""
    folder = tmp_path_factory.mktemp("by_hand")
    record(folder / "solved.avi", SOLVED, "".join(CAPTURE_ORDER))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONFIG", "STATE", "DATA"):
            patch.setenv(f"THISTLEBOT_{name}_DIR", str(folder / name.lower()))
        patch.setenv("THISTLEBOT_CACHE_DIR", str(cache_folder))
        panel = PanelProcess(video=str(folder / "solved.avi"))
    try:
        panel.until(lambda view: "calibrate" in view["panes"])
        yield panel, folder
    finally:
        assert panel.close() == 6


@pytest.fixture(autouse=True)
def _control_is_free_again(visit: Visit) -> Iterator[None]:
    yield
    for context in visit._contexts:
        for page in context.pages:
            with contextlib.suppress(Exception):  # a page that a test has closed
                page.evaluate("() => window.thistlebot.give()")


def opened(visit: Visit, panel: PanelProcess, size: str = "desk", card: str = "Colours") -> Page:
    """Open a card of the page in a browser that controls the machine."""
    panel.until(lambda view: not view["job"])
    page = visit.open(panel.url, size)
    expect(page.locator("html")).to_have_attribute("data-control", "mine", timeout=15_000)
    page.get_by_role("tab", name="Calibrate").click()
    show(page, card)
    return page


def show(page: Page, card: str) -> None:
    page.get_by_role("tab", name=card, exact=True).click()
    expect(page.locator(".card")).to_have_count(1)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def motors(panel: PanelProcess) -> dict:
    return panel.view()["panes"]["calibrate"]["motors"]


@pytest.mark.parametrize("size", SIZES)
def test_every_card_fits_the_screen_and_can_be_used_by_everybody(
    visit: Visit, panel: PanelProcess, size: str
) -> None:
    page = opened(visit, panel, size)
    press(page, "Measure")
    expect(page.locator(".pairs td.pass")).to_have_count(15)
    for card in CARDS:
        show(page, card)
        if card == "Cameras":
            press(page, "Camera 1")
            expect(page.locator(".tb-point")).to_have_count(7)
        page.mouse.move(1, 1)
        page.wait_for_timeout(400)  # the colours of buttons come to rest
        assert page.evaluate(NEAR_STOP) == []
        assert not page.evaluate(WIDER)
        if size != "phone":
            assert page.evaluate(SCROLLS) == []
        assert barriers(page, ".calibrate") == []
        shoot(page, f"calibrate-{card.lower()}-{size}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_that_may_be_confused_have_a_mark_and_a_word(
    visit: Visit, panel: PanelProcess, scheme: str
) -> None:
    page = opened(visit, panel, "touch", "Venues")
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.get_by_role("button", name="Use dim cellar").click()
    expect(page.get_by_text("in use")).to_be_visible(timeout=20_000)
    show(page, "Colours")
    failed = page.locator(".pairs td.fail")
    expect(failed).to_have_count(2)
    expect(failed.first).to_contain_text("✗")
    expect(failed.first).to_contain_text("may be confused")
    expect(page.locator(".verdict.bad")).to_contain_text("red and orange")
    page.wait_for_timeout(300)
    assert page.evaluate(SCROLLS) == []
    assert barriers(page, ".calibrate") == []
    shoot(page, f"calibrate-confused-{scheme}")
    show(page, "Venues")
    press(page, "Use none")
    expect(page.get_by_text("in use")).to_have_count(0, timeout=20_000)


def test_colours_are_saved_for_a_venue_that_is_then_in_use(
    visit: Visit, panel: PanelProcess, folder: Path
) -> None:
    page = opened(visit, panel)
    press(page, "Measure")
    expect(page.locator(".verdict.good")).to_be_visible()
    page.get_by_label("Venue", exact=True).fill("Town hall")
    press(page, "Save and use")
    expect(page.get_by_text("Saved: Town hall (virtual)")).to_be_visible(timeout=20_000)
    show(page, "Venues")
    row = page.locator(".part-list li", has_text="Town hall (virtual)")
    expect(row.get_by_text("in use")).to_be_visible(timeout=20_000)
    page.get_by_label("New venue").fill("Stage")
    press(page, "Copy")
    expect(page.locator(".part-list li")).to_have_count(3)
    assert (folder / "config" / "profiles" / "Stage.toml").is_file()
    page.get_by_label("New venue").fill("../rig")
    press(page, "Copy")
    expect(page.locator(".note").last).to_contain_text("is no name for a profile")
    page.get_by_role("button", name="Delete Stage; its file is put aside").click()
    expect(page.locator(".part-list li")).to_have_count(2)
    assert (folder / "config" / "profiles" / "Stage.toml.1.bak").is_file()
    press(page, "Use none")
    expect(row.get_by_role("button", name="Use Town hall (virtual)")).to_be_visible(timeout=20_000)


def test_a_person_shows_the_faces_and_a_real_profile_is_written(
    visit: Visit, hand_panel: tuple[PanelProcess, Path]
) -> None:
    panel, folder = hand_panel
    page = opened(visit, panel, "touch")
    press(page, "By hand")
    expect(page.get_by_role("button", name="Take it now")).to_be_visible(timeout=20_000)
    expect(page.locator(".captured .order").nth(1)).to_be_visible(timeout=40_000)
    shoot(page, "calibrate-by-hand")
    expect(page.locator(".pairs td.pass")).to_have_count(15, timeout=60_000)
    page.get_by_label("Venue", exact=True).fill("Зал")
    press(page, "Save and use")
    expect(page.get_by_text("Saved: Зал")).to_be_visible(timeout=20_000)
    assert load_document(folder / "config" / "profiles" / "Зал.toml", ColourProfile).name == "Зал"


def placed(page: Page, element: Locator) -> FloatRect:
    """Return where an element stands; one that is just being drawn anew stands nowhere."""
    found: list[FloatRect] = []

    def stands() -> bool:
        box = element.bounding_box()
        found.extend([] if box is None else [box])
        return bool(found)

    until(page, stands)
    return found[0]


def test_a_point_is_dragged_judged_and_put_back_by_key(visit: Visit, panel: PanelProcess) -> None:
    page = opened(visit, panel, card="Cameras")
    press(page, "Camera 2")
    pressed = page.get_by_role("button", name="Camera 2", pressed=True)
    expect(pressed).to_be_visible()
    expect(page.locator(".verdict.good")).to_be_visible()
    expect(page.locator(".tb-point")).to_have_count(7)
    grip = page.locator(".tb-point").first
    box = placed(page, grip.locator(".tb-ring"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=4)
    page.mouse.up()
    bad = page.locator(".verdict.bad")
    expect(bad).to_contain_text("does not fit the others")
    expect(page.get_by_role("button", name="Save the view")).to_have_count(0)
    shoot(page, "calibrate-point-moved")
    before = panel.view()["panes"]["calibrate"]["points"]
    grip.focus()
    page.keyboard.press("ArrowLeft")
    until(page, lambda: panel.view()["panes"]["calibrate"]["points"] != before)
    press(page, "Camera 2")  # again as the view has them
    expect(page.locator(".verdict.good")).to_be_visible()
    press(page, "Save the view")
    expect(page.get_by_text("nothing was written")).to_be_visible()


def test_a_motor_is_buzzed_and_a_search_is_traced_and_stopped(
    visit: Visit, panel: PanelProcess
) -> None:
    page = opened(visit, panel, card="Motors")
    run = panel.view()["run"]
    page.get_by_role("button", name="Move R a little").click()
    panel.until(lambda view: view["run"] > run and not view["job"])
    assert panel.view()["attention"] is None
    page.get_by_label("Motors", exact=True).select_option("F")
    press(page, "Search speed")
    expect(page.locator(".trace circle.held").first).to_be_visible(timeout=40_000)
    twin = visit.open(panel.url)  # watches
    twin.get_by_role("tab", name="Calibrate").click()
    show(twin, "Motors")
    expect(twin.locator(".trace circle.held").first).to_be_visible()
    page.get_by_role("button", name="Stop", exact=False).last.click()
    panel.until(lambda view: not view["job"])
    assert panel.view()["attention"]["kind"] == "stopped"
    trials = motors(panel)["trials"]
    assert trials
    assert motors(panel)["doing"] == ""
    shown = page.locator(".trace").get_attribute("aria-label")
    assert shown is not None
    assert "F, trial" in shown
    page.reload()
    page.get_by_role("tab", name="Calibrate").click()
    show(page, "Motors")
    assert page.locator(".trace").get_attribute("aria-label") == shown
    expect(twin.locator(".trace")).to_have_attribute("aria-label", shown)


def test_a_watcher_moves_nothing(visit: Visit, panel: PanelProcess) -> None:
    page = opened(visit, panel, card="Motors")
    twin = visit.open(panel.url)
    expect(twin.locator("html")).to_have_attribute("data-control", "other")
    twin.get_by_role("tab", name="Calibrate").click()
    show(twin, "Motors")
    run = panel.view()["run"]
    twin.get_by_role("button", name="Move R a little").click()
    expect(twin.locator("#panel-message")).not_to_be_empty()
    page.wait_for_timeout(300)
    assert panel.view()["run"] == run
