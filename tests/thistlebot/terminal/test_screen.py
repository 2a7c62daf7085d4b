"""What the terminal shows: solutions, the bar of a run, progress, doubts, lines that fit."""

import re
import shlex
from pathlib import Path

import msgspec
import numpy as np
import pytest
from cubes import cube
from even_light import COLOURS, decode_lab, seen
from hypothesis import given
from hypothesis import strategies as st
from journals import READING

from cube.facelets import SOLVED_FACELETS
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from thistlebot.cli.demo import Shortening
from thistlebot.journal.run_times import RunTimes
from thistlebot.output import wrapped
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.light_watch import LightWatch
from thistlebot.terminal.progress_listener import print_times, time_bar
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.table_progress import TableProgress
from vision.colours.profile import ColourProfile


def test_the_stages_come_first_and_each_answer_is_shorter_than_the_one_before(
    cache_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = cube(1)
    solving = Solving(cache_folder, Approach(budget_ms=200.0), default_rig())
    assert solving.wait(600)
    found = Shortening(solving, Screen())(state)
    assert state.apply(found.moves) == SOLVED
    told = capsys.readouterr().out.splitlines()
    stages, *shorter = [int(re.split(r"\s+", line)[1]) for line in told]
    assert stages == len(solving.staged(state).moves)
    assert stages > shorter[0]
    assert shorter == sorted(set(shorter), reverse=True)
    assert shorter[-1] == len(found.moves)
    target = cube(4)
    assert state.apply(Shortening(solving, Screen())(state, target).moves) == target
    assert not capsys.readouterr().out.startswith("stages")  # there are none to a pattern


times = st.builds(RunTimes, *[st.floats(0.0, 100.0)] * 8)


@given(times, st.integers(1, 100))
def test_the_bar_is_to_scale(times: RunTimes, width: int) -> None:
    bar = time_bar(times, width).plain
    assert len(bar) == (width if times.total_s else 0)
    for letter, time_s in (("T", times.turn_s), ("s", times.solve_s), ("w", times.rest_s)):
        if times.total_s:
            assert abs(bar.count(letter) - width * time_s / times.total_s) <= 1.0


def test_the_parts_are_told_without_colour(capsys: pytest.CaptureFixture[str]) -> None:
    print_times(
        Screen(), RunTimes(0.1, 0.05, 0.1, 1.0, look_again_s=0.1, read_again_s=0.05, between_s=0.1)
    )
    said, bar = capsys.readouterr().out.splitlines()
    times = re.findall(r"\d+\.\d+", said)
    assert times == ["1.50", "0.10", "0.05", "0.10", "1.00", "0.10", "0.05", "0.10"]
    assert bar.strip() == "llllrrssss" + 40 * "T" + "llllrr...."


@pytest.mark.parametrize(("line_s", "shares"), [(0.0, ["25", "50"]), (60.0, [])])
def test_without_a_terminal_lines_on_stderr_tell_the_share(
    line_s: float, shares: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with TableProgress(Screen(), "building", line_s=line_s) as progress:
        for share in (0.0, 0.25, 0.5):
            progress(share)
    out, err = capsys.readouterr()
    first, *later = err.splitlines()
    assert (out, first) == ("", "building")
    assert [re.findall(r"\b(\d+) %", line) for line in later] == [[share] for share in shares]


WORDS = st.lists(st.text("abc'2-", min_size=1, max_size=50), min_size=1, max_size=40)


@given(WORDS, st.sampled_from(["", "reading   ", "  "]), st.integers(60, 200))
def test_lines_break_between_words_and_continue_below_the_text(
    words: list[str], label: str, width: int
) -> None:
    text = label + " ".join(words)
    lines = wrapped(text, width).split("\n")
    assert " ".join(lines).split() == text.split()
    assert all(len(line) <= width for line in lines)
    assert all(line.startswith(" " * len(label)) for line in lines[1:])


def test_a_profile_with_spaces_in_its_name_can_be_pasted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    darker = {face: tuple(lab - (30, 0, 0)) for face, lab in zip(FACES, COLOURS, strict=True)}
    name = "office (virtual)"
    profile = ColourProfile(name=name, created="2026", scheme=WESTERN_SCHEME, colours=darker)
    reading = decode_lab(seen(SOLVED_FACELETS, np.random.default_rng(1)))
    LightWatch(profile, None, Screen(), (), learn=False).compare(reading)
    told = " ".join(capsys.readouterr().err.split())
    assert name in shlex.split(told.split("`")[1])


def test_colours_in_mirrored_order_are_worth_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    mirrored = WESTERN_SCHEME | {"R": WESTERN_SCHEME["L"], "L": WESTERN_SCHEME["R"]}
    for scheme, asks in ((WESTERN_SCHEME, False), (mirrored, True), ({}, False)):
        Screen().reading(msgspec.structs.replace(READING, scheme=scheme))
        assert bool(capsys.readouterr().err) == asks
