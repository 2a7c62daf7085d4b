"""Profiles of venues by name, in a folder of their own."""

from pathlib import Path

import pytest

from documents.errors import ConfigError
from documents.typed_toml import load_document, save_document
from thistlebot.config import Folders
from thistlebot.measuring.colours import (
    copy_profile,
    delete_profile,
    known_profiles,
    profile_file,
)
from vision.colours.profile import ColourProfile

HALL = ColourProfile(
    name="hall",
    created="2026-11-20",
    scheme=dict(zip("URFDLB", ["white", "red", "green", "yellow", "orange", "blue"], strict=True)),
    colours={face: (10.0 * number, 0.0, 0.0) for number, face in enumerate("URFDLB")},
)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    folders = Folders.of_platform({"THISTLEBOT_CONFIG_DIR": str(tmp_path / "config")})
    save_document(profile_file(folders, "hall"), HALL)
    return folders


def test_profiles_are_listed_by_name(folders: Folders, tmp_path: Path) -> None:
    listed = [(each.name, each.created) for each in known_profiles(folders)]
    assert listed == [("hall", "2026-11-20")]
    none = Folders.of_platform({"THISTLEBOT_CONFIG_DIR": str(tmp_path)})
    assert known_profiles(none) == ()
    with pytest.raises(ConfigError, match="hall"):
        delete_profile(none, "hall")


def test_a_copy_has_its_own_name(folders: Folders) -> None:
    copy_profile(folders, "hall", "Town hall 2")
    copied = load_document(profile_file(folders, "Town hall 2"), ColourProfile)
    assert (copied.name, copied.colours) == ("Town hall 2", HALL.colours)
    with pytest.raises(ConfigError, match="Town hall 2"):
        copy_profile(folders, "hall", "Town hall 2")
    with pytest.raises(ConfigError, match=r"stage.*hall, Town hall 2"):
        copy_profile(folders, "stage", "other")


def test_what_is_deleted_is_kept_aside(folders: Folders) -> None:
    first = delete_profile(folders, "hall")
    assert first.name == "hall.toml.1.bak"
    assert load_document(first, ColourProfile) == HALL
    assert known_profiles(folders) == ()
    save_document(profile_file(folders, "hall"), HALL)
    assert delete_profile(folders, "hall").name == "hall.toml.2.bak"


def test_a_damaged_profile_is_listed_with_its_trouble(folders: Folders) -> None:
    profile_file(folders, "bad").write_text("name = 3\n")
    bad, hall = known_profiles(folders)
    assert "bad.toml" in bad.trouble
    assert hall.trouble == ""
    assert delete_profile(folders, "bad").exists()


ELSEWHERE = (
    *("", ".", "..", "../rig", "a/b", "a\\b", "/etc/passwd", "hall.toml", "C:x", " hall", "hall "),
    *("a\nb", "a\0b", "con", "LPT1.x", "x" * 61, ".hidden", "dot.", "tab\there", "\u202eabc"),
)


def test_names_that_lead_elsewhere_are_refused(folders: Folders) -> None:
    for name in ELSEWHERE:
        for deed in (
            lambda name: profile_file(folders, name),
            lambda name: copy_profile(folders, "hall", name),
            lambda name: delete_profile(folders, name),
        ):
            with pytest.raises(ConfigError):
                deed(name)
    assert [each.name for each in known_profiles(folders)] == ["hall"]


def test_names_that_people_give_stay_in_the_folder(folders: Folders) -> None:
    for name in ("hall", "Salle des fêtes", "Зал", "hall-2", "v1.2", "x" * 60):
        assert profile_file(folders, name).parent == folders.config / "profiles"
