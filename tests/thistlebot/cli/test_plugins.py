"""Installed packages add to each of six kinds; one that is broken is named, and breaks no other."""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hand_video import record as record_video
from hatchling.builders.wheel import WheelBuilder

from cube.net import WESTERN_SCHEME
from cube.state import SOLVED
from documents import plugins
from documents.errors import PluginError
from documents.plugins import Plugins
from prepared import ROOT
from run_thistlebot import finished, record, records, thistlebot
from thistlebot import Cube, solve
from thistlebot.exit_codes import ExitCode
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_spaces import lab_to_srgb

KINDS = ("cameras", "boards", "rigs", "classifiers", "objectives", "verbs")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for packages, on the path of this process and those that it starts."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{ROOT}")
    plugins._entries.cache_clear()
    yield folder
    plugins._entries.cache_clear()


def build(package: Path, site: Path) -> None:
    (wheel,) = WheelBuilder(str(package)).build(directory=str(site.parent / "wheels"))
    zipfile.ZipFile(wheel).extractall(site)


def declare(site: Path, package: str, kind: str, *entries: str) -> None:
    folder = site / f"{package}-1.2.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    (folder / "entry_points.txt").write_text(f"[thistlebot.{kind}]\n" + "\n".join(entries))


def test_each_kind_of_the_example_is_used_from_the_command_line(site: Path) -> None:
    build(ROOT / "examples" / "thistlebot-example", site)
    film, colours = site / "cube.avi", site / "cube.jsonl"
    record_video(film, SOLVED, "F")
    machine = ("--rig", "one-camera", "--port", "practice:", "--camera", f"upside-down:{film}")
    found = records("doctor", *machine)
    assert {each["health"] for each in found} == {"good"}
    told = {each["subject"]: each["text"] for each in found}
    assert "one-camera" in told["rig"]
    assert "upside down" in told["cameras"]
    listed = [each["plugin"] for each in found if "plugin" in each]
    assert [each["kind"] for each in listed] == list(KINDS)
    assert {f"{each['package']} {each['version']}" for each in listed} == {
        "thistlebot-example 1.0.0"
    }
    assert "one-camera" in [each["name"] for each in records("rig", "list")]
    solving = ("solve", "--scramble", "R U B2", "--dry-run", "--objective", "spare-back")
    assert record(*solving)["htm"] == 3
    solution = solve(Cube.scrambled("R U B2"), objective="spare-back")
    assert (solution.objective, solution.value) == ("spare-back", 5)  # B2 counts three times
    labs = [NAMED_COLOURS[WESTERN_SCHEME[letter]] for letter in SOLVED.to_facelets().text]
    colours.write_text(json.dumps({"rgb": lab_to_srgb(labs).tolist()}))
    assert record("scan", "--rgb", colours, "--classifier", "shadows")["state"] == "sure"
    assert finished("undo", "R U F2").stdout == "F2 U' R'\n"


def test_a_broken_plugin_is_named_and_breaks_nothing_else(site: Path) -> None:
    (site / "broken.py").write_text("import nothing_of_this_name")
    declare(site, "wreck", "verbs", "wreck = broken:run", "solve = broken:run")
    declare(site, "odd", "objectives", "odd = math:pi")
    declare(site, "stray", "camera", "stray = math:pi")
    declare(site, "short", "cameras", "short = os:getcwd")
    declare(site, "bare", "rigs", "bare = os:getcwd")
    declare(site, "dull", "classifiers", "dull = os:getcwd")
    assert record("solve", "--scramble", "R U", "--dry-run")["htm"] == 2
    listed = {
        each["plugin"]["name"]: each["text"]
        for each in map(json.loads, thistlebot("doctor", "--virtual", "--json").stdout.splitlines())
        if each["health"] == "bad"
    }
    assert set(listed) == {"wreck", "solve", "odd", "stray", "short", "bare", "dull"}
    assert all("docs/plugins.md" in listed[name] for name in ("short", "bare", "dull"))
    assert "wreck 1.2" in listed["wreck"]
    assert "nothing_of_this_name" in listed["wreck"]
    refused = finished("wreck", "--json")
    assert refused.returncode == ExitCode.NO_DEVICE
    assert json.loads(refused.stdout)["error"]["type"] == "PluginError"
    listing = finished("--help")
    assert (listing.returncode, "wreck 1.2" in listing.stdout) == (0, True)


def test_a_name_has_one_meaning(site: Path) -> None:
    declare(site, "one", "boards", "wire = math:sqrt", "serial = math:sqrt")
    declare(site, "two", "boards", "wire = math:sqrt")
    boards = Plugins("boards", {"serial": len})
    assert boards["serial"] is len
    assert list(boards) == ["serial", "wire"]
    assert boards.prefixed("wire://host") is None
    assert boards.prefixed("serial:COM3") == (len, "COM3")
    with pytest.raises(PluginError, match=r"(?s)(?=.*\bone\b).*\btwo\b"):
        boards.prefixed("wire:1")


def test_a_class_is_a_kind_of_rig_files(site: Path) -> None:
    declare(site, "mine", "rigs", "mine = mine:Mine")
    (site / "mine.py").write_text(
        "from robot.rigs.face_motors.mechanism import FaceMotors\n"
        "class Mine(FaceMotors, frozen=True, kw_only=True): kind: str\n"
    )
    file = site / "rig.toml"
    file.write_text('name = "a"\nkind = "mine"\n[motors.U]\nchannel = 0\n')
    assert record("rig", "draw", file, "--pictures", site)["faces"] == "U"
    assert "mine" not in [each["name"] for each in records("rig", "list")]
    assert thistlebot("rig", "draw", "mine").exit_code == ExitCode.USAGE


def test_the_first_plugin_of_the_page_works(site: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    for kind, name in (("toml", "pyproject.toml"), ("python", "stickers.py")):
        (text,) = re.findall(rf"^```{kind}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        (tmp_path / name).write_text(text)
    build(tmp_path, site)
    shown = thistlebot("stickers", "U2 D2")
    assert len(shown.stdout.strip()) == 54
