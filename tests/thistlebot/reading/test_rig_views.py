"""What a rig's cameras do not see is said beforehand, and what a person corrects."""

import json
import re
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from cubes import cube
from even_light import LABS, TRUTH, decode_lab, seen
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.facelets import facelet_index, facelet_name
from cube.moves import FACES
from cube.random_states import random_state
from documents.typed_toml import document_text
from robot.rigs.catalogue import default_rig_text
from run_thistlebot import thistlebot
from thistlebot.errors import MisreadError
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.corrections import Corrections
from thistlebot.reading.refusal import refusal
from thistlebot.reading.rig_views import never_sure, unseen_stickers, unseen_text
from vision.geometry.view import View
from vision.reading import MistakeKind, ReadingState
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera

UPPER, LOWER = default_views()


def without(view: View, *names: str) -> View:
    return msgspec.structs.replace(
        view, facelet=tuple(entry for entry in view.facelet if entry.name not in names)
    )


PARTLY = without(LOWER, "B1", "B2", "B3")
EDGES_ONLY = without(UPPER, *(f"{face}{cell}" for face in "URF" for cell in (1, 3, 7, 9)))


def rig_file(folder: Path, *views: View) -> Path:
    text = default_rig_text()
    text = text[: text.index("[[cameras]]")]
    for number, view in enumerate(views):
        (folder / f"{number}.toml").write_text(document_text(view))
        text += f'[[cameras]]\nname = "c{number}"\ndevice = "no{number}"\nview = "{number}.toml"\n'
    file = folder / "rig.toml"
    file.write_text(text)
    return file


def test_what_no_camera_sees_is_named() -> None:
    nameless = msgspec.structs.replace(LOWER, centres={})
    for views, unseen, told, never in (
        ((UPPER, LOWER), (), "", False),
        ((UPPER, nameless), ("D5", "L5", "B5"), "D5 L5 B5", False),
        ((UPPER, PARTLY), ("B1", "B2", "B3"), "B1 B2 B3", False),
        ((UPPER,), None, "D, L, B", True),
    ):
        found = unseen_stickers(views)
        assert unseen in (found, None)
        assert told in unseen_text(found)
        assert bool(unseen_text(found)) == bool(found)
        assert never_sure(found) == never
    assert "--scheme" in unseen_text(("D5",))
    assert unseen_stickers((UPPER, nameless), dict.fromkeys("URFDLB", "")) == ()


def test_what_no_reading_can_tell_is_known_beforehand() -> None:
    for hidden, never in (
        ("B1 B2 B3", False),
        ("U9 R1 F3 U8 F2", False),
        ("U9 R1 F3 U7 L3 F1", True),
        ("U8 F2 U6 R2", True),
    ):
        names = hidden.split()
        assert never_sure(names) is never
        rng = np.random.default_rng(4)
        truth = random_state(rng).to_facelets()
        labs = seen(truth, rng)
        labs[[facelet_index(name) for name in names]] = np.nan
        reading = decode_lab(labs, by_hand=False)
        assert set(reading.unseen) == set(names)
        if never:
            assert not reading.accepted
            assert isinstance(refusal(reading), MisreadError)
        else:
            assert (reading.state, reading.best) == (ReadingState.REPAIRED, truth)
            assert {facelet_name(repair.facelet) for repair in reading.repairs} == set(names)


def test_what_the_cameras_of_a_rig_do_not_see_is_told_before_one_is_opened(tmp_path: Path) -> None:
    usage, no_device = ExitCode.USAGE, ExitCode.NO_DEVICE
    for views, line, code, said in (
        ((EDGES_ONLY,), "scan", usage, "D, L, B"),
        ((EDGES_ONLY,), "solve --scramble R", usage, "D, L, B"),
        ((UPPER,), "solve --dry-run", no_device, "no0"),
        ((UPPER, PARTLY), "scan", no_device, "B1 B2 B3.* no0"),
    ):
        run = thistlebot(*line.split(), "--rig", rig_file(tmp_path, *views))
        assert (run.exit_code, line) == (code, line), run.stderr
        assert re.search(said, " ".join(run.stderr.split()))


def test_pictures_of_fixed_cameras_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    state = cube(6)
    arguments: list[object] = ["scan"]
    for name, view in zip(CORNER_CAMERAS, (UPPER, PARTLY), strict=True):
        with VirtualCamera(lambda: state, corner_viewpoint(name)) as camera:
            cv2.imwrite(str(tmp_path / f"{name}.png"), camera.read().image)
        (tmp_path / f"{name}.toml").write_text(document_text(view))
        arguments += ["--frame", tmp_path / f"{name}.png", "--view", tmp_path / f"{name}.toml"]
    run = thistlebot(*arguments)
    assert run.exit_code == ExitCode.DONE, run.output
    assert "B1 B2 B3" in " ".join(run.stderr.split())
    assert "B1 B2 B3" in run.stdout
    assert json.loads(thistlebot(*arguments, "--json").stdout)["unseen"] == ["B1", "B2", "B3"]
    run = thistlebot(*arguments[:5])
    assert run.exit_code == ExitCode.MISREAD
    assert "D, L, B" in run.stdout


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


def test_faces_that_were_exchanged_are_put_right_by_one_button() -> None:
    order = [0, 2, 1, 3, 4, 5]
    labs = LABS.reshape(6, 9, 3)[order].reshape(54, 3)
    scheme = dict(SURE.scheme)
    current = Corrections.of(decode_lab(labs, scheme=scheme), scheme=scheme)
    assert not current.accepted
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
