"""A whole run of a rig on its virtual machine, with its faults.

Each run puts a random cube into the virtual machine, looks with its own rendered cameras, solves,
turns through the real protocol and looks again, in simulated time. It must end with a cube that was
seen solved and is solved, or with an error that claims nothing and says what to do; anything else
is wrong.
"""

import functools
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.report import CaseOutcome
from benchmarks.rig_runs.spoiled import Spoil, Spoiled, cover, exchange, fail, glare
from cube.errors import ThistlebotError
from cube.moves import ALL_MOVES
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.ports.port import SimulatedClock
from robot.protocol.messages import State
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from robot.running.machine_record import MachineRecord
from solver.stages.solution import Solution
from thistlebot.config import Folders
from thistlebot.events import Event, Looked, Turned
from thistlebot.exit_codes import exit_code_of
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.reading.rig_views import load_rig_views
from thistlebot.session.session import Session
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from vision.cameras.camera import Camera
from vision.cameras.proven_camera import ProvenCamera

sys.path.append(str(Path(__file__).parents[2] / "tests" / "shared"))
from faulty_rig import Faults, FaultyRig

FAULTS = (
    "missed step",
    "slipped action",
    "doubled action",
    "glare",
    "covered camera",
    "failing camera",
    "red for blue",
    "dropped link",
    "killed host",
    "board reset",
    "long search",
)
_SPOILS: dict[str, Callable[[np.random.Generator], Spoil]] = {
    "glare": glare,
    "covered camera": cover,
    "failing camera": fail,
    "red for blue": exchange,
}
_PLUGGED_S = 10.0
"""Time until a person has plugged the cable in again."""
_BUDGET_MS = 60.0
_ADVICE = (
    *("scan", "again", "align", "straight", "by hand", "plug", "check", "solve", "reset"),
    *("Correct", "Turn off"),
)


class KilledError(BaseException):
    """The program was killed, without any cleanup."""


