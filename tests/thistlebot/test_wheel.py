"""The wheel, and where firmware, binaries and documents are found."""

import json
import os
import re
import runpy
import signal
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from thistlebot.cli.manual import find_pages
from thistlebot.errors import MissingFileError
from thistlebot.shipped import firmware_workshop, shipped_hex, shipped_root

ROOT = Path(__file__).resolve().parents[2]
BOARDS = ("uno", "nano", "mega", "cnc-shield", "ramps", "mks-gen-l")


@dataclass(frozen=True)
class Installed:
    """The program in an environment of its own, run from a folder that is no checkout."""

    script: Path
    packages: Path
    home: Path

    @property
    def shipped(self) -> Path:
        return self.packages / "thistlebot" / "shipped"

    def run(self, *args: str, path: str = os.defpath) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": path,
            "HOME": str(self.home),
            "THISTLEBOT_CACHE_DIR": str(self.home / "cache"),
            "COLUMNS": "400",
        }
        command = [str(self.script), *args]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.home, env=environment
        )


def build_wheel(folder: Path, **environment: str) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    done = subprocess.run(
        [*command, "--directory", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | environment,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def hex_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hex")
    for board in BOARDS:
        (folder / f"{board}.hex").write_text(":00000001FF\n")
    return folder


@pytest.fixture(scope="module")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "docs").mkdir()
    for page in ("index.html", "docs/rigs.html"):
        (folder / page).write_text(f"<p>{page}</p>")
    return folder


@pytest.fixture(scope="module")
def release(hex_folder: Path, site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    return build_wheel(folder, THISTLEBOT_HEX=str(hex_folder), THISTLEBOT_SITE=str(site_folder))


@pytest.fixture(scope="module")
def installed(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel; the libraries are those of the tests."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        folder / "venv",
        "install",
        "--quiet",
        "--no-compile",
    ]
    subprocess.run([*pip, "--no-deps", "--no-index", release], check=True)
    (packages,) = (path.parent for path in folder.glob("venv/**/site-packages/thistlebot"))
    libraries = dict.fromkeys(path for path in sys.path if path.endswith("site-packages"))
    libraries[sysconfig.get_path("purelib")] = None
    (packages / "libraries.pth").write_text("\n".join(libraries) + "\n")
    home = folder / "a home"
    home.mkdir()
    return Installed(scripts / "thistlebot", packages, home)


@pytest.mark.exhaustive
def test_the_same_sources_make_the_same_wheel(
    release: Path, hex_folder: Path, site_folder: Path, tmp_path: Path
) -> None:
    given = {"THISTLEBOT_HEX": str(hex_folder), "THISTLEBOT_SITE": str(site_folder)}
    again = build_wheel(tmp_path, **given)
    assert again.read_bytes() == release.read_bytes()


def test_a_wheel_needs_no_avr_tools_and_no_site(tmp_path: Path) -> None:
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["ShippedFiles"]
    data: dict[str, dict[str, str]] = {"force_include": {}}
    hook(str(ROOT), {}, None, None, str(tmp_path), "wheel").initialize("standard", data)
    names = data["force_include"].values()
    assert "thistlebot/shipped/firmware/thistlebot/thistlebot.ino" in names
    assert not [name for name in names if name.endswith(".hex") or "/build/" in name]


def test_the_files_of_the_panel_and_all_languages_are_packed(release: Path) -> None:
    names = zipfile.ZipFile(release).namelist()
    static, words = "frontends/panel/static", "thistlebot/words"
    for folder, kinds in ((static, {".js", ".css"}), (words, {".toml"})):
        here = ROOT / folder
        files = [path.name for path in here.iterdir() if path.suffix in kinds]
        assert files
        assert {f"{folder}/{file}" for file in files} <= set(names)


def test_flash_of_a_release_needs_no_compiler(installed: Installed, tmp_path: Path) -> None:
    for tool in ("avrdude", "make", "avr-gcc"):
        (tmp_path / tool).write_text("#!/bin/sh\n")
        (tmp_path / tool).chmod(0o755)
    flash = ("flash", "--port", "P", "--dry-run", "--board")
    for board, binary in (("nano-old", "nano"), ("cnc-shield", "cnc-shield")):
        done = installed.run(*flash, board, path=str(tmp_path))
        assert done.returncode == 0, done.stderr
        (line,) = done.stdout.splitlines()
        assert line.startswith(str(tmp_path / "avrdude"))
        assert line.endswith(f"-U flash:w:{installed.shipped / 'hex' / binary}.hex:i")
    missing = installed.run("flash", "--port", "P", path="/nowhere")
    assert missing.returncode == 5
    assert "sudo apt install avrdude\n" in missing.stderr


def test_a_release_has_the_benchmarks_that_its_command_runs_and_no_others(
    installed: Installed,
) -> None:
    modules = "[each.replace('.', '/') for each in sys.modules if each.startswith('benchmarks')]"
    code = f"import sys, json, benchmarks.cli.group; print(json.dumps({modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder = installed.packages / "benchmarks"
    files = [path.relative_to(folder.parent) for path in folder.rglob("*.py")]
    packed = {str(path.with_suffix("")).removesuffix("/__init__") for path in files}
    assert packed == set(json.loads(done.stdout))
    told = installed.run("bench", "--help")
    assert told.returncode == 0, told.stderr


def test_the_documents_are_there(installed: Installed) -> None:
    listed = installed.run("manual")
    assert f"{installed.shipped / 'docs' / 'protocol.md'}" in listed.stdout
    page = installed.run("manual", "firmware")
    assert page.stdout == (ROOT / "firmware" / "README.md").read_text(encoding="utf-8")
    wrong = installed.run("manual", "firmwear")
    assert wrong.returncode == 2
    assert "readme, changes" in wrong.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to another process")
def test_a_release_serves_its_documentation_until_ctrl_c(installed: Installed) -> None:
    command = [installed.script, "manual", "--web"]
    environment = {"PATH": os.defpath, "HOME": str(installed.home)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=installed.home, env=environment
    ) as shown:
        (address,) = re.findall(r"http://\S+", shown.stdout.readline())
        assert httpx.get(f"{address}docs/rigs.html").text == "<p>docs/rigs.html</p>"
        shown.send_signal(signal.SIGINT)
        assert shown.wait() == 0


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The package folder of an installation, with a firmware of three lines."""
    root = tmp_path / "site" / "thistlebot" / "shipped"
    (root / "firmware" / "thistlebot").mkdir(parents=True)
    (root / "firmware" / "Makefile").write_text("uno:\n")
    (root / "firmware" / "thistlebot" / "thistlebot.ino").write_text("// nothing\n")
    return root.parent


def test_a_checkout_builds_where_its_sources_are_and_its_documents_are_pages(
    tmp_path: Path,
) -> None:
    root = shipped_root()
    assert root == ROOT
    assert firmware_workshop(tmp_path / "cache", root) == ROOT / "firmware"
    assert not (tmp_path / "cache").exists()
    assert shipped_hex("uno", root) is None
    pages = find_pages(ROOT)
    assert {"readme", "firmware", "protocol", "reading-colours"} <= set(pages)
    assert set(pages.values()) >= set((ROOT / "docs").glob("*.md"))


def test_an_installation_builds_in_the_cache_and_other_sources_elsewhere(
    package: Path, tmp_path: Path
) -> None:
    root, cache = shipped_root(package), tmp_path / "cache"
    assert root == package / "shipped"
    workshop = firmware_workshop(cache, root)
    assert workshop.parent == cache / "firmware"
    assert (workshop / "thistlebot" / "thistlebot.ino").read_text() == "// nothing\n"
    (workshop / "build").mkdir()
    assert firmware_workshop(cache, root) == workshop
    assert (workshop / "build").is_dir()
    assert list(workshop.parent.iterdir()) == [workshop]
    (root / "firmware" / "thistlebot" / "thistlebot.ino").write_text("// anything\n")
    after = firmware_workshop(cache, root)
    assert after != workshop
    assert (after / "thistlebot" / "thistlebot.ino").read_text() == "// anything\n"
    (root / "hex").mkdir()
    (root / "hex" / "nano.hex").touch()  # of both kinds
    assert shipped_hex("nano-old", root) == shipped_hex("nano", root) == root / "hex" / "nano.hex"
    assert shipped_hex("uno", root) is None


def test_what_cannot_be_found_or_copied_is_told(package: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "cache"
    blocked.touch()
    with pytest.raises(MissingFileError, match="cache"):
        firmware_workshop(blocked, shipped_root(package))
    (package / "shipped" / "firmware" / "Makefile").unlink()
    with pytest.raises(MissingFileError):
        firmware_workshop(tmp_path / "other", shipped_root(package))
