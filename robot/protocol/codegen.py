"""Write what follows from the message table: the firmware's header and the tables of the manual.

`python -m robot.protocol.codegen` writes both, `--check` only says whether they are stale.
"""

import argparse
import sys
from pathlib import Path

from robot.protocol.c_header import header_text
from robot.protocol.manual_tables import manual_text

HEADER = Path("firmware/thistlebot/src/core/messages.h")
MANUAL = Path("docs/protocol.md")


def stale_files(root: Path) -> dict[Path, str]:
    """Compare the generated files with the table.

    Args:
        root: The checkout.

    Returns:
        The text that each stale or missing file should have.
    """
    manual = root / MANUAL
    wanted = {
        root / HEADER: header_text(),
        manual: manual_text(manual.read_text(encoding="utf-8")),
    }
    return {
        path: text
        for path, text in wanted.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }


def main(arguments: list[str] | None = None) -> int:
    """Write the generated files, or check them.

    Returns:
        0, or 1 when a file is stale and `--check` was given.
    """
    parser = argparse.ArgumentParser(prog="robot.protocol.codegen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say which files are stale")
    options = parser.parse_args(arguments)
    root = Path(__file__).resolve().parents[2]
    stale = stale_files(root)
    for path, text in stale.items():
        name = path.relative_to(root)
        if options.check:
            sys.stdout.write(f"{name} is stale: run `python -m robot.protocol.codegen`\n")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name} written\n")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
