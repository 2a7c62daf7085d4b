"""Thistlebot from Python: read a cube, solve it, and turn it on a machine.

Each name is also a name of the package: ``thistlebot.solve``. docs/python.md shows them at work.
"""

import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import numpy as np

from cube.drawing import net_drawing
from cube.held_moves import read_moves
from cube.moves import MoveSequence
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from solver.search.anytime import solve as search
from solver.search.objectives import Objective, load_tables
from solver.stages.solution import Solution
from solver.tables import TableStore
from thistlebot.config import Folders
from thistlebot.events import Event, Listener
from thistlebot.reading.hand_guide import GuideStep, HandGuide
from thistlebot.reading.readers import PhotoReader
from thistlebot.reading.refusal import state_of
from thistlebot.reading.typed_cube import TypedCube
from thistlebot.session.choices import Choices
from thistlebot.session.composing import record_runs, solve_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.session import Plan
from thistlebot.session.target import Target
from thistlebot.session.turning import turn_given
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from vision.cameras.camera_kinds import open_camera
from vision.errors import CameraError
from vision.reading import CubeReading


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube that turns can solve.

    Attributes:
        state: Its pieces.
        scheme: Face letter and colour of each face, as typed; empty if unknown. It does not count
            in comparisons.
    """

    state: CubeState = SOLVED
    scheme: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    @classmethod
    def parse(cls, facelets: str, order: str | None = None) -> Self:
        """Read 54 letters of faces or colours, digits or emoji.

        Args:
            facelets: The stickers; spaces, commas, quotes, names of faces and nets are understood.
            order: The order of the stickers: six faces, such as ``ULFRBD``, or ``net`` for the
                lines of the net. By default it is found.

        Raises:
            AmbiguousCubeError: The text describes different cubes, depending on the order.
            InvalidCubeError: The text is not 54 stickers of six faces or colours.
            UnsolvableCubeError: No turns solve this cube.
        """
        typed = TypedCube.parse(facelets, order)
        return cls(typed.state, tuple((typed.scheme or {}).items()))

    @classmethod
    def scrambled(cls, moves: str) -> Self:
        """Return a solved cube after moves, such as ``R U2 F'``.

        Raises:
            NotationError: The text is not a sequence of moves.
        """
        return cls(SOLVED.apply(read_moves(moves)))

    @classmethod
    def random(cls, seed: int | None = None) -> Self:
        """Return a random cube; every state is equally likely."""
        return cls(random_state(np.random.default_rng(seed)))

    @classmethod
    def of(cls, reading: CubeReading) -> Self:
        """Return the cube of a reading.

        Raises:
            MisreadError: The reading is uncertain; the error names the faces to show again.
            UnsolvableCubeError: The cube is assembled wrongly.
        """
        return cls(state_of(reading))

    def turned(self, moves: str | MoveSequence) -> Self:
        """Return the cube after moves."""
        return replace(self, state=self.state.apply(_sequence(moves)))

    @property
    def facelets(self) -> str:
        """The 54 letters, in the order U R F D L B."""
        return self.state.to_facelets().text

    @property
    def solved(self) -> bool:
        """Whether the cube is solved."""
        return self.state == SOLVED

    def __str__(self) -> str:
        return self.facelets

    def _repr_svg_(self) -> str:
        """Draw the net of the cube in a notebook."""
        return net_drawing(
            self.state.to_facelets(), scheme=dict(self.scheme) or WESTERN_SCHEME
        ).svg()


def read_photos(folder: str | Path, *, any_order: bool = False) -> CubeReading:
    """Read a cube from photos of its six faces.

    Args:
        folder: Contains U.jpg, R.jpg, F.jpg, D.jpg, L.jpg and B.jpg, or PNG files.
        any_order: The photos may have any names, and show the faces in any rotation.

    Raises:
        PhotoError: A photo is missing or cannot be read.
        NoFaceError: A photo shows no face of a cube.
    """
    reader = PhotoReader(Path(folder), None, any_order=any_order)
    return reader.read(reader.look())


def read_camera(
    source: int | str = 0,
    on_step: Callable[[GuideStep], None] = lambda _: None,
    *,
    any_order: bool = False,
) -> CubeReading:
    """Read a cube whose faces a person shows to a webcam, one after another.

    Args:
        source: Index of a webcam, address of a stream, or a video file.
        on_step: Is called after each picture; ``guidance`` says what the person should do next.
        any_order: The faces may come in any order and rotation.

    Raises:
        CameraError: The camera does not open or is lost.
        MisreadError: A recording ends before six faces were captured.
    """
    guide = HandGuide(any_order=any_order)
    with open_camera(source) as camera:
        while True:
            try:
                frame = camera.read()
            except CameraError as error:
                return guide.finish(error)
            on_step(guide.feed(frame))
            reading = guide.conclude()
            if reading is not None and guide.done:
                return reading


def solve(
    cube: Cube,
    *,
    objective: str = "htm",
    budget_ms: float = 100.0,
    threads: int = 1,
    target: Cube | None = None,
    on_better: Callable[[Solution], None] | None = None,
    cancel: threading.Event | None = None,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Find a short solution.

    The first call for an objective builds its tables, which takes 10 to 30 seconds.

    Args:
        cube: The cube to solve.
        objective: ``htm``, ``qtm``, ``axial``, ``axial-qtm``, or a plugin's.
        budget_ms: Processor time of each thread.
        threads: Number of threads that search.
        target: The cube to end with; the solved cube by default.
        on_better: Is called with each better solution.
        cancel: Set this event to get the best solution so far.
        progress: Is called with the share, 0 to 1, of the tables that are built.

    Raises:
        SolverError: No turns lead to the target, or the objective is unknown.
    """
    wanted = Objective(objective)
    store = TableStore(Folders.of_platform().cache / "tables")
    return search(
        cube.state,
        tables=load_tables(store, objective=wanted, progress=progress),
        objective=wanted,
        budget_ms=budget_ms,
        threads=threads,
        target=SOLVED if target is None else _target_of(target).named_as(cube.scheme).state,
        on_better=on_better,
        cancel=cancel,
    )


