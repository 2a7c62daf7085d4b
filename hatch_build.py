"""Packs what is no code into the wheel: the firmware's sources and the documents.

If given, also the firmware's binaries, and the documents as web pages.

`thistlebot.shipped` finds them there. An editable install finds them in the checkout.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "thistlebot/shipped"
SHIPPED = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "examples", "firmware")
LEFT_OUT = ("firmware/build", "firmware/tools")
"""What was built, and what writes a source file."""
ONLY_IN_SITE = tuple(
    f"{FOLDER}/docs/pictures/{name}" for name in ("panel", "patterns", "diagrams", "solve.webp")
)
"""What the web pages bring, if they are packed, and no command needs."""
BINARIES = "THISTLEBOT_HEX"
"""Names the folder of uno.hex, nano.hex …, one for each board; `make wheel` sets it."""
SITE = "THISTLEBOT_SITE"
"""Names the folder of the web pages; `make wheel` sets it."""


class ShippedFiles(BuildHookInterface[Any]):
    """Adds the files to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say which files go where.

        Raises:
            FileNotFoundError: A binary or the web pages are missing from a folder that was named.
        """
        if version == "editable":
            return
        root = Path(self.root)
        packed = {str(root / name): f"{FOLDER}/{name}" for name in files(root)}
        packed[str(versions(root))] = f"{FOLDER}/versions.txt"
        if folder := os.environ.get(BINARIES):
            for board in boards(root):
                file = Path(folder).resolve() / f"{board}.hex"
                if not file.is_file():
                    raise FileNotFoundError(f"{file} is missing: `make hex` builds it")
                packed[str(file)] = f"{FOLDER}/hex/{board}.hex"
        if folder := os.environ.get(SITE):
            site = Path(folder).resolve()
            if not (site / "index.html").is_file():
                raise FileNotFoundError(f"{site} has no web pages: `make docs` builds them")
            pages = (path for path in sorted(site.rglob("*")) if path.is_file())
            packed = {file: at for file, at in packed.items() if not at.startswith(ONLY_IN_SITE)}
            packed |= {
                str(path): f"{FOLDER}/site/{path.relative_to(site).as_posix()}" for path in pages
            }
        build_data["force_include"].update(packed)


def versions(root: Path) -> Path:
    """Write the locked versions without their hashes, as constraints; return the file."""
    lists = sorted(root.glob("constraints*.txt"))
    locked = "".join(each.read_text(encoding="utf-8") for each in lists)
    file = root / "build" / "versions.txt"
    file.parent.mkdir(exist_ok=True)
    file.write_text("".join(f"{each}\n" for each in re.findall(r"(?m)^[^ ]*==[^ ;]*", locked)))
    return file


def boards(root: Path) -> list[str]:
    """Return the names of the boards that the firmware is built for, from their headers."""
    headers = sorted((root / "firmware" / "thistlebot" / "src" / "boards").glob("*.h"))
    return [
        header.stem.replace("_", "-")
        for header in headers
        if "THISTLEBOT_LOADER" in header.read_text(encoding="utf-8")
    ]


def files(root: Path) -> list[str]:
    """Return the paths of the shipped files below the root, in order."""
    found = []
    for name in SHIPPED:
        top = root / name
        each = [top] if top.is_file() else sorted(path for path in top.rglob("*") if path.is_file())
        found += [path.relative_to(root).as_posix() for path in each]
    left_out = tuple(f"{left}/" for left in LEFT_OUT)
    return [name for name in found if not name.startswith(left_out) and "/__pycache__/" not in name]
