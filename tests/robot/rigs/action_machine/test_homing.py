"""Steppers that find their home: on a virtual board, and on the real firmware."""

import contextlib
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from benches import SCRAMBLED, Bench, Killed, MachineBench, MortalPort, Story, machine
from link_peer import reply

from cube.moves import MoveSequence
from robot.errors import AbortedError, NotPossibleError
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import Fault
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import Home
from robot.rigs.parts import require_board
from robot.rigs.program import Pose
from robot.running.driver import RigDriver

MOVES = MoveSequence.parse("R U2 F'")


def homed_claws(sides: str) -> ActionMachine:
    """Claws whose fingers are open where a switch closes; they are closed when switched on."""
    rig = machine("claws")
    fingers = {
        f"{side}-fingers": msgspec.structs.replace(
            rig.variables[f"{side}-fingers"],
            steps=(690, 80, 0),
            home=Home(switch=number, travel=-900),
        )
        for number, side in enumerate(sides)
    }
    return msgspec.structs.replace(rig, variables=rig.variables | fingers)


def test_a_stepper_with_a_switch_finds_its_home_before_the_cube_is_turned() -> None:
    rig = homed_claws("RF")
    bench = MachineBench(rig)
    assert bench.driver.status().fault is Fault.NONE
    bench.driver.run(rig.plan(MOVES))
    assert bench.virtual.state == SCRAMBLED.apply(MOVES)
    # Wherever it stood after a stop, it is at its start then.
    channel = rig.motors["R-fingers"].channel
    bench.virtual.board.press_estop()
    bench.virtual.board.release_estop()
    bench.virtual.parts.move(channel, -300)
    bench.driver.prepare()
    assert bench.virtual.parts.position(channel) == 0
    with pytest.raises(NotPossibleError, match="F-fingers at 'flip'"):
        rig.ready(Pose((3, 0, 0, 1)))  # it may hold the cube, and going home would drop it


def test_a_switch_that_the_board_lacks_is_named_and_one_that_never_closes_is_a_fault() -> None:
    rig = homed_claws("RF")
    with pytest.raises(
        NotPossibleError, match=r"1 switches.*variables\.F-fingers\.home\.switch is 1"
    ):
        require_board(rig.name, rig.wired, replace(reply(), motors=6, switches=1))
    bench = Bench(rig)
    bench.driver.connect()
    bench.virtual.parts.switches = (-1, -1)
    with pytest.raises(AbortedError) as caught:
        bench.driver.prepare()
    assert caught.value.fault == "not_found"


@pytest.mark.parametrize("calls", [8, 30, 60, 90])
def test_a_search_for_home_that_was_interrupted_begins_again(calls: int) -> None:
    rig = msgspec.structs.replace(homed_claws("RF"), host_timeout_ms=100, idle_timeout_ms=0)
    story = Story(rig, 1)
    port = MortalPort(story.virtual)
    host = story.host(port)
    host.connect()
    port.arm(calls)
    with contextlib.suppress(Killed):
        host.prepare()
    story.clock.sleep(5.0)
    again = story.host()
    again.connect()
    again.prepare()
    assert again.pose == rig.start_pose
    for side in "RF":
        assert story.virtual.parts.position(rig.motors[f"{side}-fingers"].channel) == 0


@pytest.mark.avr
def test_the_firmware_counts_from_the_switch(simulated_board: Any) -> None:
    rig = homed_claws("R")
    channel = rig.motors["R-fingers"].channel

    def steps() -> int:
        edges = simulated_board.step_edges()
        return sum(1 if edge.forward else -1 for edge in edges if edge.channel == channel)

    with RigDriver(SerialPort(str(simulated_board.port)), rig) as driver:
        driver.connect()
        with pytest.raises(AbortedError) as caught:
            driver.prepare()
        assert (caught.value.fault, steps()) == ("not_found", -900)
        simulated_board.command("switch close 0")
        driver.prepare()
        assert driver.status().fault is Fault.NONE
        assert steps() == 690 - 1  # one towards the switch, to find it closed
