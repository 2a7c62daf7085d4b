"""What all tests share: their own files, the AVR tools, and hypothesis in measured doses."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "firmware" / "debian-packages.txt"

settings.register_profile(
    "project", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("project")


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for the whole run, so that tables are built once."""
    return tmp_path_factory.getbasetemp() / "cache"


@pytest.fixture(autouse=True)
def own_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache_folder: Path) -> None:
    """Keep the tests away from the files of the person who runs them."""
    for name in list(os.environ):
        if name.startswith("THISTLEBOT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("THISTLEBOT_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(cache_folder))


@pytest.fixture(scope="session")
def avr_tools() -> None:
    """Skip a test that needs the AVR tools where they are missing; with CI=true, fail."""
    missing = [tool for tool in ("avr-gcc", "gcc", "make") if shutil.which(tool) is None]
    headers = ("/usr/include/simavr/sim_avr.h", "/usr/share/arduino/hardware/arduino/avr")
    missing += [path for path in headers if not Path(path).exists()]
    if missing:
        packages = " ".join(PACKAGES.read_text(encoding="utf-8").split())
        text = f"missing: {', '.join(missing)}; apt-get install {packages}"
        if os.environ.get("CI") == "true":
            pytest.fail(text)
        pytest.skip(text)


@pytest.fixture(scope="session")
def firmware_build(avr_tools: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the built firmware and its simulator."""
    subprocess.run(
        ["make", "-C", str(ROOT / "firmware"), "uno", "simulator"],
        check=True,
        capture_output=True,
        text=True,
    )
    return ROOT / "firmware" / "build"
