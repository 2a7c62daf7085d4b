"""A board that answers wrongly: the program ends in time, with the truth, and the board stops."""

import itertools
import math
import random
from functools import cache

import pytest
from wrong_answers import ANSWERS, HUNG_S, PLACES, Hung, WrongPort

from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from robot.errors import AbortedError
from robot.rigs.catalogue import named_rig
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver

PROGRAMS = {
    "short": ("six", "R U F2"),
    "long": ("six", " ".join(["R U2 F' L D2 B"] * 25)),
    "pairs": ("six", " ".join(["R L' U D2 F2 B"] * 6)),
    "claws": ("claws", "R U F2 L'"),
}
"""A rig and its moves."""
BEGINS_S = 0.5
"""Time after the program's end in which a step may still begin."""
WATCHED_S = 30.0
STOP_AFTER_S = 0.3


@cache
def planned(name: str) -> tuple[Mechanism, RigProgram]:
    rig_name, moves = PROGRAMS[name]
    rig = named_rig(rig_name)
    return rig, rig.plan(MoveSequence.parse(moves))


def play(answer: str, place: str, duration_s: float, name: str, *, stops: bool = False) -> str:
    """Run a program whose board answers wrongly; it must end in time and tell the truth.

    Args:
        answer: Key of ANSWERS.
        place: One of PLACES.
        duration_s: How long the answers are wrong.
        name: Key of PROGRAMS.
        stops: Whether the user asks to stop.

    Returns:
        How the program ended: "done", or the error.
    """
    rig, program = planned(name)
    port = WrongPort(rig, ANSWERS[answer], place, duration_s)
    driver = RigDriver(port, rig, port, seed=1)

    def stop_wanted() -> bool:
        since_s = port.half_s if place == "stop" else port.begun_s
        if since_s is None or not (stops or place == "stop"):
            return False
        return port.now_s() > since_s + STOP_AFTER_S * stops

    driver.stop_wanted = stop_wanted
    ended: BaseException | None = None
    try:
        driver.connect()
        driver.prepare()
        port.begin_program(len(program.steps))
        driver.run(program)
    except (ThistlebotError, KeyboardInterrupt, Hung) as error:
        ended = error
    assert not isinstance(ended, Hung)
    assert port.waited_s <= (HUNG_S / 2 if stops else HUNG_S)
    begun = port.watch(BEGINS_S)
    if port.first is not None:
        done = port.done - port.first
        if ended is None:
            assert done == len(program.steps)
        else:
            told = ended.executed if isinstance(ended, AbortedError) else 0
            assert max(driver.executed, told) <= done
    later = port.watch(WATCHED_S)
    assert ended is None or later <= begun
    return "done" if ended is None else type(ended).__name__


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
        ("stops", "middle", math.inf, "long", "AbortedError"),
        ("states MOVING", "greeting", math.inf, "short", "RigError"),
        ("deaf and silent", "middle", math.inf, "long", "ConnectionLostError"),
        ("missing", "middle", math.inf, "claws", "ConnectionLostError"),
    ],
)
def test_wrong_answers_of_a_board_end_the_program_in_time_with_the_board_stopped(
    answer: str, place: str, duration_s: float, program: str, end: str
) -> None:
    assert play(answer, place, duration_s, program) == end


@pytest.mark.exhaustive
def test_no_wrong_answer_makes_a_wrong_claim_or_hangs() -> None:
    """A false count within the clock's tolerance, 12 of 150 steps, cannot be noticed."""
    answers = [answer for answer in ANSWERS if answer != "executed ahead by 12"]
    every = list(itertools.product(answers, PLACES, (0.03, 0.5, 3.0, math.inf), PROGRAMS))
    for number, case in enumerate(random.Random(5).sample(every, 600)):
        play(*case, stops=number % 3 == 0)


@pytest.mark.parametrize("answer", ["accepts nothing", "refuses all, NO_CREDIT", "states MOVING"])
def test_a_request_to_stop_ends_every_wait(answer: str) -> None:
    assert play(answer, "greeting", math.inf, "short", stops=True) == "KeyboardInterrupt"
