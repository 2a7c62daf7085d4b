"""A program that is killed in the middle, and the next press: on the real firmware."""

import pytest

from benchmarks.faults.stepped_cube import SteppedCube
from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from run_thistlebot import record, start, thistlebot, told
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.rig_reader import RigReader
from thistlebot.session.machine import Machine
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

pytestmark = pytest.mark.avr
SOLUTION = MoveSequence.parse("R U F2 L' D B2 R' U2 F L2 D' B R2 U' F' " * 2)
SCRAMBLED = SOLVED.apply(SOLUTION.inverse())


@pytest.mark.parametrize("resets", [False, True])
def test_the_press_after_a_kill_looks_and_ends_solved_once_the_faces_are_aligned(
    simulated_board, monkeypatch: pytest.MonkeyPatch, resets: bool
) -> None:
    """And its cameras see what the recorded step pulses made of the cube, nothing else."""
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
