"""A board that answers wrongly: the program ends in time, with the truth, and the board stops."""

import itertools
import math
import random

import pytest
from wrong_answers import ANSWERS, HUNG_S, PLACES
from wrong_cases import PROGRAMS, WrongCase, play_wrong


@pytest.mark.parametrize(
    ("answer", "place", "duration_s", "program", "end"),
    [
        ("refuses steps, OUT_OF_RANGE", "middle", math.inf, "long", "RigError"),
        ("refuses steps, BUSY", "middle", math.inf, "long", "RigError"),
        ("refuses all, NO_CREDIT", "settings", math.inf, "short", "NoAnswerError"),
        ("refuses all, WRONG_NUMBER", "enable", math.inf, "short", "NoAnswerError"),
        ("refuses steps, WRONG_NUMBER", "begin", math.inf, "pairs", "StandstillError"),
        ("accepts nothing", "greeting", math.inf, "claws", "NoAnswerError"),
        ("counters at 0", "middle", 0.5, "long", "ForeignHostError"),
        ("executed beyond accepted", "middle", 3.0, "long", "ForeignHostError"),
        ("executed ahead by 12", "begin", math.inf, "pairs", "FalseCountError"),
        ("another version", "middle", 0.5, "long", "ProtocolVersionError"),
        ("unknown kind", "middle", 0.5, "long", "ProtocolVersionError"),
        ("another boot id", "middle", 0.5, "long", "BoardResetError"),
        ("stops, HOST_SILENT", "middle", math.inf, "long", "AbortedError"),
        ("states MOVING", "greeting", math.inf, "short", "RigError"),
        ("deaf and silent", "middle", math.inf, "long", "ConnectionLostError"),
        ("missing", "middle", math.inf, "claws", "ConnectionLostError"),
    ],
)
def test_wrong_answers_of_a_board_end_the_program_in_time_with_the_board_stopped(
    answer: str, place: str, duration_s: float, program: str, end: str
) -> None:
    row = play_wrong(WrongCase(answer, place, duration_s, program))
    assert (row.end, row.late, row.wrong) == (end, 0, "")
    assert row.waited_s <= HUNG_S


@pytest.mark.exhaustive
def test_no_wrong_answer_makes_a_wrong_claim_or_hangs() -> None:
    """A false count within the clock's tolerance, 12 of 150 steps, cannot be noticed."""
    answers = [answer for answer in ANSWERS if answer != "executed ahead by 12"]
    every = list(itertools.product(answers, PLACES, (0.03, 0.5, 3.0, math.inf), PROGRAMS))
    for number, case in enumerate(random.Random(5).sample(every, 600)):
        found = play_wrong(WrongCase(*case, stops=number % 3 == 0))
        assert (found.end == "Hung", found.late, found.wrong) == (False, 0, ""), case
        assert found.waited_s <= HUNG_S, case


@pytest.mark.parametrize("answer", ["accepts nothing", "refuses all, NO_CREDIT", "states MOVING"])
def test_a_request_to_stop_ends_every_wait(answer: str) -> None:
    row = play_wrong(WrongCase(answer, "greeting", math.inf, "short", stops=True))
    assert row.end == "KeyboardInterrupt"
    assert row.waited_s < HUNG_S / 2
