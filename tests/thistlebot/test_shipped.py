"""Where firmware, binaries and documents are found, in a checkout and in an installation."""

from pathlib import Path

import pytest

from thistlebot.cli.manual import find_pages
from thistlebot.errors import MissingFileError
from thistlebot.shipped import firmware_workshop, shipped_hex, shipped_root

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The package folder of an installation, with a firmware of three lines."""
    root = tmp_path / "site" / "thistlebot" / "shipped"
    (root / "firmware" / "thistlebot").mkdir(parents=True)
    (root / "firmware" / "Makefile").write_text("uno:\n")
    (root / "firmware" / "thistlebot" / "thistlebot.ino").write_text("// nothing\n")
    return root.parent


def test_a_checkout_builds_where_its_sources_are(tmp_path: Path) -> None:
    root = shipped_root()
    assert root == ROOT
    assert firmware_workshop(tmp_path / "cache", root) == ROOT / "firmware"
    assert not (tmp_path / "cache").exists()
    assert shipped_hex("uno", root) is None


def test_an_installation_builds_in_the_cache(installed: Path, tmp_path: Path) -> None:
    root, cache = shipped_root(installed), tmp_path / "cache"
    assert root == installed / "shipped"
    workshop = firmware_workshop(cache, root)
    assert workshop.parent == cache / "firmware"
    assert (workshop / "thistlebot" / "thistlebot.ino").read_text() == "// nothing\n"
    (workshop / "build").mkdir()
    assert firmware_workshop(cache, root) == workshop
    assert (workshop / "build").is_dir()
    assert list(workshop.parent.iterdir()) == [workshop]


def test_other_sources_get_another_workshop(installed: Path, tmp_path: Path) -> None:
    root, cache = shipped_root(installed), tmp_path / "cache"
    before = firmware_workshop(cache, root)
    (root / "firmware" / "thistlebot" / "thistlebot.ino").write_text("// anything\n")
    after = firmware_workshop(cache, root)
    assert after != before
    assert (after / "thistlebot" / "thistlebot.ino").read_text() == "// anything\n"


def test_what_cannot_be_found_or_copied_is_told(installed: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "cache"
    blocked.touch()
    with pytest.raises(MissingFileError, match="cache"):
        firmware_workshop(blocked, shipped_root(installed))
    (installed / "shipped" / "firmware" / "Makefile").unlink()
    with pytest.raises(MissingFileError):
        firmware_workshop(tmp_path / "other", shipped_root(installed))


def test_both_kinds_of_nano_have_one_binary(installed: Path) -> None:
    root = shipped_root(installed)
    (root / "hex").mkdir()
    (root / "hex" / "nano.hex").touch()
    assert shipped_hex("nano-old", root) == shipped_hex("nano", root) == root / "hex" / "nano.hex"
    assert shipped_hex("uno", root) is None


def test_every_document_is_a_page() -> None:
    pages = find_pages(ROOT)
    assert {"readme", "firmware", "protocol", "reading-colours"} <= set(pages)
    assert set(pages.values()) >= set((ROOT / "docs").glob("*.md"))
