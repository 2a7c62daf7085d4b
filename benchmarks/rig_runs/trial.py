"""A whole run of a rig on its virtual machine, with its faults.

Each run puts a random cube into the virtual machine, looks with its own rendered cameras, solves,
turns through the real protocol and looks again, in simulated time. It must end with a cube that was
seen solved and is solved, or with an error that claims nothing and says what to do; anything else
is wrong.
"""

import functools
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import msgspec
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
from robot.rigs.mechanism import Mechanism
from robot.running.driver import RigDriver
from robot.running.journal import JournalRecord
from robot.virtual.faults import Faults
from solver.stages.solution import Solution
from thistlebot.config import Folders
from thistlebot.events import Event, Looked, Turned
from thistlebot.exit_codes import exit_code_of
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_views import RigScan, load_rig_views
from thistlebot.session.session import Session
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from vision.cameras.camera import Camera
from vision.cameras.proven_camera import ProvenCamera
from vision.geometry.view import View

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
_BUDGET_MS = 60.0
_ADVICE = (
    *("scan", "again", "align", "straight", "by hand", "plug", "check", "solve", "reset"),
    "Change",
)


class KilledError(BaseException):
    """The program was killed, without any cleanup."""


@dataclass(slots=True)
class Memory:
    """Implements `robot.running.journal.ProgramStore` in memory that survives a killed program."""

    record: JournalRecord | None = None

    def begin(self, record: JournalRecord) -> None:
        """Store a record."""
        self.record = record

    def end(self, why: Exception | str = "") -> None:
        """Delete it, or store why it cannot be finished."""
        if self.record is not None:
            self.record = msgspec.structs.replace(self.record, ended=why) if why else None


@dataclass(slots=True)
class RigTrial:
    """One run: its machine, and its events."""

    name: str
    seed: int
    faults: tuple[str, ...]
    rng: np.random.Generator = field(init=False)
    kill_at: tuple[int, int] | None = None
    unplug_at: tuple[int, int] | None = None
    looks: int = 0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng((self.seed, 77))

    def faults_of_rig(self) -> Faults:
        """Draw the faults that the virtual rig can produce itself."""
        made = Faults()
        at = int(self.rng.integers(1, 60))
        if "missed step" in self.faults:
            made = replace(made, slip_at_move=at)
        if "slipped action" in self.faults:
            made = replace(made, loose_at_move=at)
        if "doubled action" in self.faults:
            made = replace(made, doubled_at_move=int(self.rng.integers(1, 60)))
        if "board reset" in self.faults:
            made = replace(made, reset_at_move=int(self.rng.integers(1, 60)))
        return made

    def cameras(self, cameras: tuple[Camera, ...], clock: SimulatedClock) -> tuple[Camera, ...]:
        """Draw the defects of the cameras."""
        spoiled = list(cameras)
        for kind, spoil in _SPOILS.items():
            if kind in self.faults:
                number = int(self.rng.integers(len(spoiled)))
                first, count = int(self.rng.integers(0, 12)), int(self.rng.integers(1, 10))
                count = 10**6 if kind == "red for blue" else count  # it does not end on its own
                spoiled[number] = Spoiled(spoiled[number], first, count, spoil(self.rng))
        return tuple(ProvenCamera(each, clock.now_s) for each in spoiled)

    def run(self) -> CaseOutcome:
        """Run it."""
        rig = named_rig(self.name)
        clock = SimulatedClock()
        views = load_rig_views(rig, None, None, None)
        state = random_state(np.random.default_rng(self.seed))
        world = VirtualWorld(
            rig, state, self.seed, clock, self.faults_of_rig(), views=views, lanes=2
        )
        cameras = self.cameras(world.cameras, clock)
        memory = Memory()
        if "killed host" in self.faults:
            self.kill_at = (int(self.rng.integers(0, 2)), int(self.rng.integers(1, 40)))
        if "dropped link" in self.faults:
            self.unplug_at = (int(self.rng.integers(0, 2)), int(self.rng.integers(1, 40)))
        end, text = "solved", ""
        bench = _Machine(self, rig, clock, world, views, cameras, memory)
        try:
            try:
                bench.solve()
            except KilledError:
                clock.sleep(float(self.rng.uniform(0.0, 20.0)))
                self.kill_at = None
                bench.finish()
                bench.solve()
        except ThistlebotError as error:
            end, text = type(error).__name__, f"{exit_code_of(error)}: {error}"
        except Exception:  # noqa: BLE001 - a bug of ours: it is counted as wrong, with its traceback
            end, text = "bug", traceback.format_exc()
        wrong = self._wrong(end, text, world)
        told = f"{wrong}, after {', '.join(self.faults) or 'nothing'}: {end}\n{text}"
        return CaseOutcome(self.name, len(self.faults), (told,) if wrong else ())

    def _wrong(self, end: str, text: str, world: VirtualWorld) -> str:
        if end == "bug":
            return "ended by a bug"
        if end == "solved":
            if world.rig.state != SOLVED:
                return "claimed solved, and is not"
            return "claimed solved, and the cube was dropped" if world.rig.violations else ""
        if not self.faults:
            return "did not end solved, without a fault"
        if "red for blue" in text and "red for blue" not in self.faults:
            return "blames the camera's format"
        return "" if any(word in text for word in _ADVICE) else "no advice"

    def think(self, clock: SimulatedClock, world: VirtualWorld) -> None:
        """Take long to search; if the motors went off meanwhile, a person may turn a face."""
        if "long search" in self.faults:
            clock.sleep(float(self.rng.uniform(5.0, 200.0)))
            board = world.rig.board  # up to date
            if board.state is State.DISABLED and self.rng.random() < 0.5:
                world.rig.state = world.rig.state.apply(ALL_MOVES[self.rng.integers(18)])

    def strike(self, phase: int, count: int, world: VirtualWorld) -> None:
        """Unplug the cable or kill the program, at the drawn moment."""
        if self.unplug_at == (phase, count):
            self.unplug_at = None
            world.rig.unplug(float(self.rng.choice([0.3, 2.0, 8.0])))
        if self.kill_at == (phase, count):
            raise KilledError


