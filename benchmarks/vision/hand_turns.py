"""Checks that the camera sees the turns of a user who solves a cube by hand, and no false ones.

A user is rendered who scans a cube by hand and then solves it before the webcam, who trembles, has
fingers on the cube, sometimes makes a wrong turn, looks at another side in between, and shows
another face when asked. The turns are those of the program's solver. Nobody taps: a solve that
needs a tap does not count as followed.

    .venv/bin/python benchmarks/vision/hand_turns.py --solves 20
"""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run
from cube.facelets import Facelets
from cube.moves import ALL_MOVES, FACES, Move
from cube.random_states import random_state
from cube.state import CubeState
from thistlebot.config import Folders, load_rig
from thistlebot.reading.hand_guide import HandGuide
from thistlebot.reading.hand_steps import HandSteps
from thistlebot.reading.turn_watch import TurnSight, TurnWatch, WatchStep, telling_faces
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from vision.frame import Frame
from vision.geometry.light import WEBCAM, Light, Optics
from vision.live.capture import CAPTURE_ORDER
from vision.live.known_faces import KnownColours
from vision.reading import CubeReading
from vision.virtual.viewpoints import HandHeldCube

_LIGHTS = {
    "usual": (Light(), WEBCAM),
    "lamp": (Light(ambient=0.35, direct=0.9, gradient=0.2, gloss=0.25), WEBCAM),
    "dim": (Light(), Optics(exposure=0.55, noise_levels=5.0, blur_px=1.0, drift=0.02)),
}
_PATIENCE = 25  # pictures without a verdict after which the user tries something else
_ASKED = 8  # pictures after which the user follows an instruction
_MOST_FACES = 5  # shown for one turn before the user would tap


@dataclass
class Counts:
    """The events of all solves; `say` reports errors."""

    say: Callable[[str], None]
    solves: int = 0
    followed: int = 0
    turns: int = 0
    seen: int = 0
    wrongly_seen: int = 0
    wrong_turns: int = 0
    named: int = 0
    wrongly_named: int = 0
    taps: int = 0
    unseeable: int = 0
    shown: Counter[int] = field(default_factory=Counter)
    waits: list[int] = field(default_factory=list)
    feed_ms: list[float] = field(default_factory=list)

    def figures(self) -> Rows:
        """Report them."""
        yield Figure("solves followed by the camera alone", self.followed, f"of {self.solves}")
        yield Figure("turns seen", self.seen, f"of {self.turns}")
        yield Figure("taps", self.taps)
        yield Figure("taps for turns that no face shows", self.unseeable)
        yield Figure("turns seen that were not made", self.wrongly_seen)
        yield Figure("wrong turns named", self.named, f"of {self.wrong_turns}")
        yield Figure("wrong turns named wrongly", self.wrongly_named)
        for count in sorted(self.shown):
            yield Figure(f"turns for which {count} other faces were shown", self.shown[count])
        yield Figure("pictures from rest to the verdict, median", statistics.median(self.waits))
        yield Figure("time for a picture, median", round(statistics.median(self.feed_ms)), "ms")