class RigTrial:
    """One run of a machine with its faults.

    Args:
        name: The rig.
        seed: Determines the cube and the moments of the faults.
        faults: Those of FAULTS that strike.
    """

    def __init__(self, name: str, seed: int, faults: tuple[str, ...]) -> None:
        self._name, self._seed, self._faults = name, seed, faults
        self._rng = np.random.default_rng((seed, 77))
        self._clock, self._looks = SimulatedClock(), 0
        self._record: MachineRecord | None = None  # survives a killed program
        self._rig = named_rig(name)
        self._views = load_rig_views(self._rig, None, None, None)
        state = random_state(np.random.default_rng(seed))
        self._world = VirtualWorld(self._rig, state, seed, self._clock, views=self._views)
        self._world.rig = FaultyRig(
            self._rig, self._clock, state, self._drawn_faults(), seed, lanes=2
        )
        self._cameras = self._spoiled_cameras()
        self._kill_at = self._drawn_moment("killed host")
        self._unplug_at = self._drawn_moment("dropped link")

    def _drawn_faults(self) -> Faults:
        """Draw the faults that the virtual rig can produce itself."""
        made = Faults()
        at = int(self._rng.integers(1, 60))
        if "missed step" in self._faults:
            made = replace(made, slip_at_move=at)
        if "slipped action" in self._faults:
            made = replace(made, loose_at_move=at)
        if "doubled action" in self._faults:
            made = replace(made, doubled_at_move=int(self._rng.integers(1, 60)))
        if "board reset" in self._faults:
            made = replace(made, reset_at_move=int(self._rng.integers(1, 60)))
        return made

    def _spoiled_cameras(self) -> tuple[Camera, ...]:
        """Draw the defects of the cameras."""
        spoiled: list[Camera] = list(self._world.cameras)
        for kind, spoil in _SPOILS.items():
            if kind in self._faults:
                number = int(self._rng.integers(len(spoiled)))
                first, count = int(self._rng.integers(0, 12)), int(self._rng.integers(1, 10))
                count = 10**6 if kind == "red for blue" else count  # it does not end on its own
                spoiled[number] = Spoiled(spoiled[number], first, count, spoil(self._rng))
        return tuple(ProvenCamera(each, self._clock.now_s) for each in spoiled)

    def _drawn_moment(self, fault: str) -> tuple[int, int] | None:
        """Draw whether a fault strikes at a look (0) or a turn (1), and at which."""
        if fault not in self._faults:
            return None
        return int(self._rng.integers(0, 2)), int(self._rng.integers(1, 40))

    def run(self) -> CaseOutcome:
        """Run it, and press again once after an error."""
        presses = [self._press()]
        if presses[-1][0] not in ("solved", "bug"):
            self._clock.sleep(_PLUGGED_S)
            presses.append(self._press())
        found = [(self._wrong(*press), *press) for press in presses]
        faults = ", ".join(self._faults) or "nothing"
        told = [f"{wrong}, after {faults}: {end}\n{text}" for wrong, end, text in found if wrong]
        return CaseOutcome(self._name, len(self._faults), tuple(told))

    def _press(self) -> tuple[str, str]:
        """Solve, again after a kill, and return how it ended, with its text."""
        try:
            self._solve()
        except KilledError:
            self._clock.sleep(float(self._rng.uniform(0.0, 20.0)))
            self._kill_at = None
            return self._press()
        except ThistlebotError as error:
            return type(error).__name__, f"{exit_code_of(error)}: {error}"
        except Exception:  # noqa: BLE001 - a bug of ours: it is counted as wrong, with its traceback
            return "bug", traceback.format_exc()
        return "solved", ""

    def _wrong(self, end: str, text: str) -> str:
        if end == "bug":
            return "ended by a bug"
        if end == "solved":
            if self._world.rig.state != SOLVED:
                return "claimed solved, and is not"
            return "claimed solved, and the cube was dropped" if self._world.rig.violations else ""
        if not self._faults:
            return "did not end solved, without a fault"
        if "red for blue" in text and "red for blue" not in self._faults:
            return "blames the camera's format"
        return "" if any(word in text for word in _ADVICE) else "no advice"

    def _solve(self) -> None:
        """Look, solve, turn, look again; what stands askew is aligned by a person before."""
        driver = self._connected()
        aligned = bool(driver.why_askew())
        if aligned:
            self._world.rig.state = self._world.rig.state  # put in again, every part at its start
        driver.prepare(aligned=aligned)
        self._session(driver).run()

    def _connected(self) -> RigDriver:
        driver = RigDriver(
            self._world.rig,
            self._rig,
            self._clock,
            seed=self._seed,
            record=self._record,
            keep=self._keep,
        )
        driver.connect()
        return driver

    def _keep(self, record: MachineRecord) -> None:
        self._record = record

    def _session(self, driver: RigDriver) -> Session:
        def ready() -> RigDriver:
            driver.prepare()
            return driver

        def rest() -> None:
            self._clock.sleep(self._rig.settle_ms / 1000)

        reader = RigReader(RigScan(self._rig, self._views), self._cameras, ready, rest)
        reader.on_stop = lambda done, total: self._hear(Looked(done, total))
        solver = _solver(self._name)
        solver.driver = driver

        def solve(state: CubeState) -> Solution:
            self._think()
            return solver.solving(state)

        return Session(
            solve,
            self._rig,
            reader=reader,
            checker=reader,
            driver=driver,
            listeners=[self._hear],
            settle=self._clock.sleep,
        )

    def _think(self) -> None:
        """Take long to search; if the motors went off meanwhile, a person may turn a face."""
        if "long search" in self._faults:
            self._clock.sleep(float(self._rng.uniform(5.0, 200.0)))
            rig = self._world.rig
            board = rig.board  # up to date
            if board.state is State.DISABLED and self._rng.random() < 0.5:
                rig.state = rig.state.apply(ALL_MOVES[self._rng.integers(18)])

    def _hear(self, event: Event) -> None:
        if isinstance(event, Looked):
            self._looks += 1
            self._strike((0, self._looks))
        elif isinstance(event, Turned):
            self._strike((1, event.done))

    def _strike(self, moment: tuple[int, int]) -> None:
        """Unplug the cable or kill the program, at the drawn moment."""
        if self._unplug_at == moment:
            self._unplug_at = None
            self._world.rig.unplug(float(self._rng.choice([0.3, 2.0, 8.0])))
        if self._kill_at == moment:
            raise KilledError


class _Solver:
    """A solver that is loaded once, and knows the pose of the run's machine."""

    def __init__(self, name: str) -> None:
        self.driver: RigDriver | None = None
        self.solving = Solving(
            Folders.of_platform().cache,
            Approach(budget_ms=_BUDGET_MS),
            named_rig(name),
            pose=lambda: self.driver.pose if self.driver is not None else None,
        )
        self.solving.wait()


@functools.cache
def _solver(name: str) -> _Solver:
    return _Solver(name)


def play(name: str, seed: int) -> CaseOutcome:
    """Run one case with up to two faults, drawn by its seed."""
    rng = np.random.default_rng((seed, 5))
    drawn = tuple(str(kind) for kind in rng.choice(FAULTS, rng.choice((0, 1, 2, 2)), replace=False))
    return RigTrial(name, seed, drawn).run()
