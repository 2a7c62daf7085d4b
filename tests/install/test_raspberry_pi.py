"""The real installer for Raspberry Pi OS, with stand-ins for the programs that it calls."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from prepared import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Raspberry Pi OS only")
CALLED = ["apt-get", "chown", "dpkg", "dpkg-query", "getent", "gpasswd", "id", "pipx"]
CALLED += ["raspi-config", "rpicam-vid", "runuser", "systemctl", "udevadm", "usermod"]
CHANGING = ("apt-get", "usermod", "raspi-config nonint do", "pipx", "systemctl en", "udevadm")


@dataclass
class Computer:
    """A Raspberry Pi as the script sees it: files below a folder, and programs on the path."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str) -> None:
        path = self.folder / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for place in ("root", "home")
            for path in (self.folder / place).rglob("*")
            if path.is_file()
        }

    def run(self, *options: str) -> tuple[int, str, list[str]]:
        """Return the exit code, the message, and the calls that change something."""
        calls = self.folder / "calls"
        calls.write_text("")
        environment = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "THISTLEBOT_ROOT": str(self.folder / "root"),
            "MAKER": str(self.folder / "home"),
            "CALLS": str(calls),
            "SUDO_USER": "maker",
        } | self.environment
        done = subprocess.run(
            ["sh", self.folder / "checkout" / "install" / "raspberry-pi", *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        made = [call for call in calls.read_text().splitlines() if call.startswith(CHANGING)]
        return done.returncode, done.stderr, made


@pytest.fixture
def pi(tmp_path: Path) -> Computer:
    computer = Computer(tmp_path)
    for name in ("bin", "home", "checkout/install"):
        (tmp_path / name).mkdir(parents=True)
    for name in CALLED:
        shutil.copy(ROOT / "tests" / "install" / "stand_in.sh", tmp_path / "bin" / name)
        (tmp_path / "bin" / name).chmod(0o755)
    for name in ("constraints.txt", "constraints-panel.txt", "install/raspberry-pi"):
        shutil.copy(ROOT / name, tmp_path / "checkout" / name)
    computer.write("etc/os-release", "ID=debian\nVERSION_CODENAME=trixie\n")
    computer.write("proc/meminfo", "MemTotal:         948304 kB\n")
    computer.write("boot/firmware/config.txt", "dtparam=i2c_arm=off\n[cm5]\ndtoverlay=dwc2\n")
    computer.write("world/architecture", "arm64\n")
    computer.write("world/packages", "i2c-tools\n")
    computer.write("world/groups", "maker\nvideo\n")
    return computer


@pytest.mark.parametrize("options", [(), ("--pwm",), ("--kiosk",), ("--wheelhouse", "/")])
def test_it_installs_once_and_removing_it_leaves_everything_as_before(
    pi: Computer, options: tuple[str, ...]
) -> None:
    pi.write("etc/udev/rules.d/70-thistlebot.rules", "my own rules\n")
    before = pi.files()
    assert pi.run("--yes", *options)[0] == 0
    installed = pi.files()
    config = installed["root/boot/firmware/config.txt"].decode()
    assert "i2c_arm=on" in config
    assert ("[all]\ndtoverlay=pwm-2chan,pin=12" in config) == ("--pwm" in options)
    assert ("root/world/enabled" in installed) != ("--kiosk" in options)
    assert ("home/.config/autostart/thistlebot.desktop" in installed) == ("--kiosk" in options)
    assert installed["root/world/groups"].split() == b"maker video gpio i2c dialout".split()
    assert pi.run("--yes", *options)[::2] == (0, [])
    assert pi.files() == installed
    (pi.folder / "checkout" / "README.md").write_text("a newer version")
    assert [call.split()[:2] for call in pi.run("--yes")[2]] == [["pipx", "install"]]
    assert pi.run("--yes", "--remove")[0] == 0
    assert pi.files() == before


UNFIT: dict[str, Callable[[Computer], None]] = {
    "32-bit": lambda pi: pi.write("world/architecture", "armhf\n"),
    "memory": lambda pi: pi.write("proc/meminfo", "MemTotal:         435000 kB\n"),
    "system": lambda pi: pi.write("etc/os-release", "VERSION_CODENAME=bullseye\n"),
    "root": lambda pi: pi.environment.update(SUDO_USER="root"),
    "no user": lambda pi: pi.environment.update(SUDO_USER=""),
}


@pytest.mark.parametrize("lack", UNFIT)
def test_what_it_cannot_serve_gets_one_sentence_and_nothing_else(pi: Computer, lack: str) -> None:
    UNFIT[lack](pi)
    before = pi.files()
    code, message, made = pi.run("--yes")
    assert (code, made, message.count("\n")) == (2, [], 1)
    assert pi.files() == before


@pytest.mark.parametrize("options", [("--dry-run",), ()])
def test_without_a_yes_nothing_changes(pi: Computer, options: tuple[str, ...]) -> None:
    before = pi.files()
    assert pi.run(*options)[::2] == (0 if options else 1, [])
    assert pi.files() == before


@pytest.mark.parametrize("program", ["apt-get", "pipx", "systemctl"])
def test_a_step_that_fails_ends_it_and_can_be_repeated_or_undone(
    pi: Computer, program: str
) -> None:
    before = pi.files()
    pi.environment["FAILS"] = program
    code, _, made = pi.run("--yes")
    assert code == 2
    assert made[-1].startswith(("udevadm", program))
    del pi.environment["FAILS"]
    assert pi.run("--yes")[0] == 0
    assert pi.run("--yes", "--remove")[0] == 0
    assert pi.files() == before
