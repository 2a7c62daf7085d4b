"""The production code over a pseudo-terminal against the real firmware: servos, motors on faces.

What the cameras see is the cube that the recorded pulses moved, nothing else.
"""

import pytest
from cubes import cube, cube_after
from recorded_servos import RecordedServos
from world import views_of

from benchmarks.faults.pin_edges import CYCLES_PER_S
from benchmarks.faults.stepped_cube import SteppedCube
from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.serial_port import SerialPort
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig, named_rig
from robot.running.driver import RigDriver
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.cubes.in_machine import parts_of
from run_thistlebot import record, start, thistlebot, told
from thistlebot.events import Event, Verified
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.session.machine import Machine
from thistlebot.session.session import Session
from thistlebot.solving.solver import Solve
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, straight_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

pytestmark = pytest.mark.avr
NEAR = cube_after("R")
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


SOLUTION = MoveSequence.parse("R U F2 L' D B2 R' U2 F L2 D' B R2 U' F' " * 2)
SCRAMBLED = SOLVED.apply(SOLUTION.inverse())


@pytest.mark.parametrize("resets", [False, True])
def test_the_press_after_a_kill_looks_and_ends_solved_once_the_faces_are_aligned(
    simulated_board, monkeypatch: pytest.MonkeyPatch, resets: bool
) -> None:
    turned = SteppedCube(default_rig(), SCRAMBLED)
    cameras = [
        VirtualCamera(lambda: turned.follow(simulated_board.step_edges()), corner_viewpoint(name))
        for name in CORNER_CAMERAS
    ]
    monkeypatch.setattr(Machine, "_opened_reader", lambda self, **_: RigReader(self.scan, cameras))
    cut_off = ("solve", "--facelets", SCRAMBLED.to_facelets().text, "--no-verify")
    first = start(*cut_off, "--method", "thistlethwaite", "--port", simulated_board.port)
    edges = simulated_board.step_edges()
    while len(edges) < 1500:
        edges += simulated_board.step_edges()
        assert first.poll() is None, first.communicate()
    first.kill()
    first.communicate()
    turned.follow(edges)
    press = ["solve", "--json", "--port", simulated_board.port]
    if resets:
        simulated_board.command("reset")
        turned.follow(simulated_board.step_edges())
        refused = thistlebot(*press)
        assert (refused.exit_code, told(refused).type) == (
            ExitCode.NOT_VERIFIED,
            "NotAlignedError",
        )
        assert simulated_board.step_edges() == []
        turned = SteppedCube(default_rig(), turned.state)  # as a person would align it
        align = ("align", "--aligned", "--port", simulated_board.port)
        assert thistlebot(*align).exit_code == 0
    assert record(*press)["verified"] is True
    assert turned.follow(simulated_board.step_edges()) == SOLVED
    assert turned.misaligned == {}
