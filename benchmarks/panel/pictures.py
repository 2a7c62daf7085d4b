"""Takes pictures of the panel: `python -m benchmarks.panel.pictures FOLDER`.

Every page is pictured in all its states, on all screens, light and dark, and axe-core looks for
barriers on each; the command fails if it finds serious ones. The folder ``states`` in FOLDER has a
sheet for each state, and ``panel`` the pictures of docs/panel.md. ``--only hand`` pictures only the
scenes of that name (`benchmarks.panel.states`), and ``--locale fr-FR`` another language.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.panel.album import Album
from benchmarks.panel.connected import chromium
from benchmarks.panel.states import in_all_states


def main() -> int:
    """Take pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--locale", default="en-US")
    given = parser.parse_args()
    album = Album(given.folder)
    with chromium() as browser:
        in_all_states(browser, album, given.only, given.locale)
    return bool(album.findings)


if __name__ == "__main__":
    sys.exit(main())
