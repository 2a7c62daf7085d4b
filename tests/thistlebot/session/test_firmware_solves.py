"""The production code over a pseudo-terminal against the real firmware binary."""

import pytest
from world import cube

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.serial_port import SerialPort
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from robot.simulator.stepped_cube import SteppedCube
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.runs.events import Event, Verified
from thistlebot.session.session import Session
from thistlebot.solving.solver import Solve
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera

SEEDS = [range(2), pytest.param(range(2, 20), marks=pytest.mark.exhaustive)]


@pytest.mark.avr
@pytest.mark.parametrize("seeds", SEEDS)
def test_the_firmware_solves_random_scrambles(seeds: range, simulated_board, solve: Solve) -> None:
    """What the cameras see is the cube that the recorded step pulses turned, nothing else."""
    rig = default_rig()
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
            solve,
            rig,
            reader=reader,
            checker=reader,
            driver=driver,
            listeners=[events.append],
            settle=lambda _: None,
        )
        for seed in seeds:
            cubes.append(SteppedCube(rig, cube(seed)))
            plan = session.run()
            assert plan.state == cube(seed)
            assert turned_state() == SOLVED
            turned = MoveSequence.of(cubes[-1].moves).simplified()
            assert turned == plan.program.moves.simplified()
            assert not cubes[-1].misaligned
    verified = [event.solved for event in events if isinstance(event, Verified)]
    assert verified == [True] * len(seeds)
    assert "lost 0" in simulated_board.close()
