"""Measures how well a camera's position before a known cube is found.

    python benchmarks/vision/camera_placement.py [--cubes 10] [--seed 0]

Random cubes are rendered for the default rig's two cameras, with and without couplers, and for
cameras at random positions; also pictures without a corner of that cube: a single face, and another
cube. A position is right if every sticker of the three visible faces is within 4 pixels.
"""

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.report import Given, Report, Row, Rows, Tenths, Wide, parser_of, run
from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import CubeState
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import CUBE_SIDE_MM, Couplers, facelet_centre
from vision.placement.cube_finder import find_cube
from vision.virtual.background import Background
from vision.virtual.render import Viewpoint
from vision.virtual.viewpoints import corner_viewpoint, hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

CENTRES = np.array([facelet_centre(facelet) for facelet in range(54)])


def anywhere(rng: np.random.Generator) -> Viewpoint:
    """Return a camera of any focal length that looks at a corner, slightly off its centre."""
    focal, share = float(rng.uniform(450, 1100)), rng.uniform(0.35, 1.0)
    distance = 1.6 * CUBE_SIDE_MM * focal / (share * 480)
    away = rng.uniform(0.6, 1.5, 3) * rng.choice([-1, 1], 3)
    target = rng.uniform(-1, 1, 3) * 0.12 * 480 * distance / focal
    x, y, z = (float(v) for v in target + distance * away / np.linalg.norm(away))
    a, b, c = (float(v) for v in target)
    pinhole = Pinhole((x, y, z), (a, b, c), focal_px=focal, roll_deg=float(rng.uniform(0, 360)))
    return Viewpoint("anywhere", pinhole, background=Background.DESK)


def cases(cubes: int, seed: int) -> Iterator[tuple[str, Viewpoint, Facelets, Facelets, int]]:
    """Yield kind, viewpoint, the visible cube, the cube to find, and the seed of the picture."""
    for number in range(seed, seed + cubes):
        rng = np.random.default_rng(number)
        shown = random_state(rng).to_facelets()
        other = random_state(rng).to_facelets()
        for camera in "AB":
            for couplers in (Couplers.CENTRE_COLOUR, Couplers.NONE):
                viewpoint = corner_viewpoint(camera, couplers)
                yield f"camera {camera}, couplers {couplers.value}", viewpoint, shown, shown, number
        yield "anywhere", anywhere(rng), shown, shown, number
        yield "one face", hand_held_viewpoint(FACES[number % 6]), shown, shown, number
        yield "another cube", corner_viewpoint("A"), shown, other, number


def _same(shown: CubeState | Facelets) -> CubeState | Facelets:
    return shown


class PlaceRow(Row):
    """The positions found, the number of right ones, and the errors of the right ones."""

    kind: Wide
    pictures: int
    found: int
    right: int
    most_px: Tenths | None
    median_s: Tenths


def measure(given: Given, report: Report) -> Rows:
    """Find the cubes."""
    results: dict[str, list[tuple[float, float]]] = {}
    shown_all = cases(given.cubes, given.seed)
    for kind, viewpoint, shown, sought, seed in report.track(shown_all, "pictures"):
        with VirtualCamera(partial(_same, shown), viewpoint, seed=seed) as camera:
            image = camera.read().image
        started = time.process_time()
        pose = find_cube(image, sought, WESTERN_SCHEME)
        elapsed_s = time.process_time() - started
        off_px = np.inf
        if pose is not None:
            seen = [i for i in range(54) if FACES[i // 9] in pose.faces]
            there = viewpoint.pinhole.project(CENTRES[seen])
            off_px = float(np.max(np.abs(pose.project(CENTRES[seen]) - there)))
        results.setdefault(kind, []).append((off_px, elapsed_s))
    for kind, measured in results.items():
        off, times = np.array(measured).T
        right = off[off < 4.0]
        counts = len(off), int(np.isfinite(off).sum()), len(right)
        yield PlaceRow(kind, *counts, max(right, default=None), float(np.median(times)))


if __name__ == "__main__":
    run(parser_of(__doc__, cubes=10, seed=0), measure)
