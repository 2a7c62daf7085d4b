"""Reading and writing text files."""

import os
import tracemalloc
from pathlib import Path

import pytest

from documents.errors import ConfigError
from documents.files import (
    LARGEST_DOCUMENT,
    read_text,
    require_writable,
    there_is,
    write_atomically,
)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "rig.toml"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "name = '\ud800'")  # a lone surrogate cannot be written
    assert read_text(path) == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["rig.toml"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"rig\.toml"):
        write_atomically(tmp_path / "file" / "rig.toml", b"x")
    for place in (tmp_path / "file" / "rig.toml", tmp_path):
        with pytest.raises(ConfigError, match=place.name):
            require_writable(place)
    require_writable(tmp_path / "new" / "folder" / "rig.toml")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root is let in everywhere")
def test_a_locked_folder_is_not_passed_over(tmp_path):
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked").chmod(0)
    with pytest.raises(ConfigError, match=r"rig\.toml"):
        there_is(tmp_path / "locked" / "rig.toml")


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
def test_what_bears_the_name_of_a_file_and_is_none_is_not_passed_over(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    for name in ("folder", "pipe", "link"):
        with pytest.raises(ConfigError, match=name):
            there_is(tmp_path / name)
        with pytest.raises(ConfigError, match=name):
            read_text(tmp_path / name)
    (tmp_path / "file").touch()
    (tmp_path / "good").symlink_to(tmp_path / "file")
    assert there_is(tmp_path / "good")
    assert not there_is(tmp_path / "nothing")


@pytest.mark.skipif(os.name != "posix", reason="file descriptors as paths")
def test_what_a_shell_opens_for_us_may_be_a_pipe() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"moves\r\n")
    os.close(writing)
    assert read_text(Path(f"/dev/fd/{reading}")) == "moves\n"
    os.close(reading)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom", "pipe", "large", "a\0b"])
def test_a_file_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, path: str
) -> None:
    file = tmp_path / path  # an absolute path stays as it is
    if path == "pipe":
        os.mkfifo(file)
    elif path == "large":
        file.touch()
        os.truncate(file, 10**10)
    tracemalloc.start()
    with pytest.raises(ConfigError):
        read_text(file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * LARGEST_DOCUMENT
