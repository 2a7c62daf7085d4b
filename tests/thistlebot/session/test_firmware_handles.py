"""The real firmware drives a CUBOTino: its servo pulses, as recorded, move the cube."""

import numpy as np
import pytest

from cube.facelets import Facelets
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.ports.serial_port import SerialPort
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from robot.simulator.avr_simulator import CYCLES_PER_S
from robot.simulator.recorded_servos import RecordedServos
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.cubes.turned_cube import parts_of
from solver.stages.stage_tables import load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.looking.rig_views import load_rig_views
from thistlebot.runs.events import Event, Verified
from thistlebot.session.session import Session
from vision.virtual.viewpoints import straight_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


class RecordedMachine:
    """A cube in a machine of servos, as the recorded pulses moved it."""

    def __init__(self, rig: ActionMachine, board, state: CubeState) -> None:
        self._rig = rig
        self._board = board
        self._parts = parts_of(rig)
        self._servos = RecordedServos(dict(enumerate(self._parts.servos)))
        self._now_s = 0.0
        self.cube = HandledCube(rig, self._parts, state)

    def put_in(self, state: CubeState) -> None:
        """Another cube, into the machine as it stands."""
        self.follow()
        self.cube = HandledCube(self._rig, self._parts, state)
        self.cube.look(self._now_s)

    def follow(self) -> HandledCube:
        """Let the arms follow the pulses made since."""
        for edge in self._board.edges():
            for cycle in self._servos.follow([edge]):
                self._now_s = cycle / CYCLES_PER_S
                self.cube.look(self._now_s)
        return self.cube

    def shown(self) -> Facelets:
        return self.follow().shown

    def hidden(self) -> tuple[str, ...]:
        free = self.follow().stands(self._rig.cameras[0].needs)
        return () if free else tuple(f"U{cell}" for cell in range(1, 10))


SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1, 20))]


@pytest.mark.avr
@pytest.mark.parametrize("simulated_board", [8.0], indirect=True)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_firmware_solves_in_a_cradle(seed: int, simulated_board, cache_folder) -> None:
    """What the camera sees is the cube that the recorded servo pulses moved, nothing else."""
    rig = named_rig("cubotino-fast")
    assert isinstance(rig, ActionMachine)
    state = random_state(np.random.default_rng(seed))
    machine = RecordedMachine(rig, simulated_board, state)
    camera = VirtualCamera(
        machine.shown, straight_viewpoint(("U",), "above"), seed=seed, covered=machine.hidden
    )
    solver = ThistlethwaiteSolver(load_stage_tables(TableStore(cache_folder / "tables")))
    events: list[Event] = []
    with RigDriver(SerialPort(str(simulated_board.port), rig.baud), rig) as driver:
        driver.connect()
        driver.prepare()
        machine.follow()

        def ready() -> RigDriver:
            driver.prepare()
            return driver

        reader = RigReader(RigScan(rig, load_rig_views(rig, None, None, None)), [camera], ready)
        session = Session(
            solver.solve,
            rig,
            reader=reader,
            checker=reader,
            driver=driver,
            listeners=[events.append],
            settle=lambda _: None,
        )
        plan = session.run()
    assert plan.state == state
    assert machine.follow().state == SOLVED
    assert machine.cube.violations == []
    assert [event.solved for event in events if isinstance(event, Verified)] == [True]
    assert "lost 0" in simulated_board.close()
