"""Settings files: what is written is read back, and every mistake is named with its place."""

import os
import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from documents.errors import ConfigError, MissingDocumentError
from documents.typed_toml import load_document, parse_document, save_document
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

    def __post_init__(self):
        for key, part in self.parts.items():
            if part.steps == 13:
                raise ValueError(f"parts.{key}.steps is 13; choose a luckier number")


class Slips(msgspec.Struct):
    name: str
    steps: int = 1
    port: str = ""


class Deep(msgspec.Struct):
    places: dict[str, dict[str, Part]]


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=8)
PARTS = st.builds(Part, st.integers(14, 10**6), st.floats(allow_nan=False, allow_infinity=False))
MACHINES = st.builds(
    Machine,
    NAMES,
    st.dictionaries(NAMES, PARTS, max_size=3),
    st.lists(PARTS, max_size=3).map(tuple),
    st.none() | NAMES,
)


@settings(max_examples=30)
@given(MACHINES)
def test_what_is_saved_is_loaded_again(tmp_path_factory, machine):
    path = tmp_path_factory.mktemp("documents", numbered=True) / "machine.toml"
    save_document(path, machine)
    assert load_document(path, Machine) == machine


def test_the_default_views_go_through_a_file_that_others_may_read(tmp_path):
    for number, view in enumerate(default_views()):
        path = tmp_path / "new folder" / f"view-{number}.toml"
        save_document(path, view)
        assert load_document(path, View) == view
        assert path.read_text().count("[[facelet]]") == len(view.facelet)
        assert os.name != "posix" or path.stat().st_mode & 0o777 == 0o644


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
DEEP = '[places.U1.R]\nsteps = 1\n[places.U2.R]\nsteps = 2\n[places.U2.F]\nsteps = "x"\n'
MOTORS = "name = 'a'\n[motors.U]\nchannel = 0\n[motors.X]\nchannel = 1\n"
VIEW = (
    "image_size = [64, 48]\n[[facelet]]\nname = 'U1'\n"
    "polygons = [[[1, 1], [9, 1], [9, 9], [1, 99]]]\n"
)


def test_mistakes_are_named_with_file_and_key():
    """And with the key that was meant, the keys that are known, or the words that may stand there.

    Two free keys are both named.
    """
    for old, new, place, carries in (
        ("steps = 400", 'steps = "400"', ", parts.a b.steps", "write 400"),
        ("steps = 400", "steps = 0", ", parts.a b", r"\b0\b"),
        ("steps = 200", "steps = 13", "", r"parts\.U\.steps.*13"),
        ("steps = 400", "step = 400", ", parts.a b.step", "`steps`"),
        ("steps = 200", "zzz = 1", ", parts.U.zzz", "(?<!, )steps, rate$"),
        ("steps = 200", "", ", parts.U", "`steps`"),
        ('name = "rig"', "naem = 1", ", naem", "`name`"),
        ('name = "rig"', 'name = "rig"\ncorner = [1,\n"x"]', ", corner[1]", "write a number"),
    ):
        told(GOOD.replace(old, new), Machine, place, carries)
    for text, kind, place, carries in (
        (DEEP, Deep, ", places.U2.F.steps", "a whole number"),
        ("", Machine, "", "`name`"),
        ("enable_active = 'hi'", FaceMotors, ", enable_active", '"high" or "low"'),
        ("stall_input = 3", FaceMotors, ", stall_input", '3 is wrong.*"each"'),
        (MOTORS, FaceMotors, "", r"motors\.X"),
        (VIEW.replace("U1", "X1").replace("99", "9"), View, ", facelet[0]", "'X1'"),
    ):
        told(text, kind, place, carries)


def told(text, kind, place, carries):
    with pytest.raises(ConfigError, match=f"^rig.toml{re.escape(place)}: .*{carries}"):
        parse_document(text, kind, "rig.toml")


def test_text_that_is_no_toml_is_named_with_its_line():
    for text, line in (('name = "rig\nx = 1', 1), ("a = 1\nb == 2\n", 2), ("a = 1\na = 2\n", 2)):
        with pytest.raises(ConfigError, match=rf"^rig\.toml: .*\bline {line}\b"):
            parse_document(text, Machine, "rig.toml")


def test_what_only_a_stranger_writes_is_refused_at_once():
    long, many = "{ " + "a . " * 50_000 + "a = 1 }", "1\n[" + "a.'b'." * 50_000 + "a]"
    for value in ("9" * 5000, long, many, "[" * 50_000, "{a=" * 50_000):
        with pytest.raises(ConfigError, match=r"rig\.toml"):
            parse_document(f"name = 'a'\nx = {value}", Machine, "rig.toml")
    for shallow in ("[" * 90 + "]" * 90, "{a=" * 90 + "1" + "}" * 90):
        told(f"name = 'a'\nx = {shallow}", Machine, ", x", "")


def test_common_slips_are_told_with_what_to_write_instead() -> None:
    for slip, remedy in (
        ("steps = 1,5", "write 1.5"),
        ("steps = 20 ms", "write 20 alone"),
        ('steps = "20 ms"', "write 20, "),
        ("steps = 20,", "without the comma"),
        ("steps = 2.5", "a whole number"),
        ("steps: 20", "write steps = 20"),
        ("steps =", "a value after ="),
        ("steps = True", "write true"),
        ("steps = Off # all", "write false"),
        ("port = “COM3”", "straight quotation marks"),
        ("port = COM3", 'write "COM3"'),
        ('port = "COM3', "closing quotation mark"),
        (r'port = "C:\COM"', "single quotation marks"),
        ("port = 3", "a text in quotation marks"),
        ("steps = 1\nsteps = 2", "twice"),
    ):
        with pytest.raises(ConfigError, match=re.escape(remedy)):
            parse_document(f'name = "a"\n{slip}\n', Slips, "rig.toml")


def test_files_that_cannot_be_read_and_those_of_other_systems(tmp_path):
    with pytest.raises(MissingDocumentError, match=r"gone\.toml"):
        load_document(tmp_path / "gone.toml", Machine)
    with pytest.raises(ConfigError, match=tmp_path.name):
        load_document(tmp_path, Machine)
    path = tmp_path / "rig.toml"
    path.write_bytes('name = "a"\nport = "Füße"\n'.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"rig\.toml, line 2: .*UTF-8"):
        load_document(path, Machine)
    path.write_bytes(GOOD.replace("steps = 400", "steps = 1.5").replace("\n", "\r\n").encode())
    with pytest.raises(ConfigError, match=r"parts.a b.steps"):  # Windows line ends
        load_document(path, Machine)
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())  # the mark that Windows editors put first
    assert load_document(path, Machine) == parse_document(GOOD, Machine, "rig.toml")


@pytest.mark.parametrize("value", ["inf", "-nan", "1e999", "9" * 400, str(2**64)])
def test_numbers_that_no_machine_holds_are_refused(value: str) -> None:
    with pytest.raises(ConfigError):
        parse_document(f"a = {value}", dict, "rig.toml")


def test_a_long_word_takes_no_time() -> None:
    assert parse_document(f"a = '{'x' * 900_000}'", dict, "rig.toml")
    with pytest.raises(ConfigError):
        parse_document(f"{'x' * 900_000}", dict, "rig.toml")
