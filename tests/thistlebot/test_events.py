"""The events of a session are JSON as they stand: what any front end may count on."""

import json

import msgspec
import pytest
from journals import READING, SOLUTION

from cube.errors import ThistlebotError
from cube.pieces import Problem
from robot.errors import AbortedError
from thistlebot import events
from thistlebot.errors import MisreadError, StoppedError, UnsolvableCubeError
from thistlebot.events import Ended, Event, Phase, Planned, decode, encode
from thistlebot.exit_codes import error_record
from thistlebot.output import printable
from thistlebot.records import DeviationRecord, MistakeRecord, RepairRecord, to_line

DOUBTED = msgspec.structs.replace(
    READING,
    accepted=False,
    facelets=None,
    problems=(Problem("parity", ("URF",), "two corners are exchanged"),),
    repairs=(RepairRecord("U3", None, "U", "U3 was not seen"),),
    mistake=MistakeRecord("turned", ("U",), (2,), "the picture of U is upside down", None),
)
DEVIATION = DeviationRecord(3, 2, "R2", ("motor R",), "dropped")
ERRORS = (
    StoppedError("stopped"),
    MisreadError("show U again", ("U",)),
    UnsolvableCubeError("no turns solve it", DOUBTED.problems),
    AbortedError("it stalled", 3, "stall", ("motor R",)),
)
EVENTS: tuple[Event, ...] = (
    events.Entered(Phase.SCAN),
    events.Read(0, READING),
    Planned(SOLUTION),
    events.Looked(2, 6),
    events.Turned(3, 19),
    events.Continued(3, 19),
    events.Executed(19, 0.93),
    events.Checking(events.Check.REST),
    events.Verified(1, DOUBTED, solved=True, reached=True),
    events.Followed(1.25),
    events.Followed(None),
    events.Diagnosed("turn 3 of 9, …", (DEVIATION,), "none", 1, ("motor R",)),
    *(Ended(error_record(error)) for error in ERRORS),
)
FIRST_JOURNALS = (
    """{"event":"ended","error":{"type":"AbortedError","text":"gone","exit_code":7,"moon":1}}""",
    """{"event":"planned","solution":{"facelets":"…","moves":"R","htm":1,"qtm":1,"axial_htm":1,
    "axial_qtm":1,"time_s":0.1,"stages":[],"cpu_ms":3.1,"five_stages":[]}}""",
)


def test_an_event_and_the_class_of_an_error_survive_the_way_through_json() -> None:
    for event in EVENTS:
        assert decode(encode(event)) == event
        assert decode(json.dumps(json.loads(encode(event)))) == event
    for error in ERRORS:
        ended = decode(encode(Ended(error_record(error))))
        assert isinstance(ended, Ended)
        assert ended.error.kind is type(error)
    unknown = msgspec.structs.replace(error_record(ERRORS[0]), name="MoonError")
    assert unknown.kind is ThistlebotError


def test_events_of_earlier_versions_are_read() -> None:
    """They lack what was not told yet, and a later version's words are passed over."""
    ended, plan = map(decode, FIRST_JOURNALS)
    assert isinstance(ended, Ended)
    assert (ended.error.kind, ended.error.parts) == (AbortedError, None)
    assert isinstance(plan, Planned)
    assert (plan.solution.steps, plan.solution.target) == (None, "")


def test_what_is_no_event_is_refused() -> None:
    for line in ('{"event": "sung"}', '{"event": "turned", "done": "three", "total": 4}', "[]"):
        with pytest.raises(msgspec.ValidationError):
            decode(line)


def test_records_do_not_control_a_terminal() -> None:
    text = "\x00\x1b[2J\x7f\x9b\u061c\u200e\u200f\u2028\u202e\u2066 änd 🤖"
    line = to_line({"text": text})
    assert printable(line) == line
    assert msgspec.json.decode(line)["text"] == text
