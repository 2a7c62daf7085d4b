"""The pages History and Show in a real browser, on the virtual machine."""

import csv
import io
import re
import zipfile
from typing import Any

import httpx
import pytest
from panel_pages import begun, do, ended, fits_at
from playwright.sync_api import Page, expect

from chromium import Visit
from cube.facelets import SOLVED_FACELETS
from panel_desk import PanelProcess, Watcher

pytestmark = pytest.mark.browser

REPLAYED = "() => document.querySelector('.replay [data-facelets]').dataset.facelets"
PAUSED = """() => parseInt(document.querySelector('.replay-count').innerText) >= 2
  && [...document.querySelectorAll('[aria-label=Pause]')].map((each) => each.click()).length > 0"""


@pytest.fixture
def solved(panel: PanelProcess, watcher: Watcher) -> None:
    """The last run solved a cube, and it is in the journal; a cube that was solved is no solve."""
    view = panel.view()
    if not (view["verified"] and view["last_job"] == "solve" and rows(panel)):
        watcher.do({"command": "scramble"})
        assert watcher.do({"command": "solve"})["verified"]
        panel.until(lambda _: bool(rows(panel)))


def rows(panel: PanelProcess) -> list[list[str]]:
    answer = httpx.get(f"{panel.url}api/v1/runs.csv?virtual=1")
    assert "solves.csv" in answer.headers["content-disposition"]
    heading, *solves = csv.reader(io.StringIO(answer.text), delimiter=";")
    assert heading[:2] == ["No.", "Time"]
    return solves


def opened(
    visit: Visit, panel: PanelProcess, path: str, size: str = "desk", **options: Any
) -> Page:
    page = visit.open(f"{panel.url}{path}", size, **options)
    page.wait_for_function("() => window.thistlebot?.view")
    return page


def past(visit: Visit, panel: PanelProcess, size: str = "desk", **options: Any) -> Page:
    page = opened(visit, panel, "", size, **options)
    page.get_by_role("tab", name=re.compile("History|Historique|История")).click()
    page.locator(".figures").wait_for()
    return page


@pytest.mark.usefixtures("solved")
def test_a_solve_is_summed_up_listed_and_turned_again_step_by_step(
    visit: Visit, panel: PanelProcess
) -> None:
    page = past(visit, panel)
    expect(page.locator(".figure-solves")).to_have_text(re.compile(r"[1-9]"))
    expect(page.locator(".figure-best")).to_have_text(re.compile(r"\d+\.\d\d s"))
    expect(page.locator(".figure-verified")).to_have_text(re.compile(r"\d+ %"))
    expect(page.locator(".chart .solve-dot").first).to_be_visible()
    assert page.locator(".chart .phase-execute").count() >= 1
    row = page.get_by_role("row").filter(has_text="verified").first
    row.get_by_role("button").click()
    count = page.locator(".replay-count")
    total = int(re.findall(r"\d+", count.inner_text())[-1])
    start = page.evaluate(REPLAYED)
    assert start != SOLVED_FACELETS.text
    page.wait_for_url(re.compile(r"tab=history&card=\d+$"))
    page.reload()  # the address leads to the same run
    page.locator(".replay .tb-cube").wait_for()
    page.wait_for_function(f"facelets => ({REPLAYED})() === facelets", arg=start)
    page.get_by_role("button", name="Next step").click()
    expect(count).to_have_text(f"1 of {total}")
    assert page.locator(".replay .move.turned").count() == 1
    page.get_by_role("button", name="To the end").click()
    page.wait_for_function(f"facelets => ({REPLAYED})() === facelets", arg=SOLVED_FACELETS.text)
    page.get_by_role("button", name="To the start").click()
    page.wait_for_function(f"facelets => ({REPLAYED})() === facelets", arg=start)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(PAUSED, polling=100)
    page.locator(".past-pictures img").first.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.past-pictures img').naturalWidth > 0")
    with page.expect_download() as download:
        page.locator(".bundle").click()
    with zipfile.ZipFile(download.value.path()) as bundle:
        assert "run.json" in bundle.namelist()
    page.get_by_role("button", name="All runs").click()
    page.locator(".figures").wait_for()
    assert len(httpx.get(f"{panel.url}api/v1/runs.csv").text.splitlines()) == 1  # real ones
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    shown = httpx.get(f"{panel.url}api/v1/runs.csv?virtual=1").content
    assert download.value.path().read_bytes() == shown
    assert httpx.get(f"{panel.url}history/999/bundle").status_code == 404
    assert httpx.get(f"{panel.url}history/1/999.jpg").status_code == 404


@pytest.mark.exhaustive
@pytest.mark.usefixtures("solved")
def test_both_pages_fit_and_keep_nobody_out(visit: Visit, panel: PanelProcess) -> None:
    sizes, options = ("touch", "phone"), {"color_scheme": "dark", "locale": "ru-RU"}
    page = past(visit, panel, **options)
    fits_at(page, sizes, "history", judged="touch")
    page.locator(".run-link").first.click()
    page.locator(".past-facts").wait_for()
    fits_at(page, sizes, "history-run", judged="phone")
    fits_at(opened(visit, panel, "show", **options), sizes, "show", judged="touch")


def test_the_show_follows_a_solve_to_its_end(visit: Visit, panel: PanelProcess) -> None:
    page = opened(visit, panel, "show")
    expect(page.get_by_role("button", name="Solve")).to_be_hidden()
    page.get_by_role("button", name="Control the machine from here").click()
    expect(page.locator("html")).to_have_attribute("data-control", "mine")
    do(page, panel, command="scramble")
    expect(page.locator("[data-gauge=pieces] .gauge-count")).not_to_have_text("0")
    page.get_by_role("button", name="Sound off").click()
    expect(page.get_by_role("button", name="Sound on")).to_have_attribute("aria-pressed", "true")
    view = ended(page, panel, begun(page, panel, page.get_by_role("button", name="Solve").click))
    expect(page.locator(".show-status")).to_have_text("Solved!", timeout=60_000)
    for count in page.locator(".gauge-count").all():
        expect(count).to_have_text("0")
    assert page.locator(".stage.reached").count() == 4
    assert page.locator(".law.kept").count() == 3
    assert page.locator(".tb-clock").get_attribute("data-chimes") == "1"
    total = re.compile(rf"{view['times']['total_s'] % 60:.2f}$")  # minutes on a busy computer
    expect(page.locator(".tb-time")).to_have_text(total)
    expect(page.locator(".record-best")).to_have_text(re.compile(r"\d+\.\d\d s"))
    page.wait_for_function(
        "facelets => document.querySelector('.tb-cube').dataset.facelets === facelets",
        arg=SOLVED_FACELETS.text,
    )
    page.reload()
    page.wait_for_function("() => window.thistlebot?.view")
    expect(page.locator(".tb-time")).to_have_text(total)
    expect(page.get_by_role("button", name="Sound on")).to_be_visible()
    assert page.locator(".tb-clock").get_attribute("data-chimes") == "0"  # it was heard before
