"""Files of the program that are not code: the firmware, its binaries and the documents.

A wheel contains them in `thistlebot/shipped` (`hatch_build.py` puts them there); in a checkout they
are in their usual places.
"""

from importlib import resources
from pathlib import Path


def shipped_root(package: Path | None = None) -> Path:
    """Return the folder that contains `firmware`, `docs` and the README.

    Args:
        package: Folder of the package `thistlebot`; by default that of this module.
    """
    package = package or Path(str(resources.files("thistlebot")))
    packed = package / "shipped"
    return packed if packed.is_dir() else package.resolve().parent


def shipped_site(root: Path) -> Path | None:
    """Return the folder of the documentation as web pages, or None if they are not there.

    `make docs` builds those of a checkout.
    """
    site = root / ("site" if root.name == "shipped" else "build/site")
    return site if (site / "index.html").is_file() else None


def shipped_hex(board: str, root: Path) -> Path:
    """Return the place of a board's binary; `make hex` builds those of a checkout.

    Args:
        board: As for `flash`; the two kinds of Nano have one binary.
        root: See `shipped_root`.
    """
    folder = root / ("hex" if root.name == "shipped" else "build/hex")
    return folder / f"{board.removesuffix('-old')}.hex"
