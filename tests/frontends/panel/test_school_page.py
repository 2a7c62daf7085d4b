"""The page School, in a real browser: its answers come from the school's own verbs."""

import asyncio

import pytest
from cubes import cube_after
from panel_pages import fits_at
from playwright.sync_api import Page, expect

from chromium import Visit
from frontends.panel.pages import school_verbs
from frontends.panel.pages.school_verbs import AT_ONCE, SchoolVerbs, VerbResult
from panel_desk import PanelProcess
from thistlebot.exit_codes import ExitCode
from thistlebot.words.words import load_words

NO_TWISTS = "R' D' R D R' D' R D U D' R' D R D' R' D R"
SHOWN = "() => document.querySelector('.school-cube').dataset.facelets"


def show(page: Page) -> None:
    """Press the button of a card, beside its fields."""
    page.locator(".school-card:visible .school-fields > .q-btn").click()


@pytest.mark.browser
def test_a_worksheet_checks_answers_and_turns_its_experiments(
    visit: Visit, panel: PanelProcess
) -> None:
    page = visit.open(f"{panel.url}school")  # as people type it
    assert page.url == f"{panel.url}?tab=school"
    page.locator("[data-lesson=theorem]").click()
    questions = page.locator(".school-question")
    expect(questions).to_have_count(3)
    first = questions.nth(0)
    first.get_by_role("textbox").fill(NO_TWISTS)
    first.get_by_role("button").first.click()
    expect(first.locator(".verdict.bad")).to_be_visible()
    moves = "R' D' R D R' D' R D"
    page.get_by_role("button", name=moves).click()
    turned = cube_after(moves).to_facelets().text
    page.wait_for_function(f"(wanted) => ({SHOWN})() === wanted", arg=turned)


@pytest.mark.exhaustive
@pytest.mark.browser
def test_choices_methods_words_and_puzzles(visit: Visit, panel: PanelProcess) -> None:
    """A film can reach nothing of the panel."""
    page = visit.open(f"{panel.url}?tab=school")
    page.locator("[data-lesson=theorem]").click()
    question = page.locator(".school-question").nth(1)
    for option in (1, 3, 5):
        question.get_by_role("checkbox").nth(option).click()
        expect(question.get_by_role("checkbox").nth(option)).to_be_checked()
    question.get_by_role("button").first.click()
    expect(question.locator(".verdict.good")).to_be_visible()
    fits_at(page, ("touch", "phone"), "school-lesson", judged="touch", within=".school-card")
    page.goto(f"{panel.url}?tab=school&card=learn")
    page.wait_for_function("() => window.did_handshake === true")
    show(page)  # at once: the methods may not have been listed yet
    film = page.frame_locator(".school-film")
    expect(film.locator("canvas")).to_be_visible()
    assert page.locator(".school-film").get_attribute("sandbox") == "allow-scripts"
    page.get_by_role("tab", name="Puzzles").click()
    expect(page.get_by_label("Random moves")).to_be_visible()  # else the other card's button
    show(page)
    expect(page.locator(".school-film:visible")).to_be_visible()
    page.get_by_role("tab", name="Words").click()
    page.reload()  # as after a lost connection: it shows the same card
    page.wait_for_function("() => window.did_handshake === true")
    for typed, answer in (("[R, U]", ".school-facts"), ("--json", ".verdict.bad")):
        page.get_by_label("Moves", exact=True).fill(typed)
        show(page)
        expect(page.locator(f".school-card:visible {answer}")).to_be_visible()


WORDS = load_words("en")
Begun = list[asyncio.subprocess.Process]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Begun:
    found: Begun = []
    start = asyncio.create_subprocess_exec

    async def keep(*words: str, **options: int) -> asyncio.subprocess.Process:
        found.append(await start(*words, **options))
        return found[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", keep)
    return found


def test_a_verb_that_takes_too_long_is_ended(begun: Begun) -> None:
    async def ask() -> None:
        options = ["--random=9", "--solve=auto"]
        refused = await SchoolVerbs(longest_s=0.0).ask(WORDS, "puzzle", options, "5x5x5")
        assert refused.error == WORDS("school.too_long")
        await begun[0].wait()

    asyncio.run(ask())
    assert begun[0].returncode


def test_a_class_that_comes_at_once_is_told_by_one_program(begun: Begun) -> None:
    async def come() -> list[VerbResult]:
        verbs = SchoolVerbs()
        return await asyncio.gather(*(verbs.tell(WORDS, "puzzle") for _ in range(9)))

    names = [{each["name"] for each in result.records} for result in asyncio.run(come())]
    assert len(begun) == 1
    assert all({"3x3x3", "pyraminx"} <= told for told in names)


def test_a_class_is_served_and_a_flood_is_refused(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def come(verbs: SchoolVerbs, pupils: int) -> list[VerbResult]:
        return await asyncio.gather(*(verbs.ask(WORDS, "--help", []) for _ in range(pupils)))

    assert all(each.text for each in asyncio.run(come(SchoolVerbs(), AT_ONCE + 1)))
    monkeypatch.setattr(school_verbs, "MOST", 2)
    errors = [each.error for each in asyncio.run(come(SchoolVerbs(), 9))]
    assert errors == ["", "", *[WORDS("school.too_many")] * 7]


def test_what_a_visitor_types_is_never_an_option(begun: Begun) -> None:
    result = asyncio.run(SchoolVerbs().ask(WORDS, "word", [], "--json"))
    assert "--json" in result.error
    assert begun[0].returncode == ExitCode.USAGE


def test_what_no_program_can_be_asked_is_refused_in_one_line(begun: Begun) -> None:
    for typed in ("R " * 70_000, "R\0U"):
        for value, options in ((typed, []), ("", [f"--scramble={typed}"])):
            result = asyncio.run(SchoolVerbs().ask(WORDS, "word", options, value))
            assert result == VerbResult("", WORDS("school.too_large"))
    assert not begun


def test_a_verb_that_needs_too_much_memory_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = school_verbs._PROGRAM.replace(str(school_verbs._MOST_BYTES), "20_000_000")
    monkeypatch.setattr(school_verbs, "_PROGRAM", small)
    result = asyncio.run(SchoolVerbs().ask(WORDS, "puzzle", ["--random=9"], "4x4x4"))
    assert result.error == WORDS("school.too_large")
