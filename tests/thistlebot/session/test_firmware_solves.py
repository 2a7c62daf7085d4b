"""The production code over a pseudo-terminal against the real firmware binary."""

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.ports.serial_port import SerialPort
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from solver.stages.stage_tables import load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from stepped_cube import SteppedCube
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.runs.events import Event, Verified
from thistlebot.session.session import Session
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera

SCRAMBLES = 5  # of one board without a pause


@pytest.mark.avr
@pytest.mark.parametrize("first_seed", range(0, 20, SCRAMBLES))
def test_the_firmware_solves_random_scrambles(
    first_seed: int, simulated_board, cache_folder
) -> None:
    """What the cameras see is the cube that the recorded step pulses turned, nothing else."""
    rig = default_rig()
    solver = ThistlethwaiteSolver(load_stage_tables(TableStore(cache_folder / "tables")))
    cubes = [SteppedCube(rig)]

    def turned_state() -> CubeState:
        """The cube placed last, after the step pulses made since."""
        return cubes[-1].follow(simulated_board.step_edges())

    cameras = [
        VirtualCamera(turned_state, corner_viewpoint(camera), seed=number)
        for number, camera in enumerate(CORNER_CAMERAS)
    ]
    reader = RigReader(RigScan(default_rig(), default_views()), cameras)
    events: list[Event] = []
    with RigDriver(SerialPort(str(simulated_board.port), rig.baud), rig) as driver:
        driver.connect()
        driver.prepare()
        session = Session(
            solver.solve,
            rig,
            reader=reader,
            checker=reader,
            driver=driver,
            listeners=[events.append],
            settle=lambda _: None,
        )
        for seed in range(first_seed, first_seed + SCRAMBLES):
            state = random_state(np.random.default_rng(seed))
            cubes.append(SteppedCube(rig, state))
            plan = session.run()
            assert plan.state == state
            assert turned_state() == SOLVED
            turned = MoveSequence.of(cubes[-1].moves).simplified()
            assert turned == plan.program.moves.simplified()
            assert not cubes[-1].misaligned
    verified = [event.solved for event in events if isinstance(event, Verified)]
    assert verified == [True] * SCRAMBLES
    assert "lost 0" in simulated_board.close()
