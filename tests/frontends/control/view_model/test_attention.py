"""What a person is told instead of an error."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from even_light import LABS, TRUTH, decode_lab

from cube.laws import examine
from cube.state import SOLVED
from frontends.control.view_model.attention import (
    Attention,
    AttentionAction,
    AttentionKind,
    concluded,
    noticed,
    of_light,
    of_reading,
    said,
)
from robot.errors import AbortedError, EmergencyStopError, PortMissingError
from thistlebot.errors import (
    MisreadError,
    NotVerifiedError,
    StoppedError,
    UnsolvableCubeError,
    UsageError,
)
from thistlebot.events import Diagnosed, Looked, Read, Verified
from thistlebot.exit_codes import error_record
from thistlebot.reading.refusal import misread_text, refusal
from thistlebot.records import full_reading_record
from thistlebot.words.words import languages, load_words
from vision.decoding.acceptance import confirm
from vision.errors import EndOfVideoError
from vision.reading import CubeReading


def reading_of(places: Sequence[int], sources: Sequence[int]) -> CubeReading:
    """A cube whose places show what lies elsewhere; the 54th place is seen by nobody."""
    labs = LABS.copy()
    labs[list(places)] = np.vstack([LABS, [np.nan] * 3])[list(sources)]
    return decode_lab(labs)


F, R = range(18, 27), range(9, 18)
HIDDEN = [place for place in range(18) if place != 4]
EXCHANGED = ([*R, *F], [*F, *R])
TURNED = (F, np.rot90(np.reshape(F, (3, 3))).ravel())
DOUBLED = (R, F)
UNSEEN = (HIDDEN, [54] * 17)
TWISTED = ([8, 9, 20], [9, 20, 8])
FLIPPED = ([5, 10], [10, 5])


@pytest.mark.parametrize(
    ("exchange", "kind", "first"),
    [
        (EXCHANGED, AttentionKind.EXCHANGED, AttentionAction.TAKE_INSTEAD),
        (TURNED, AttentionKind.TURNED, AttentionAction.TAKE_INSTEAD),
        (DOUBLED, AttentionKind.DOUBLED, AttentionAction.LOOK_AGAIN),
        (UNSEEN, AttentionKind.REREAD, AttentionAction.LOOK_AGAIN),
        (TWISTED, AttentionKind.TWISTED, AttentionAction.LOOK_AGAIN),
        (FLIPPED, AttentionKind.FLIPPED, AttentionAction.LOOK_AGAIN),
    ],
)
def test_a_reading_in_doubt_says_why_and_what_to_do(
    exchange: tuple[Sequence[int], Sequence[int]], kind: AttentionKind, first: AttentionAction
) -> None:
    reading = reading_of(*exchange)
    if wrongly := kind in (AttentionKind.TWISTED, AttentionKind.FLIPPED):
        reading = confirm(reading, reading)  # a second reading agrees
    read = Read(3, full_reading_record(reading))
    told = concluded(noticed(None, read), error_record(refusal(reading)))
    assert (told.kind, told.look) == (kind, 3)
    assert first in (told.actions if wrongly else told.actions[:1])
    if not wrongly:
        assert 0 < len(told.faces) == len(told.colours)
        assert AttentionAction.CORRECT in told.actions
        assert told.text == misread_text(reading)


def test_a_reading_that_is_trusted_asks_for_nobody_and_an_error_of_a_link_blames_no_cube() -> None:
    record = full_reading_record(decode_lab(LABS))
    assert of_reading(record, 0) is None
    doubtful = noticed(None, Read(0, full_reading_record(reading_of(*UNSEEN))))
    assert doubtful is not None
    assert noticed(doubtful, Read(1, record)) is None
    assert noticed(doubtful, Verified(1, record, solved=True, reached=True)) is None
    assert noticed(doubtful, Looked(1, 2)) == doubtful
    assert concluded(doubtful, error_record(PortMissingError("gone"))).kind is AttentionKind.LINK


def test_a_cube_that_was_typed_wrongly_is_told_by_the_error_alone() -> None:
    text = SOLVED.to_facelets().text
    flipped = text[:5] + text[10] + text[6:10] + text[5] + text[11:]
    problems = examine(type(TRUTH)(flipped)).problems
    told = concluded(None, error_record(UnsolvableCubeError("an edge is flipped", problems)))
    assert (told.kind, told.text) == (AttentionKind.FLIPPED, "an edge is flipped")
    assert told.parts == problems[0].pieces


def test_what_slipped_is_named() -> None:
    record = full_reading_record(decode_lab(LABS))
    told = noticed(None, Verified(2, record, solved=False, reached=False))
    assert (told.kind, told.parts) == (AttentionKind.SLIPPED, ())
    told = noticed(told, Diagnosed("R was turned short", (), "none", 1, ("motor R",)))
    assert told is not None
    last = concluded(told, error_record(NotVerifiedError("the cube is not solved")))
    found = (last.kind, last.faces, last.parts, last.look)
    assert found == (AttentionKind.SLIPPED, ("R",), ("R",), 2)


def test_each_error_has_a_kind_and_so_has_the_light() -> None:
    for error, kind, parts in (
        (AbortedError("stalled", 3, "stall", ("face R",)), AttentionKind.STALLED, ("R",)),
        (AbortedError("pressed", 3, "estop"), AttentionKind.EMERGENCY_STOP, ()),
        (AbortedError("silent", 3, "host_silent"), AttentionKind.OTHER, ()),
        (EmergencyStopError("pressed"), AttentionKind.EMERGENCY_STOP, ()),
        (PortMissingError("gone"), AttentionKind.LINK, ()),
        (EndOfVideoError("ended"), AttentionKind.CAMERA, ()),
        (StoppedError("stopped"), AttentionKind.STOPPED, ()),
        (NotVerifiedError("not seen"), AttentionKind.SLIPPED, ()),
        (MisreadError("again", ("U",)), AttentionKind.REREAD, ()),
        (UsageError("no"), AttentionKind.OTHER, ()),
    ):
        told = concluded(None, error_record(error))
        assert (told.kind, told.parts, told.text) == (kind, parts, str(error))
        assert told.actions
    told = of_light("desk", 12.3)
    assert (told.kind, told.parts) == (AttentionKind.LIGHT, ("desk",))
    assert told.actions[0] is AttentionAction.PROCEED
    assert "12" in told.text


def test_all_is_said_in_every_language() -> None:
    assert all(f"attention.{action}" in load_words("en").texts for action in AttentionAction)
    wrong = []
    for kind in AttentionKind:
        full = Attention(kind, ("R", "F"), ("red", "green"), ("URF",))
        assert msgspec.json.decode(msgspec.json.encode(full), type=Attention) == full
        for words in map(load_words, languages()):
            texts = [said(told, words) for told in (full, Attention(kind))]
            wrong += [(kind, words.language) for text in texts if not text or "{" in text]
    assert not wrong
