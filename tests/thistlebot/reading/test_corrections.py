"""A person corrects a reading: what it becomes, what that changes, and how it is taken back."""

import numpy as np
import pytest
from even_light import decode_lab, seen
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.facelets import facelet_name
from cube.moves import FACES
from cube.random_states import random_state
from thistlebot.reading.corrections import Corrections
from vision.errors import VisionError
from vision.reading import MistakeKind

TRUTH = random_state(np.random.default_rng(1)).to_facelets()
LABS = seen(TRUTH, np.random.default_rng(1))
SURE = decode_lab(LABS)
# One face and a half were not seen, so that there is something to say.
HIDDEN = np.where((np.arange(54) < 18)[:, None] & (np.arange(54) % 9 != 4)[:, None], np.nan, LABS)
DOUBTFUL = decode_lab(HIDDEN)

THINGS = st.one_of(
    st.tuples(st.just("turn"), st.sampled_from(FACES), st.integers(1, 3)),
    st.tuples(st.just("exchange"), st.sampled_from(FACES), st.sampled_from(FACES)).filter(
        lambda each: each[1] != each[2]
    ),
    st.tuples(
        st.just("tell"),
        st.integers(0, 53).filter(lambda place: place % 9 != 4).map(facelet_name),
        st.sampled_from(FACES),
    ),
)


def apply(corrections: Corrections, thing: tuple) -> Corrections:
    name, *values = thing
    return getattr(corrections, name)(*values)


def difference(one: Corrections, other: Corrections) -> list[tuple[str, str, str]]:
    pairs = enumerate(zip(one.reading.best.text, other.reading.best.text, strict=True))
    return [(facelet_name(i), a, b) for i, (a, b) in pairs if a != b]


@settings(max_examples=10)
@given(things=st.lists(THINGS, min_size=1, max_size=3))
def test_what_is_said_and_taken_back_leaves_all_as_it_was(things: list[tuple]) -> None:
    begun = Corrections.of(DOUBTFUL)
    stages = [begun]
    for thing in things:
        stages.append(apply(stages[-1], thing))
        changed = [(each.facelet, each.before, each.after) for each in stages[-1].changes]
        assert changed == difference(stages[-2], stages[-1])
    current = stages[-1]
    assert current.forget().reading == begun.reading
    assert [(each.facelet, each.before, each.after) for each in current.forget().changes] == (
        difference(current, begun)
    )
    for stage in reversed(stages[:-1]):
        current = current.undo()
        for part in ("reading", "said", "earlier"):
            assert getattr(current, part) == getattr(stage, part)
    assert current.undo() == current
    assert not current.told


def test_a_told_sticker_settles_others_that_follow_from_it() -> None:
    """What was told is marked; what the legal set makes of it is marked as inferred."""
    current = Corrections.of(DOUBTFUL)
    assert not current.accepted
    inferred = 0
    for place in range(18):
        if place % 9 != 4 and not current.accepted:
            name, letter = facelet_name(place), TRUTH.text[place]
            current = current.tell(name, letter)
            assert current.told[name] == letter
            assert current.reading.best.text[place] == letter
            assert all(each.told == (each.facelet in current.told) for each in current.changes)
            inferred += sum(not each.told for each in current.changes)
    assert current.accepted
    assert current.reading.facelets == TRUTH
    assert inferred > 0
    assert len(current.told) < 16


def test_faces_that_were_exchanged_are_put_right_by_one_button() -> None:
    order = [0, 2, 1, 3, 4, 5]
    labs = LABS.reshape(6, 9, 3)[order].reshape(54, 3)
    scheme = dict(SURE.scheme)
    current = Corrections.of(decode_lab(labs, scheme=scheme), scheme=scheme)
    assert not current.accepted
    assert current.reading.mistake is not None
    assert current.reading.mistake.kind is MistakeKind.EXCHANGED
    taken = current.accept_instead()
    assert taken.accepted
    assert taken.reading.facelets == TRUTH
    assert taken.said == current.said.exchanging("R", "F")
    assert taken.accept_instead() == taken
    assert taken.undo().reading == current.reading
    assert current.exchange("R", "F").reading.facelets == TRUTH


def test_a_cube_that_is_as_shown_is_confirmed_unless_no_turns_solve_it() -> None:
    assert Corrections.of(SURE).confirm().reading.facelets == TRUTH
    twisted = LABS.copy()
    twisted[[8, 9, 20]] = LABS[[9, 20, 8]]
    with pytest.raises(InvalidCubeError):
        Corrections.of(decode_lab(twisted)).confirm()


def test_nonsense_is_refused_and_changes_nothing() -> None:
    current = Corrections.of(DOUBTFUL)
    for nonsense in (("tell", "U1", "X"), ("turn", "Q", 1), ("exchange", "U", "U")):
        with pytest.raises(VisionError):
            apply(current, nonsense)
    with pytest.raises(InvalidCubeError):
        current.tell("U10", "R")
