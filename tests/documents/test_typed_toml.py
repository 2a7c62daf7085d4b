"""Settings files: what is written is read back, and every mistake is named with its place."""

import os
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.errors import ConfigError, MissingDocumentError
from documents.typed_toml import format_path, load_document, parse_document, save_document
from robot.rigs.face_motors.mechanism import FaceMotors
from vision.geometry.view import View
from vision.virtual.viewpoints import default_views


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    steps: int
    rate: float = 1.5

    def __post_init__(self):
        if self.steps <= 0:
            raise ValueError(f"steps is {self.steps}; it has to be above 0")


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    parts: dict[str, Part] = {}
    cameras: tuple[Part, ...] = ()
    port: str | None = None
    corner: tuple[int, float] = (1, 2.0)
    choice: Part | None = None

    def __post_init__(self):
        for key, part in self.parts.items():
            if part.steps == 13:
                raise ValueError(f"parts.{key}.steps is 13; choose a luckier number")


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=8)
PARTS = st.builds(Part, st.integers(14, 10**6), st.floats(allow_nan=False, allow_infinity=False))
MACHINES = st.builds(
    Machine,
    NAMES,
    st.dictionaries(NAMES, PARTS, max_size=3),
    st.lists(PARTS, max_size=3).map(tuple),
    st.none() | NAMES,
    choice=st.none() | PARTS,
)


@given(MACHINES)
def test_what_is_saved_is_loaded_again(tmp_path_factory, machine):
    path = tmp_path_factory.mktemp("documents", numbered=True) / "machine.toml"
    save_document(path, machine)
    assert load_document(path, Machine) == machine


def test_the_default_views_go_through_a_file(tmp_path):
    for number, view in enumerate(default_views()):
        path = tmp_path / "new folder" / f"view-{number}.toml"
        save_document(path, view)
        assert load_document(path, View) == view
        assert path.read_text().count("[[facelet]]") == len(view.facelet)


