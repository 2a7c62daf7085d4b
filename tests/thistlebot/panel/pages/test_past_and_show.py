"""The pages History and Show in a real browser, on the virtual machine."""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from chromium import SIZES, Visit, barriers, shoot
from cube.facelets import SOLVED_FACELETS
from panel_desk import PanelProcess

pytestmark = pytest.mark.browser

SEND = "order => window.thistlebot.send(order)"
CONTROL = "() => window.thistlebot.lease || void window.thistlebot.take()"
"""Takes the lease, which a page that was just closed may hold for a moment."""
REPLAYED = "() => document.querySelector('.replay [data-facelets]').dataset.facelets"


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory, cache_folder: Path) -> Iterator[PanelProcess]:
    folder = tmp_path_factory.mktemp("panel")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONFIG", "STATE", "DATA"):
            patch.setenv(f"THISTLEBOT_{name}_DIR", str(folder / name.lower()))
        patch.setenv("THISTLEBOT_CACHE_DIR", str(cache_folder))
        panel = PanelProcess()
    try:
        yield panel.ready()
    finally:
        panel.close()


@pytest.fixture
def solved(visit: Visit, panel: PanelProcess) -> int:
    """At least one cube was scrambled and solved; returns how many runs there are."""
    if not panel.view()["solved"]:
        page = opened(visit, panel, "")
        do(page, panel, "scramble")
        do(page, panel, "solve")
        assert panel.view()["verified"]
        page.context.close()
    return int(panel.view()["run"])


def opened(
    visit: Visit, panel: PanelProcess, path: str, size: str = "desk", **options: Any
) -> Page:
    page = visit.open(f"{panel.url}{path}", size, **options)
    page.wait_for_function("() => window.thistlebot?.view")
    return page


def do(page: Page, panel: PanelProcess, command: str) -> None:
    """Give an order, and wait until it is carried out.

    On a busy computer an order may come too late, or from a page that has not yet heard that the
    last job ended: it is refused then, as it must be, and given once more.
    """
    do_by(page, panel, lambda: page.evaluate(SEND, {"command": command}))


def do_by(page: Page, panel: PanelProcess, give: Callable[[], object]) -> None:
    """Do as `do`, with an order that is given otherwise."""
    page.wait_for_function(CONTROL, polling=500, timeout=60_000)
    run = panel.view()["run"]
    for _ in range(10):
        give()
        for _ in range(20):
            if panel.view()["run"] > run:
                panel.until(lambda view: not view["job"])
                return
            page.wait_for_timeout(100)
    raise AssertionError("the order was refused ten times")


def past(visit: Visit, panel: PanelProcess, size: str = "desk", **options: Any) -> Page:
    page = opened(visit, panel, "", size, **options)
    page.get_by_role("tab", name=re.compile("History|Historique|История")).click()
    page.locator(".figures").wait_for()
    return page


def test_a_solve_is_summed_up_and_listed(visit: Visit, panel: PanelProcess, solved: int) -> None:
    page = past(visit, panel)
    expect(page.locator(".figure-solves")).to_have_text(re.compile(r"[1-9]"), timeout=15_000)
    expect(page.locator(".figure-best")).to_have_text(re.compile(r"\d+\.\d\d s"))
    expect(page.locator(".figure-verified")).to_have_text("100 %")
    expect(page.locator(".chart .solve-dot").first).to_be_visible()
    assert page.locator(".chart .phase-execute").count() >= 1
    assert page.get_by_role("row").count() >= 3  # a head, a scramble and a solve


def test_a_run_is_turned_again_step_by_step(visit: Visit, panel: PanelProcess, solved: int) -> None:
    page = past(visit, panel)
    row = page.get_by_role("row").filter(has_text="verified").first
    row.get_by_role("button").click()
    count = page.locator(".replay-count")
    total = int(re.findall(r"\d+", count.inner_text())[-1])
    start = page.evaluate(REPLAYED)
    assert start != SOLVED_FACELETS.text
    page.get_by_role("button", name="One step on").click()
    expect(count).to_have_text(f"1 of {total}")
    assert page.locator(".replay .move.turned").count() == 1
    page.get_by_role("button", name="To the end").click()
    page.wait_for_function(f"facelets => ({REPLAYED})() === facelets", arg=SOLVED_FACELETS.text)
    page.get_by_role("button", name="To the beginning").click()
    page.wait_for_function(f"facelets => ({REPLAYED})() === facelets", arg=start)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(count).to_have_text(f"2 of {total}", timeout=10_000)
    page.get_by_role("button", name="Pause").click()
    picture = page.locator(".past-pictures img").first
    picture.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.past-pictures img').naturalWidth > 0")
    page.get_by_role("button", name="All runs").click()
    page.locator(".figures").wait_for()


