"""The events of a session are JSON as they stand: what any front end may count on."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from thistlebot.events import (
    Check,
    Checking,
    Diagnosed,
    Ended,
    Entered,
    Event,
    Executed,
    GoneOn,
    Looked,
    Phase,
    Planned,
    Read,
    Turned,
    Verified,
    decode,
    encode,
)

EVENTS: tuple[Event, ...] = (
    Entered(Phase.SCAN),
    Read(0, {"accepted": True, "margin": None}),
    Planned({"moves": "R U2", "time_s": 0.25}),
    Looked(2, 6),
    Turned(3, 19),
    GoneOn(3, 19),
    Executed(19, 0.93),
    Checking(Check.REST),
    Verified(1, {"accepted": True}, solved=True, reached=True),
    Diagnosed("turn 3 of 9, …", [{"turn": 3, "by": ["motor R"]}], "none", 1, ["motor R"]),
    Ended({"type": "StoppedError", "text": "stopped", "exit_code": 6}),
)
FORMATS = Path(__file__).resolve().parents[2] / "docs" / "formats.md"


def test_an_event_survives_the_way_through_json() -> None:
    for event in EVENTS:
        assert decode(encode(event)) == event
        assert decode(json.dumps(json.loads(encode(event)))) == event


def test_the_page_of_formats_has_every_event_and_field() -> None:
    text = FORMATS.read_text(encoding="utf-8")
    section = text[text.index("## Events of a session") : text.index("## View file")]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", section, re.MULTILINE))
    assert set(rows) == {json.loads(encode(event))["event"] for event in EVENTS}
    for event in EVENTS:
        record = json.loads(encode(event))
        for field in record.keys() - {"event"}:
            assert f"`{field}`" in rows[record["event"]]


def test_what_is_no_event_is_refused() -> None:
    for line in ('{"event": "sung"}', '{"event": "turned", "done": "three", "total": 4}', "[]"):
        with pytest.raises(msgspec.ValidationError):
            decode(line)