def _target_of(cube: Cube) -> Target:
    return Target(cube.state, cube.scheme)


def _ignore(event: Event) -> None:
    del event


class Rig:
    """A machine, real or virtual; use it in a ``with`` statement.

    Args:
        rig: Name of a rig, or a rig file; by default ./rig.toml, the user's, or ``six``.
        virtual: Use the virtual rig with rendered cameras. It runs as fast as the computer can
            simulate it.
        port: Serial port of the board; found automatically if None.
        cameras: Sources of the cameras; by default those of the rig file.
        profile: Name of a colour profile.
        seed: Seed of the virtual light.

    Raises:
        ConfigError: The rig file is missing or wrong.
    """

    def __init__(
        self,
        rig: str | Path | None = None,
        *,
        virtual: bool = False,
        port: str | None = None,
        cameras: Iterable[str] = (),
        profile: str | None = None,
        seed: int = 0,
    ) -> None:
        path = None if rig is None else Path(rig)
        self._choices = Choices(path, profile, port, tuple(cameras), virtual, seed)
        self._stop = threading.Event()
        self._stack = ExitStack()
        self._opened: Machine | None = None

    def __enter__(self) -> Self:
        self._opened = self._stack.enter_context(open_machine(self._choices))
        self._opened.hurry()
        self._opened.stopping = self._stop
        return self

    def __exit__(self, *_error: object) -> None:
        self._opened = None
        self._stack.close()

    @property
    def machine(self) -> Machine:
        """The open machine.

        Raises:
            RuntimeError: The rig is used outside its ``with`` statement.
        """
        if self._opened is None:
            raise RuntimeError("open the rig first: with thistlebot.Rig(...) as rig")
        return self._opened

    def put_in(self, cube: Cube) -> None:
        """Put a cube into a virtual rig."""
        self.machine.world.rig.state = cube.state

    def read(self) -> CubeReading:
        """Read the cube in the rig.

        Raises:
            CameraError: A camera does not open or is lost.
        """
        reader = self.machine.view_reader()
        return reader.read(reader.look())

    def plan(self, moves: str | MoveSequence) -> RigProgram:
        """Return the steps that the rig takes to make moves, and how long they last (`time_s`)."""
        return self.machine.rig.plan(_sequence(moves))

    def turn(self, moves: str | MoveSequence, on_event: Listener = _ignore) -> None:
        """Make moves.

        Raises:
            StoppedError: `stop` was called; motors on faces stand at a detent.
            LinkError: The board is missing or lost.
        """
        driver = self._ready()
        listeners = (on_event, record_runs(self.machine, "run"))
        turn_given(driver, self.plan(moves), listeners)

    def solve(
        self,
        approach: Approach | None = None,
        on_event: Listener = _ignore,
        *,
        target: Cube | None = None,
    ) -> Plan:
        """Read the cube, solve it, and look at it again.

        Args:
            approach: How to solve; by default, for the least time on the rig.
            on_event: Is called with each event of `thistlebot.events`.
            target: The cube to end with; the solved cube by default.

        Returns:
            The state that was read, the solution, and the program of the rig.

        Raises:
            MisreadError: The reading is uncertain, and no motor has moved.
            NotVerifiedError: The cube does not show the target at the end.
            StoppedError: `stop` was called; motors on faces stand at a detent.
            LinkError: The board is missing or lost.
        """
        machine = self.machine
        self._ready()
        approach = replace(approach or Approach(), rig_turns=True)
        wanted = None if target is None else _target_of(target)
        with closing(
            Solving(
                machine.folders.cache,
                approach,
                machine.rig,
                lanes=machine.known_lanes,
                pose=machine.known_pose,
            )
        ) as solving:
            return solve_session(machine, solving, (on_event,), target=wanted).run()

    def stop(self) -> None:
        """Stop the motors at the next detent; may be called from any thread."""
        self._stop.set()

    def _ready(self) -> RigDriver:
        self._stop.clear()
        return self.machine.driver()


def _sequence(moves: str | MoveSequence) -> MoveSequence:
    return read_moves(moves) if isinstance(moves, str) else moves