def test_files_are_handed_out(visit: Visit, panel: PanelProcess, solved: int) -> None:
    answer = httpx.get(f"{panel.url}history/solves.csv?virtual=1")
    lines = list(csv.reader(io.StringIO(answer.text), delimiter=";"))
    assert lines[0][:2] == ["No.", "Time"]
    assert len(lines) >= 2
    assert "solves.csv" in answer.headers["content-disposition"]
    real = httpx.get(f"{panel.url}history/solves.csv")
    assert len(real.text.splitlines()) == 1
    page = past(visit, panel)
    page.get_by_role("row").filter(has_text="verified").first.get_by_role("button").click()
    with page.expect_download() as download:
        page.locator(".bundle").click()
    with zipfile.ZipFile(download.value.path()) as bundle:
        assert "run.json" in bundle.namelist()
    assert httpx.get(f"{panel.url}history/999/bundle").status_code == 404
    assert httpx.get(f"{panel.url}history/1/999.jpg").status_code == 404


@pytest.mark.parametrize(
    ("size", "options"),
    [("touch", {"color_scheme": "dark"}), ("phone", {"locale": "fr"}), ("desk", {"locale": "ru"})],
)
def test_history_fits_and_keeps_nobody_out(
    visit: Visit, panel: PanelProcess, solved: int, size: str, options: dict[str, Any]
) -> None:
    page = past(visit, panel, size, **options)
    page.wait_for_timeout(300)
    shoot(page, f"history-{size}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= SIZES[size][0]
    assert barriers(page) == []
    page.locator(".run-link").first.click()
    page.locator(".past-facts").wait_for()
    page.wait_for_timeout(300)
    shoot(page, f"history-run-{size}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= SIZES[size][0]
    assert barriers(page) == []


def test_the_show_follows_a_solve_to_its_end(visit: Visit, panel: PanelProcess) -> None:
    page = opened(visit, panel, "show")
    do(page, panel, "scramble")
    left = page.locator("[data-gauge=pieces] .gauge-count")
    expect(left).not_to_have_text("0")
    page.get_by_role("button", name="Sound off").click()
    expect(page.get_by_role("button", name="Sound on")).to_have_attribute("aria-pressed", "true")
    do_by(page, panel, page.get_by_role("button", name="Solve").click)
    expect(page.locator(".show-status")).to_have_text("Solved!", timeout=60_000)
    for count in page.locator(".gauge-count").all():
        expect(count).to_have_text("0")
    assert page.locator(".stage.reached").count() == 4
    assert page.locator(".law.kept").count() == 3
    assert page.locator(".tb-clock").get_attribute("data-chimes") == "1"
    total_s = panel.view()["times"]["total_s"]
    expect(page.locator(".tb-time")).to_have_text(f"{total_s:.2f}")
    expect(page.locator(".record-best")).to_have_text(
        re.compile(r"Best today: \d+\.\d\d s"), timeout=15_000
    )
    page.wait_for_function(
        "facelets => document.querySelector('.tb-cube').dataset.facelets === facelets",
        arg=SOLVED_FACELETS.text,
    )
    page.reload()
    page.wait_for_function("() => window.thistlebot?.view")
    expect(page.locator(".tb-time")).to_have_text(f"{total_s:.2f}")
    expect(page.get_by_role("button", name="Sound on")).to_be_visible()
    assert page.locator(".tb-clock").get_attribute("data-chimes") == "0"  # it was heard before


@pytest.mark.parametrize(
    ("size", "options"),
    [
        ("touch", {"color_scheme": "dark", "locale": "ru"}),
        ("phone", {"locale": "fr"}),
        ("desk", {}),
    ],
)
def test_the_show_fits_and_keeps_nobody_out(
    visit: Visit, panel: PanelProcess, size: str, options: dict[str, Any]
) -> None:
    page = opened(visit, panel, "show", size, **options)
    page.wait_for_timeout(300)
    shoot(page, f"show-{size}")
    width, height = SIZES[size]
    scrolled = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    shown = page.evaluate(scrolled)
    assert shown[0] <= width
    if size != "phone":
        assert shown[1] <= height
    assert barriers(page) == []
