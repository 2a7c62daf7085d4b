"""What systemd and udev accept, what the server asks of the system, and the full screen."""

import os
import platform
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from frontends.cli.service_files import rules_text, unit_text
from frontends.panel.full_screen import full_screen_browser
from frontends.panel.server.serving import tell_service_manager
from thistlebot.errors import ComputerError, UsageError


def unit(program: Path = Path("/bin/true"), arguments: tuple[str, ...] = ()) -> str:
    return unit_text(program, "root", arguments)


def values(text: str, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)


def accepted(*command: object) -> None:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-400:] + done.stderr
    assert "thistlebot.service" not in done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_accepts_the_unit_and_little_of_the_computer_is_open_to_it(tmp_path: Path) -> None:
    file = tmp_path / "thistlebot.service"
    for arguments in ((), ("--rig", '/my "rigs"/100%.toml')):
        file.write_text(unit(arguments=arguments))
        accepted("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file)
    security = ("security", "--offline=true", "--threshold=45", "--no-pager")
    accepted("systemd-analyze", *security, file)


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
    assert values(text, "Slice") == ["-.slice"]  # else a weight counts among services only
    assert int(values(text, "CPUWeight")[0]) > 100  # STOP beside a browser


@pytest.mark.skipif(sys.platform != "linux", reason="systemd is on Linux only")
@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_hears_that_the_panel_lives(
    abstract: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"thistlebot-{os.getpid()}" if abstract else str(tmp_path / "notify")
        manager.bind(f"\0{name}" if abstract else name)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}" if abstract else name)
        tell_service_manager("WATCHDOG=1")
        assert manager.recv(100) == b"WATCHDOG=1"
    tell_service_manager("WATCHDOG=1")  # nobody listens any more
    assert values(unit(), "NotifyAccess") == ["main"]
    assert int(values(unit(), "WatchdogSec")[0]) >= 30


def test_words_of_the_command_are_written_as_systemd_reads_them_or_refused() -> None:
    text = unit(Path("/srv/a b/thistlebot"), ("--profile", "50 % $x", "--http-port", "80"))
    assert values(text, "ExecStart") == [
        '"/srv/a b/thistlebot" serve "--profile" "50 %% $$x" "--http-port" "80"'
    ]
    assert not re.search(r"@[A-Z]+@", text)
    for user in ("", "a b", "a\nRoot", "%i", "root:x"):
        with pytest.raises(UsageError):
            unit_text(Path("/bin/true"), user)
    for program, arguments in (("thistlebot", ()), ("/bin/true", ("--rig\nExecStart=/bin/sh",))):
        with pytest.raises(UsageError):
            unit(Path(program), arguments)


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
    accepted("udevadm", "verify", file)


SERVE = ("-m", "thistlebot", "serve", "--virtual", "--host", "0.0.0.0", "--http-port", "0")
STAND_IN = """#!/bin/sh
for last; do :; done
echo "$$ $last" >{told}
exec sleep 600
"""


@pytest.mark.exhaustive
def test_chromium_shows_the_panel_and_ends_with_it(tmp_path: Path) -> None:
    told, chromium = tmp_path / "told", tmp_path / "chromium"
    os.mkfifo(told)
    chromium.write_text(STAND_IN.format(told=told))
    chromium.chmod(0o755)
    kept = {f"THISTLEBOT_{name}_DIR": str(tmp_path) for name in ("CONFIG", "STATE", "DATA")}
    shown = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "DISPLAY": ":0"}
    with subprocess.Popen(
        [sys.executable, *SERVE, "--kiosk"],
        env=os.environ | kept | shown,
        stdout=subprocess.DEVNULL,
    ) as program:
        line = os.open(told, os.O_RDWR)
        try:
            assert select.select([line], [], [], 60)[0], "nothing was opened"
            number, url = os.read(line, 1000).decode().split()
            with build_opener(HTTPCookieProcessor(CookieJar())).open(url, timeout=60) as page:
                assert b"Thistlebot" in page.read()
        finally:
            program.send_signal(signal.SIGINT)
            program.wait(60)
            os.close(line)
    with pytest.raises(ProcessLookupError):
        os.kill(int(number), 0)


@pytest.mark.parametrize("browser", [True, False], ids=["no display", "no browser"])
def test_what_is_missing_is_named_before_anything_opens(
    browser: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if browser:
        (tmp_path / "chromium").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
        if not browser:
            monkeypatch.setenv(name, ":0")
    missing = "display" if browser else "apt install chromium"
    with pytest.raises(ComputerError, match=missing), full_screen_browser():
        pass


HEAPS_OF_TWENTY_THREADS = """
import ctypes, sys, threading
from frontends.panel.server.serving import limit_heaps

libc = ctypes.CDLL(None)
libc.fopen.restype = libc.malloc.restype = ctypes.c_void_p
limit_heaps()
together = threading.Barrier(20)
def use():
    together.wait()
    libc.malloc(1000)
    together.wait()
threads = [threading.Thread(target=use) for _ in range(20)]
[each.start() for each in threads]
[each.join() for each in threads]
file = libc.fopen(sys.argv[1].encode(), b"w")
libc.malloc_info(0, ctypes.c_void_p(file))
libc.fclose(ctypes.c_void_p(file))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has a heap per thread")
def test_threads_share_two_heaps(tmp_path: Path) -> None:
    """Without a limit there would be as many as threads, up to eight for each processor."""
    file = tmp_path / "heaps"
    subprocess.run([sys.executable, "-c", HEAPS_OF_TWENTY_THREADS, str(file)], check=True)
    assert file.read_text().count("<heap nr") == 2
