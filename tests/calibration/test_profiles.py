"""Profiles by name, in a folder of their own."""

from pathlib import Path

import pytest

from calibration.profiles import copy_profile, delete_profile, known_profiles, profile_file
from documents.errors import ConfigError
from documents.typed_toml import load_document, save_document
from thistlebot.config import Folders
from vision.colours.profile import ColourProfile

HALL = ColourProfile(
    name="hall",
    created="2026-11-20",
    scheme=dict(zip("URFDLB", ["white", "red", "green", "yellow", "orange", "blue"], strict=True)),
    colours={face: (10.0 * number, 0.0, 0.0) for number, face in enumerate("URFDLB")},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = Folders.of_platform({"THISTLEBOT_CONFIG_DIR": str(tmp_path / "config")}).profiles
    save_document(profile_file(folder, "hall"), HALL)
    return folder


def test_profiles_are_listed_by_name(folder: Path, tmp_path: Path) -> None:
    listed = [(each.name, each.created) for each in known_profiles(folder)]
    assert listed == [("hall", "2026-11-20")]
    none = tmp_path / "none"
    assert known_profiles(none) == ()
    with pytest.raises(ConfigError, match="hall"):
        delete_profile(none, "hall")


def test_a_copy_has_its_own_name(folder: Path) -> None:
    copy_profile(folder, "hall", "Town hall 2")
    copied = load_document(profile_file(folder, "Town hall 2"), ColourProfile)
    assert (copied.name, copied.colours) == ("Town hall 2", HALL.colours)
    with pytest.raises(ConfigError, match="Town hall 2"):
        copy_profile(folder, "hall", "Town hall 2")
    with pytest.raises(ConfigError, match=r"stage.*hall, Town hall 2"):
        copy_profile(folder, "stage", "other")


def test_what_is_deleted_is_kept_aside(folder: Path) -> None:
    first = delete_profile(folder, "hall")
    assert first.name == "hall.toml.1.bak"
    assert load_document(first, ColourProfile) == HALL
    assert known_profiles(folder) == ()
    save_document(profile_file(folder, "hall"), HALL)
    assert delete_profile(folder, "hall").name == "hall.toml.2.bak"


def test_a_damaged_profile_is_listed_with_its_trouble(folder: Path) -> None:
    profile_file(folder, "bad").write_text("name = 3\n")
    bad, hall = known_profiles(folder)
    assert "bad.toml" in bad.trouble
    assert hall.trouble == ""
    assert delete_profile(folder, "bad").exists()


ELSEWHERE = (
    *("", ".", "..", "../rig", "a/b", "a\\b", "/etc/passwd", "hall.toml", "C:x", " hall", "hall "),
    *("a\nb", "a\0b", "con", "LPT1.x", "x" * 61, ".hidden", "dot.", "tab\there", "\u202eabc"),
)


def test_names_that_lead_elsewhere_are_refused(folder: Path) -> None:
    for name in ELSEWHERE:
        for deed in (
            lambda name: profile_file(folder, name),
            lambda name: copy_profile(folder, "hall", name),
            lambda name: delete_profile(folder, name),
        ):
            with pytest.raises(ConfigError):
                deed(name)
    assert [each.name for each in known_profiles(folder)] == ["hall"]


def test_the_command_line_takes_the_same_names_and_files_besides() -> None:
    folders = Folders.of_platform()
    for name in set(ELSEWHERE) - {"hall.toml"}:
        with pytest.raises(ConfigError):
            folders.profile_file(name)
    assert folders.profile_file("Зал") == folders.profiles / "Зал.toml"
    assert folders.profile_file("here/hall.toml") == Path("here/hall.toml")


def test_names_that_people_give_stay_in_the_folder(folder: Path) -> None:
    for name in ("hall", "Salle des fêtes", "Зал", "hall-2", "v1.2", "x" * 60):
        assert profile_file(folder, name).parent == folder
