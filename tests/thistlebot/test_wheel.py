"""The wheel, and where firmware, binaries and documents are found."""

import json
import os
import re
import runpy
import signal
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from hatchling.builders.wheel import WheelBuilder

from thistlebot.cli.manual import find_pages
from thistlebot.shipped import shipped_hex, shipped_root

ROOT = Path(__file__).resolve().parents[2]
BOARDS = ("uno", "nano", "mega", "cnc-shield", "ramps", "mks-gen-l")


@dataclass(frozen=True)
class Installed:
    """The program in a folder of its own, run from one that is no checkout."""

    packages: Path
    home: Path

    @property
    def script(self) -> Path:
        return self.packages / "bin" / "thistlebot"

    @property
    def shipped(self) -> Path:
        return self.packages / "thistlebot" / "shipped"

    def environment(self, path: str = os.defpath) -> dict[str, str]:
        folders = {"HOME": self.home, "THISTLEBOT_CACHE_DIR": self.home / "cache"}
        folders["PYTHONPATH"] = self.packages
        return {"PATH": path, "COLUMNS": "400"} | {name: str(at) for name, at in folders.items()}

    def run(self, *args: str, path: str = os.defpath) -> subprocess.CompletedProcess[str]:
        command, environment = [str(self.script), *args], self.environment(path)
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.home, env=environment
        )


def build_wheel(folder: Path, **environment: str) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder))
    return Path(wheel)


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
    home = folder / "a home"
    home.mkdir()
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps"]
    subprocess.run([*pip, "--no-index", "--target", folder / "it", release], check=True)
    return Installed(folder / "it", home)


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
    (tmp_path / "avrdude").write_text("#!/bin/sh\n")
    (tmp_path / "avrdude").chmod(0o755)
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
    with subprocess.Popen(
        [installed.script, "manual", "--web"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=installed.home,
        env=installed.environment(),
    ) as shown:
        (address,) = re.findall(r"http://\S+", shown.stdout.readline())
        assert httpx.get(f"{address}docs/rigs.html").text == "<p>docs/rigs.html</p>"
        shown.send_signal(signal.SIGINT)
        assert shown.wait() == 0


def test_a_checkout_has_its_binaries_and_documents_where_make_puts_them() -> None:
    root = shipped_root()
    assert root == ROOT
    assert shipped_hex("nano-old", root) == ROOT / "build" / "hex" / "nano.hex"
    pages = find_pages(ROOT)
    assert {"readme", "firmware", "protocol", "reading-colours"} <= set(pages)
    assert set(pages.values()) >= set((ROOT / "docs").glob("*.md"))