class HandSolver:
    """Solves one cube."""

    def __init__(
        self, seed: int, wrong: float, light: str, solving: Solving, counts: Counts
    ) -> None:
        self.rng = np.random.default_rng((seed, 7))
        room, optics = _LIGHTS[light]
        self.cube = HandHeldCube(random_state(self.rng), seed, light=room, optics=optics)
        self.solving = solving
        self.wrong = wrong
        self.counts = counts
        self.watch: TurnWatch | None = None

    def solve(self) -> None:
        """Scan the cube, then turn it to the end."""
        reading = scanned(self.cube)
        if reading is None:
            self.counts.say("the scan did not come to a cube")
            return
        assert reading.facelets is not None
        moves = self.solving(CubeState.from_facelets(reading.facelets)).moves
        steps = HandSteps.of(reading.facelets, moves, dict(reading.scheme))
        self.watch = TurnWatch(KnownColours.of_reading(reading))
        self.counts.solves += 1
        taps = self.counts.taps
        self.look(self.cube.show(str(self.rng.choice(["F", "B"]))))
        while steps.current is not None:
            self.watch.expect(steps.shown, steps.left.moves)
            steps = self.turn(steps)
        self.counts.followed += self.counts.taps == taps

    def turn(self, steps: HandSteps) -> HandSteps:
        """Make one turn, and wait until the camera recognises it."""
        assert steps.current is not None
        move = steps.current.move
        if self.rng.random() < 0.1:  # looks at another side without turning
            self.look(self.cube.show(str(self.rng.choice(list(FACES)))))
            if self.claims(self.look(self.cube.hold(10)), steps):
                return steps.next()
        if self.claims(self.look(self.cube.hold(3)), steps):
            return steps.next()
        if self.rng.random() < self.wrong:
            move = ALL_MOVES[int(self.rng.integers(len(ALL_MOVES)))]
        self.counts.turns += 1
        self.counts.wrong_turns += move != steps.current.move
        self.look(self.cube.turn(move))
        step, faces, waited = self.wait()
        self.counts.shown[faces] += 1
        return self.told(steps, move, step, waited)

    def told(self, steps: HandSteps, made: Move, step: WatchStep, waited: int) -> HandSteps:
        """Continue as the camera says, and count whether that is right."""
        assert steps.current is not None
        wanted = steps.current.move
        if step.sight is TurnSight.SEEN:
            self.counts.waits.append(waited)
            then = steps.next(step.count)
            right = then.shown == self.cube.state.to_facelets()
            self.counts.seen += right
            self.counts.wrongly_seen += not right
            if right:
                return then
            self.counts.say(f"{wanted}: {made} was made, {step.count} turns are claimed")
        elif step.sight is TurnSight.OTHER:
            self.counts.named += made == step.made
            self.counts.wrongly_named += made != step.made
        else:
            # A quarter of a half turn is not reported; otherwise the user would tap.
            self.counts.taps += made == wanted or not (
                wanted.turns == 2 and made.face == wanted.face
            )
            others = [steps.shown, *(after(steps.shown, move) for move in ALL_MOVES)]
            others.remove(after(steps.shown, wanted))
            self.counts.unseeable += not telling_faces(after(steps.shown, wanted), others)
            self.counts.say(
                f"{wanted}: {made} was made; at last {step.face or 'nothing'}: {step.sight}"
            )
        return steps.next() if made == wanted else steps.corrected(made)

    def wait(self) -> tuple[WatchStep, int, int]:
        """Hold the cube, and show other faces, until the camera has recognised a turn.

        Returns:
            The last step, the number of other faces shown, and the number of pictures of the last.
        """
        asked, step = 0, WatchStep(TurnSight.NOTHING)
        for faces in range(_MOST_FACES):
            for waited, frame in enumerate(self.cube.hold(_PATIENCE), start=1):
                step = self.fed(frame)
                if step.sight in (TurnSight.SEEN, TurnSight.OTHER):
                    return step, faces, waited
                asked = asked + 1 if step.sight is TurnSight.UNTELLABLE else 0
                if asked >= _ASKED and step.show:
                    break
            asked = 0
            others = [face for face in step.show if face != self.cube.face] or list(FACES)
            face = others[faces % len(others)]
            self.look(self.cube.show(face, quarters=int(self.rng.integers(4))))
        return step, _MOST_FACES, _PATIENCE

    def claims(self, steps: list[WatchStep], at: HandSteps) -> bool:
        """Return whether a turn is claimed, or named, that was not made."""
        for step in steps:
            if step.sight in (TurnSight.SEEN, TurnSight.OTHER):
                self.counts.wrongly_seen += step.sight is TurnSight.SEEN
                self.counts.wrongly_named += step.sight is TurnSight.OTHER
                self.counts.say(f"nothing was turned, but before {at.current} {step} is claimed")
                return step.sight is TurnSight.SEEN
        return False

    def look(self, frames: Iterable[Frame]) -> list[WatchStep]:
        """Process pictures."""
        return [self.fed(frame) for frame in frames]

    def fed(self, frame: Frame) -> WatchStep:
        """Process one picture."""
        assert self.watch is not None
        begin = time.thread_time()
        step = self.watch.feed(frame)
        self.counts.feed_ms.append(1e3 * (time.thread_time() - begin))
        return step


def after(shown: Facelets, move: Move) -> Facelets:
    """Return the cube after one turn."""
    return CubeState.from_facelets(shown).apply(move).to_facelets()


def scanned(cube: HandHeldCube) -> CubeReading | None:
    """Show the six faces, and return the reading if it is trusted."""
    guide = HandGuide()
    for _ in range(3):
        for face in (*CAPTURE_ORDER,) if guide.reading is None else (guide.start.wanted or "F",):
            for frame in cube.show(face):
                guide.feed(frame)
            for frame in cube.hold(90):
                if guide.feed(frame).captured:
                    break
        reading = guide.conclude()
        if reading is not None and reading.accepted:
            return reading
    return None


def measure(given: Given, report: Report) -> Rows:
    """Simulate many users."""
    counts = Counts(report.screen.note)
    folders = Folders.of_platform()
    solving = Solving(folders.cache, Approach(), load_rig(Path("six"), folders))
    solving.wait()
    for number in report.track(range(given.solves), "solves"):
        light = list(_LIGHTS)[number % len(_LIGHTS)]
        HandSolver(given.seed + number, given.wrong, light, solving, counts).solve()
        counts.say(f"{number + 1} ({light}): {counts.followed} of {counts.solves} followed")
    yield from counts.figures()


if __name__ == "__main__":
    run(parser_of(__doc__, solves=20, wrong=0.05, seed=0), measure)
