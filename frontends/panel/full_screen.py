"""Shows the panel full screen on this computer's display, in Chromium, while it is served."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from frontends.panel.address import panel_url
from frontends.panel.server.access import is_loopback
from thistlebot.errors import ComputerError

_BROWSERS = ("chromium", "chromium-browser")
"""Debian's name, and the one of older versions of Raspberry Pi OS."""
_DISPLAYS = ("WAYLAND_DISPLAY", "DISPLAY")
_OPTIONS = (
    "--kiosk",
    "--no-first-run",
    "--noerrdialogs",
    "--disable-pinch",
    "--overscroll-history-navigation=0",
    "--password-store=basic",  # a desktop's key ring would ask for its password
    "--ozone-platform-hint=auto",  # Wayland or X11; newer versions do this without being told
)
_GRACE_S = 5.0


@contextmanager
def full_screen_browser() -> Iterator[Callable[[str], None]]:
    """Yield a function that opens an address full screen; leaving the block closes the browser.

    Raises:
        ComputerError: There is no Chromium, or no display for it.
    """
    program = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if program is None:
        raise ComputerError("--kiosk needs Chromium, which is missing: sudo apt install chromium")
    if not any(map(os.environ.get, _DISPLAYS)):
        raise ComputerError(
            "--kiosk needs a display, but neither WAYLAND_DISPLAY nor DISPLAY is set: start it on "
            "the desktop of this computer, not over SSH or as a system service"
        )
    opened: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(prefix="thistlebot-", ignore_cleanup_errors=True) as folder:

        def show(url: str) -> None:
            # A fresh profile: after a power cut, Chromium does not offer to restore pages.
            command = [program, *_OPTIONS, f"--user-data-dir={folder}", url]
            null = subprocess.DEVNULL
            opened.append(
                subprocess.Popen(command, stdout=null, stderr=null, start_new_session=True)
            )

        try:
            yield show
        finally:
            for browser in opened:
                _close(browser)


def own_url(address: tuple[str, int], token: str) -> str:
    """Return the address of the panel for a browser on this computer.

    Args:
        address: Host and port that the panel listens at.
        token: What a browser has to know; empty if there is none.
    """
    host, port = address
    loopback = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not bound here
    return panel_url((loopback, port), "" if is_loopback(host) else token)


def _close(browser: "subprocess.Popen[bytes]") -> None:
    """End Chromium and its helper processes, which form one group."""
    for way in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(browser.pid, way)
        with suppress(subprocess.TimeoutExpired):
            browser.wait(_GRACE_S)
            return