GOOD = """\
name = "rig"

[parts.U]
steps = 200

[parts."a b"]
steps = 400
rate = 2.0

[[cameras]]
steps = 1
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "text"),
    [
        ("steps = 400", 'steps = "400"', 7, "parts.a b.steps", "Expected `int`, got `str`"),
        ("steps = 400", "steps = 0", 7, "parts.a b.steps", "steps is 0"),
        ("steps = 200", "steps = 13", 4, "parts.U.steps", "luckier"),
        ("steps = 400", "step = 400", 7, "parts.a b.step", "unknown key; did you mean `steps`?"),
        ("steps = 1", "zzz = 1", 11, "cameras[0].zzz", "unknown key; known here: steps, rate"),
        ("steps = 200", "", 3, "parts.U", "the key `steps` is missing"),
        ('name = "rig"', "naem = 1", 1, "naem", "did you mean `name`?"),
        ('name = "rig"', 'name = "rig"\ncorner = [1]', 2, "corner", "length 2"),
        ('name = "rig"', 'name = "rig"\ncorner = [1,\n"x"]', 3, "corner[1]", "Expected `float`"),
        ('name = "rig"', 'name = "rig"\nchoice = {step = 1}', 2, "choice.step", "`steps`"),
    ],
)
def test_mistakes_are_named_with_file_line_and_key(tmp_path, *, old, new, line, key, text):
    path = tmp_path / "rig.toml"
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(ConfigError) as caught:
        load_document(path, Machine)
    assert str(caught.value).startswith(f"{path}, line {line}, {key}: ")
    assert text in str(caught.value)


class Deep(msgspec.Struct):
    places: dict[str, dict[str, Part]]


def test_a_mistake_below_two_free_keys_is_named_with_both():
    text = '[places.U1.R]\nsteps = 1\n[places.U2.R]\nsteps = 2\n[places.U2.F]\nsteps = "x"\n'
    with pytest.raises(ConfigError, match=r"^f.toml, line 6, places.U2.F.steps: Expected `int`"):
        parse_document(text, Deep, "f.toml")


def test_keys_of_other_tables_are_not_among_the_known_ones():
    with pytest.raises(ConfigError, match=r"parts.U.zzz: unknown key; known here: steps, rate$"):
        parse_document(GOOD.replace("steps = 200", "zzz = 200"), Machine, "f.toml")


@pytest.mark.parametrize(
    ("text", "end"),
    [("a = 1\nb == 2\n", ", in `b == 2`"), ('a = [1, "x",\n', ", line 2: Invalid value")],
)
def test_the_line_that_is_no_toml_is_shown_unless_it_is_empty(text, end):
    with pytest.raises(ConfigError) as caught:
        parse_document(text, Machine, "f.toml")
    assert ("in `" in str(caught.value)) == ("in `" in end)
    assert end in str(caught.value)


class Wordy(msgspec.Struct):
    one: int

    def __post_init__(self) -> None:
        raise ValueError("whatever stands in one is wrong")


def test_a_plain_word_in_the_middle_of_a_sentence_is_no_key():
    with pytest.raises(ConfigError, match=r"^f.toml: whatever stands in one is wrong$"):
        parse_document("one = 1", Wordy, "f.toml")


def test_a_missing_key_of_the_whole_document_has_no_line():
    with pytest.raises(ConfigError, match=r"^rig.toml: the key `name` is missing; add it$"):
        parse_document("", Machine, "rig.toml")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('name = "rig\nx = 1', "line 1"),
        ("name = \n", "line 1"),
        ("a = 1\nb == 2\n", "line 2, column 4"),
        ("a = 1\na = 2\n", "line 2"),
        ("[x\n", "line 1"),
        ("a = [1,\n2", "line 2"),
    ],
)
def test_text_that_is_no_toml_is_named_with_its_line(text, place):
    with pytest.raises(ConfigError, match="^rig.toml, " + re.escape(place[:6])) as caught:
        parse_document(text, Machine, "rig.toml")
    assert place.split(",")[0] in str(caught.value)


@pytest.mark.parametrize("deep", ["[", "{a="])
def test_toml_nested_without_end_is_refused(deep):
    shallow = {"[": "[" * 90 + "]" * 90, "{a=": "{a=" * 90 + "1" + "}" * 90}[deep]
    with pytest.raises(ConfigError, match=r"rig.toml, line 2, x: unknown key"):
        parse_document(f"name = 'a'\nx = {shallow}", Machine, "rig.toml")
    with pytest.raises(ConfigError, match=r"rig.toml.* too deep"):
        parse_document(f"name = 'a'\nx = {deep * 50_000}", Machine, "rig.toml")


def test_the_words_that_may_stand_there_are_named():
    with pytest.raises(ConfigError, match=r"line 1, enable_active: .*'hi'; .* \"high\", \"low\""):
        parse_document("enable_active = 'hi'", FaceMotors, "rig.toml")


def test_a_table_is_named_with_its_own_line():
    text = "name = 'a'\n[motors.U]\nchannel = 0\n[motors.X]\nchannel = 1\n"
    with pytest.raises(ConfigError, match=r"line 4, motors.X: motors.X is no face"):
        parse_document(text, FaceMotors, "rig.toml")


def test_errors_of_the_view_carry_the_place_in_the_file():
    text = (
        "image_size = [64, 48]\n[[facelet]]\nname = 'U1'\n"
        "polygons = [[[1, 1], [9, 1], [9, 9], [1, 99]]]\n"
    )
    with pytest.raises(ConfigError, match=r"view.toml, line 2, facelet: facelet U1 has a corner"):
        parse_document(text, View, "view.toml")
    with pytest.raises(ConfigError, match=r"line 2, facelet\[0\]: 'X1' is no facelet"):
        parse_document(text.replace("U1", "X1").replace("99", "9"), View, "view.toml")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(MissingDocumentError, match=r"gone.toml does not exist"):
        load_document(tmp_path / "gone.toml", Machine)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_document(tmp_path, Machine)
    latin = tmp_path / "latin.toml"
    latin.write_bytes('name = "a"\nport = "Füße"\n'.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"latin.toml, line 2: not UTF-8"):
        load_document(latin, Machine)


def test_windows_line_ends_keep_their_lines(tmp_path):
    path = tmp_path / "rig.toml"
    path.write_bytes(GOOD.replace("steps = 400", "steps = 1.5").replace("\n", "\r\n").encode())
    with pytest.raises(ConfigError, match=r"line 7, parts.a b.steps"):
        load_document(path, Machine)


def test_the_mark_that_windows_editors_put_first_is_no_key(tmp_path):
    path = tmp_path / "rig.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert load_document(path, Machine) == parse_document(GOOD, Machine, "rig.toml")


@pytest.mark.skipif(os.name != "posix", reason="permission bits")
def test_others_may_read_what_was_saved(tmp_path):
    save_document(tmp_path / "rig.toml", Machine("x"))
    assert (tmp_path / "rig.toml").stat().st_mode & 0o777 == 0o644


def test_paths_are_written_as_people_do():
    assert format_path(("a", 3, "b", "c")) == "a[3].b.c"
