"""`serve --kiosk` shows the panel in Chromium for as long as it is served."""

import os
import select
import signal
import subprocess
import sys
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from frontends.panel.full_screen import full_screen_browser
from thistlebot.errors import ComputerError

SERVE = ("-m", "thistlebot", "serve", "--virtual", "--host", "0.0.0.0", "--http-port", "0")
STAND_IN = """#!/bin/sh
for last; do :; done
echo "$$ $last" >{told}
exec sleep 600
"""


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
