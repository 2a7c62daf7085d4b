"""A panel in a separate process, and a browser that gives it commands."""

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLateError

PAGE_HZ = os.sysconf("SC_CLK_TCK")
TRIES = 20
LONG = "R U R' U' F D2 " * 8


class PanelHost:
    """The panel in a separate process, and its records."""

    def __init__(self, budget_ms: float, rig: str = "") -> None:
        command = [sys.executable, "-m", "benchmarks.panel.host", f"{budget_ms}", rig]
        quiet = subprocess.DEVNULL  # uvicorn's messages
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet, text=True)
        self._told: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.records: list[dict[str, Any]] = []
        threading.Thread(target=self._listen, daemon=True).start()
        self.url = self.wait("url")["url"]

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._told.put(json.loads(line))

    def wait(self, told: str, timeout_s: float = 60.0) -> dict[str, Any]:
        """Return the next record of a kind; earlier ones are kept in `records`."""
        while True:
            record = self._told.get(timeout=timeout_s)
            self.records.append(record)
            if record["told"] == told:
                return record

    def wish(self, **wishes: Any) -> None:
        """Have something done; see `benchmarks.panel.host.hear_wishes`."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(wishes) + "\n")
        self.process.stdin.flush()

    def drain(self) -> None:
        """Move the records so far to `records`."""
        while not self._told.empty():
            self.records.append(self._told.get())

    def cpu_s(self) -> float:
        """Processor time so far, with that of all its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / PAGE_HZ

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(30)


def until(page: Page, condition: str, timeout_s: float = 60.0) -> None:
    """Wait until a condition holds in the page."""
    page.wait_for_function(condition, timeout=1000 * timeout_s, polling=20)


def order(page: Page, command: str, **fields: str) -> None:
    """Send a command, and wait until its run has begun; repeat it if it was too late."""
    run = page.evaluate("() => window.thistlebot.view.run")
    for _ in range(TRIES):
        page.evaluate("(order) => window.thistlebot.send(order)", {"command": command} | fields)
        with contextlib.suppress(TooLateError):
            until(page, f"() => window.thistlebot.view.run > {run}", 2.0)
            return
    raise RuntimeError(f"{command} is not begun: {page.inner_text('#panel-message')}")


def ended(page: Page) -> None:
    """Wait until no job is running."""
    until(page, "() => !window.thistlebot.view.job")


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[max(0, int(len(values) * 0.95 + 0.999) - 1)]


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser of the system."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=[] if os.getuid() else ["--no-sandbox"],
        )
        yield browser
        browser.close()
