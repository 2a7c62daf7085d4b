"""What the page By hand says, what the card offers, and help in place."""

import re
from functools import partial

import pytest
from msgspec.structs import replace
from panel_pages import fits_at, insist
from playwright.sync_api import expect

from chromium import Visit
from cube.errors import ThistlebotError
from cube.net import WESTERN_SCHEME
from frontends.control.calibrate_commands import ChooseProfile
from frontends.control.routing import CALIBRATING, task_of
from frontends.control.view_model.attention import AttentionAction, concluded
from frontends.control.view_model.by_hand import HandTurns
from frontends.control.view_model.notices import Began, Finished, Noted
from frontends.control.view_model.reducer import after
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.attention_card import (
    attention_of,
    notes_of,
    offered,
    runs_cube,
)
from frontends.panel.pages.frame import ASSISTANT, TABS
from frontends.panel.pages.hand.hand_words import changes_text, hold_text, turn_text
from frontends.panel.pages.help import _MORE, help_text
from panel_desk import PanelProcess
from prepared import ROOT
from robot.errors import PortMissingError
from thistlebot.errors import UsageError
from thistlebot.exit_codes import error_record
from thistlebot.reading.corrections import Change
from thistlebot.words.guidance import told_text
from thistlebot.words.words import languages, load_words
from vision.errors import CameraError
from vision.live.step import Ask, Guidance, Instruction, Remark

EN = load_words("en")
WAY = HandTurns("white", "green", True, ("R", "L", "L'", "U2"), 0, "")


def test_every_remark_has_words() -> None:
    wrong = []
    asked = Instruction(Ask.FACE, "F", "green", "U", "white")
    for words in map(load_words, languages()):
        texts = {
            remark: told_text(Guidance(remark, "F", "blue", asked), words) for remark in Remark
        }
        for turn in range(len(WAY.moves)):
            texts[turn] = turn_text(replace(WAY, done=turn), words)
        wrong += [key for key, text in texts.items() if not text or "{" in text]
    assert not wrong


def test_how_to_hold_it_and_what_to_turn() -> None:
    told = hold_text(WAY, EN)
    assert told.index("white") < told.index("green")
    assert hold_text(replace(WAY, known=False), EN) == f"{told} {EN('hand.hold_guessed')}"
    turned = turn_text(WAY, EN)
    assert EN("cube.face_R") in turned
    assert EN("cube.turn_1") in turned
    assert EN("cube.turn_3") in turn_text(replace(WAY, done=2), EN)
    assert turn_text(replace(WAY, done=4), EN) == ""


def test_what_a_correction_changed() -> None:
    changes = (Change("U8", "U", "D", told=False), Change("U1", "U", "F", told=True))
    told = changes_text(changes, WESTERN_SCHEME, EN)
    places = [told.index(part) for part in ("U1", "green", "U8", "yellow")]
    assert places == sorted(places)
    assert changes_text((), WESTERN_SCHEME, EN) == ""


def test_the_card_begins_a_run_again_and_otherwise_has_the_rig_look() -> None:
    """The rig does not look for what was held in a hand."""
    gone = concluded(None, error_record(CameraError("the camera gave no picture")))
    clear = {AttentionAction.CLEAR: {"command": "dismiss"}}
    assert dict(offered(gone, "look")) == {AttentionAction.LOOK_AGAIN: {"command": "look"}, **clear}
    assert dict(offered(gone, "by_hand")) == clear
    assert dict(offered(gone, "scramble"))[AttentionAction.LOOK_AGAIN] == {"command": "look"}
    for job in ("solve", "copy", "proceed"):
        assert dict(offered(gone, job))[AttentionAction.LOOK_AGAIN] == {"command": "again"}


KEYS = [*(tab.key for tab in (*TABS, ASSISTANT)), "show"]


def test_every_tab_has_a_section_in_every_language() -> None:
    wrong = []
    for language in languages():
        words = load_words(language)
        for key in KEYS:
            text = help_text(language, words(f"frame.{key}"), ROOT)
            pages = re.findall(r'href="/manual/docs/([^"#]+)\.html', text)
            missing = [page for page in pages if not (ROOT / "docs" / f"{page}.md").is_file()]
            if missing or text.count("\n") < 2 or "](" in text or "![" in text:
                wrong.append((language, key, text))
    assert wrong == []
    files = {page: (ROOT / "docs" / page).with_suffix(".md") for page in _MORE.values()}
    assert [page for page, file in files.items() if not file.is_file()] == []
    text = help_text("en", "By hand", None)  # without the web pages links are text
    assert "by-hand.md" in text
    assert "href" not in text


@pytest.mark.exhaustive
@pytest.mark.browser
def test_help_opens_by_key_and_gives_the_focus_back(visit: Visit, panel: PanelProcess) -> None:
    page = visit.open(f"{panel.url}?tab=school", "touch", locale="fr-FR")
    button = page.get_by_role("button", name="Aide")
    button.focus()
    sheet = page.get_by_role("dialog", name="Aide")
    shown = expect(sheet.get_by_role("heading", name="École")).to_be_visible
    insist(partial(page.keyboard.press, "Enter"), shown)
    fits_at(page, ("desk", "phone", "touch"), "help", judged="touch", within=".q-dialog")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(button).to_be_focused()


def test_a_failure_stands_on_the_page_of_its_job_and_what_concerns_all_on_every_page() -> None:
    def shown(error: ThistlebotError, job: str) -> list[bool]:
        attention = concluded(None, error_record(error))
        view = ViewModel("test", last_job=job, attention=attention)
        return [bool(attention_of(view, own)) for own in (runs_cube, CALIBRATING.__contains__)]

    wrong = UsageError("there is no such motor")
    assert [shown(wrong, job) for job in ("buzz", "solve", "by_hand")] == [
        [False, True],
        [True, False],
        [False, False],
    ]
    assert shown(PortMissingError("the board is gone"), "buzz") == [True, True]


def test_a_note_stands_on_the_page_of_its_job_and_what_concerns_the_machine_on_every_page() -> None:
    view = ViewModel("test")
    for told in (
        Noted("no board"),
        Began("solve", 1, 0.0, dry_run=False),
        Noted("the journal cannot be written"),
        Finished("solve", 1, 1.0, None, {}),
        Noted("no such profile", job=task_of(ChooseProfile("hall")).name),
        Noted("no camera"),
    ):
        view = after(view, told)
    pages = (runs_cube, CALIBRATING.__contains__, "by_hand".__eq__)
    assert [notes_of(view, own) for own in pages] == [
        ("the journal cannot be written", "no camera"),
        ("no such profile", "no camera"),
        ("no camera",),
    ]