@dataclass(frozen=True, slots=True)
class _Machine:
    trial: RigTrial
    rig: Mechanism
    clock: SimulatedClock
    world: VirtualWorld
    views: tuple[View, ...]
    cameras: tuple[Camera, ...]
    memory: Memory

    def finish(self) -> None:
        """Finish what a killed program left, if possible."""
        record = self.memory.record
        if record is not None and not record.ended and record.target is not None:
            driver = self._connected()
            self._session(driver).resume(record)

    def solve(self) -> None:
        """Look, solve, turn, look again, unless it is done."""
        driver = self._connected()
        driver.prepare()
        self._session(driver).run()

    def _connected(self) -> RigDriver:
        driver = RigDriver(
            self.world.rig, self.rig, self.clock, seed=self.trial.seed, journal=self.memory
        )
        driver.connect()
        return driver

    def _session(self, driver: RigDriver) -> Session:
        def ready() -> RigDriver:
            driver.prepare()
            return driver

        def rest() -> None:
            self.clock.sleep(self.rig.settle_ms / 1000)

        reader = RigReader(RigScan(self.rig, self.views), self.cameras, ready, rest)
        reader.on_stop = lambda done, total: self._hear(Looked(done, total))
        solver = _solver(self.trial.name)
        solver.driver = driver

        def solve(state: CubeState) -> Solution:
            self.trial.think(self.clock, self.world)
            return solver.solving(state)

        return Session(
            solve,
            self.rig,
            reader=reader,
            checker=reader,
            driver=driver,
            listeners=[self._hear],
            settle=self.clock.sleep,
        )

    def _hear(self, event: Event) -> None:
        trial = self.trial
        match event:
            case Looked():
                trial.looks += 1
                trial.strike(0, trial.looks, self.world)
            case Turned(done=done):
                trial.strike(1, done, self.world)
            case _:
                pass


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
