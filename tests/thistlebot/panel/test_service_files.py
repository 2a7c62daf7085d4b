"""The systemd unit and the udev rules are what systemd and udev accept."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from thistlebot.errors import UsageError
from thistlebot.panel.service_files import rules_text, unit_text

DOCUMENTS = Path("/usr/share/doc/thistlebot/panel.md")


def unit(program: Path = Path("/bin/true"), arguments: tuple[str, ...] = ()) -> str:
    return unit_text(program, "root", DOCUMENTS, arguments)


def values(text: str, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize(
    "arguments", [(), ("--host", "0.0.0.0"), ("--rig", '/my "rigs"/100%.toml')]
)
def test_systemd_accepts_the_unit(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    file = tmp_path / "thistlebot.service"
    file.write_text(unit(arguments=arguments))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file],
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if "thistlebot.service" in line]
    assert done.returncode == 0, done.stderr
    assert told == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_little_of_the_computer_is_open_to_it(tmp_path: Path) -> None:
    file = tmp_path / "thistlebot.service"
    file.write_text(unit())
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=45", "--no-pager", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-400:] + done.stderr


def test_the_unit_stops_it_as_ctrl_c_does_and_leaves_it_the_time() -> None:
    text = unit()
    assert values(text, "KillSignal") == ["SIGINT"]
    assert values(text, "SuccessExitStatus") == ["6"]
    assert values(text, "Restart") == ["on-failure"]
    assert int(values(text, "TimeoutStopSec")[0]) >= 20
    assert {"char-ttyACM rw", "char-ttyUSB rw", "char-video4linux rw"} <= set(
        values(text, "DeviceAllow")
    )
    assert values(text, "MemoryDenyWriteExecute") == []  # numba compiles


def test_words_of_the_command_are_written_as_systemd_reads_them() -> None:
    text = unit(Path("/srv/a b/thistlebot"), ("--profile", "50 % $x", "--http-port", "80"))
    assert values(text, "ExecStart") == [
        '"/srv/a b/thistlebot" serve --profile "50 %% $$x" --http-port 80'
    ]
    assert not re.search(r"@[A-Z]+@", text)


@pytest.mark.parametrize("user", ["", "a b", "a\nRoot", "%i", "root:x"])
def test_names_of_users_that_nobody_has_are_refused(user: str) -> None:
    with pytest.raises(UsageError, match="is no name of a user"):
        unit_text(Path("/bin/true"), user, DOCUMENTS)


def test_a_unit_needs_the_whole_path_and_no_line_ends() -> None:
    with pytest.raises(UsageError, match="must begin at the root"):
        unit(Path("thistlebot"))
    with pytest.raises(UsageError, match="cannot stand in a unit"):
        unit(arguments=("--rig\nExecStart=/bin/sh",))


def test_the_rules_jump_to_labels_that_there_are() -> None:
    text = rules_text()
    jumps, labels = set(re.findall(r'GOTO="(\w+)"', text)), re.findall(r'LABEL="(\w+)"', text)
    assert jumps == set(labels)
    assert len(labels) == len(set(labels))
    for line in text.splitlines():
        assert re.fullmatch(r'#.*||([A-Z]+(\{\w+\})?(==|=|\+=)"[^"]*"(, )?)+', line), line


def _verifies() -> bool:
    if shutil.which("udevadm") is None:
        return False
    told = subprocess.run(["udevadm", "--help"], capture_output=True, text=True, check=False)
    return "verify" in told.stdout


@pytest.mark.skipif(not _verifies(), reason="udevadm verify came with systemd 254")
def test_udev_accepts_the_rules(tmp_path: Path) -> None:
    file = tmp_path / "70-thistlebot.rules"
    file.write_text(rules_text())
    done = subprocess.run(["udevadm", "verify", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
