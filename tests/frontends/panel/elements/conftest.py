"""Small pages with one element each, served for all tests by one program."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page

import panel_desk


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("elements")
    command = [sys.executable, str(Path(panel_desk.__file__).with_name("element_server.py"))]
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "text": True, "cwd": folder}
    with subprocess.Popen(command, env=panel_desk.environment_of(folder), **options) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@pytest.fixture
def address(served: str) -> str:
    """Where they are; nothing was told to them, and no frames were given."""
    httpx.post(f"{served}/reset").raise_for_status()
    return served


@pytest.fixture
def do(address: str) -> Callable[..., None]:
    def call(page: Page, method: str, *arguments: Any) -> None:
        assert page.request.post(f"{address}/do/{method}", data=list(arguments)).ok

    return call


@pytest.fixture
def told(address: str) -> Callable[[], Any]:
    """Ask what the elements told the server: ``told``, ``sockets``."""
    return lambda: httpx.get(f"{address}/told").json()
