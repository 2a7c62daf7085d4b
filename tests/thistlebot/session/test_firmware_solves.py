"""The production code over a pseudo-terminal against the real firmware binary, with servos.

What the camera sees is the cube that the recorded pulses moved, nothing else. Motors on faces are
in tests/thistlebot/cli/solve/test_after_a_kill.py.
"""

import pytest
from recorded_servos import RecordedServos
from world import cube, views_of

from benchmarks.faults.pin_edges import CYCLES_PER_S
from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.serial_port import SerialPort
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.cubes.in_machine import parts_of
from thistlebot.events import Event, Verified
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.session.session import Session
from thistlebot.solving.solver import Solve
from vision.virtual.viewpoints import straight_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

pytestmark = pytest.mark.avr
NEAR = SOLVED.apply(MoveSequence.parse("R"))
STATES = [NEAR, *(pytest.param(cube(seed), marks=pytest.mark.exhaustive) for seed in range(20))]


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


@pytest.mark.parametrize("state", STATES)
def test_the_firmware_solves_in_a_cradle(state: CubeState, simulated_board, solve: Solve) -> None:
    rig = named_rig("cubotino-fast")
    assert isinstance(rig, ActionMachine)
    machine = RecordedMachine(rig, simulated_board, state)
    ahead = straight_viewpoint(("U",), "above")
    camera = VirtualCamera(machine.shown, ahead, seed=1, covered=machine.hidden)

    events: list[Event] = []
    with RigDriver(SerialPort(str(simulated_board.port), rig.baud), rig) as driver:
        driver.connect()
        driver.prepare()
        machine.follow()
        reader = RigReader(RigScan(rig, views_of(rig.name)), [camera], lambda: prepared(driver))
        parts = {"reader": reader, "checker": reader, "driver": driver}
        session = Session(solve, rig, **parts, listeners=[events.append], settle=lambda _: None)
        assert session.run().state == state
        assert machine.follow().state == SOLVED
        assert machine.cube.violations == []
    assert [each.solved for each in events if isinstance(each, Verified)] == [True]
    assert "lost 0" in simulated_board.close()


def prepared(driver: RigDriver) -> RigDriver:
    driver.prepare()
    return driver
