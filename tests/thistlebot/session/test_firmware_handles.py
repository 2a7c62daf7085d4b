"""The real firmware drives a CUBOTino: its servo pulses, as recorded, move the cube."""

import pytest
from world import cube, views_of

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.serial_port import SerialPort
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from robot.simulator.avr_simulator import CYCLES_PER_S
from robot.simulator.recorded_servos import RecordedServos
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.cubes.turned_cube import parts_of
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.runs.events import Event, Verified
from thistlebot.session.session import Session
from thistlebot.solving.solver import Solve
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


NEAR = SOLVED.apply(MoveSequence.parse("R U"))
STATES = [NEAR, *(pytest.param(cube(seed), marks=pytest.mark.exhaustive) for seed in range(20))]


@pytest.mark.avr
@pytest.mark.parametrize("simulated_board", [8.0], indirect=True)
@pytest.mark.parametrize("state", STATES)
def test_the_firmware_solves_in_a_cradle(state: CubeState, simulated_board, solve: Solve) -> None:
    """What the camera sees is the cube that the recorded servo pulses moved, nothing else."""
    rig = named_rig("cubotino-fast")
    assert isinstance(rig, ActionMachine)
    machine = RecordedMachine(rig, simulated_board, state)
    camera = VirtualCamera(
        machine.shown, straight_viewpoint(("U",), "above"), seed=1, covered=machine.hidden
    )
    events: list[Event] = []
    with RigDriver(SerialPort(str(simulated_board.port), rig.baud), rig) as driver:
        driver.connect()
        driver.prepare()
        machine.follow()

        def ready() -> RigDriver:
            driver.prepare()
            return driver

        reader = RigReader(RigScan(rig, views_of(rig.name)), [camera], ready)
        session = Session(
            solve,
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
