"""What `benchmarks/pi/arm64` takes into its root: `python -m benchmarks.pi.parcel FOLDER`.

It writes `locked.txt`, the locked packages with their hashes that the program, the build of its
wheel and the tests of the kernels and of decoding need; `photos`, six faces of one cube; and
`doubt`, the same photos with two of them exchanged.
"""

import re
import sys
from importlib.metadata import requires
from pathlib import Path

import cv2
import numpy as np
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cube.random_states import random_state
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

_ROOT = Path(__file__).resolve().parents[2]
_ARM64 = {"platform_machine": "aarch64", "extra": ""}
_TOOLS = (
    "hatchling",
    "pytest",
    "pytest-timeout",
    "pytest-xdist",
    "hypothesis",
    "axe-playwright-python",
)


def needed(*wanted: str) -> set[str]:
    """Return the names of the packages and of all that they need on arm64, without extras."""
    names: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in names:
            names.add(name)
            lines = map(Requirement, requires(name) or ())
            waiting += [r.name for r in lines if not r.marker or r.marker.evaluate(_ARM64)]
    return names


def main(folder: Path) -> None:
    """Write the parcel."""
    names = needed("thistlebot", *_TOOLS) - {"thistlebot"}
    lists = "".join(file.read_text() for file in sorted(_ROOT.glob("constraints*.txt")))
    entries = re.split(r"^(?=\S)", lists, flags=re.MULTILINE)
    locked = [entry for entry in entries if entry.partition("==")[0] in names]
    (folder / "locked.txt").write_text("".join(locked))
    photos, doubt = folder / "photos", folder / "doubt"
    photos.mkdir(exist_ok=True)
    doubt.mkdir(exist_ok=True)
    state = random_state(np.random.default_rng(3))
    for face, other in zip("URFDLB", "RUFDLB", strict=True):
        with VirtualCamera(lambda: state, hand_held_viewpoint(face)) as camera:
            picture = camera.read().image
        cv2.imwrite(str(photos / f"{face}.png"), picture)
        cv2.imwrite(str(doubt / f"{other}.png"), picture)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
