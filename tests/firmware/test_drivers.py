"""TMC2209 drivers on their one-wire UART, and motors that are held, with the firmware itself."""

from typing import Any

import pytest
from avr_simulator import FLOODS, AvrSimulator, Script, Trace
from benches import on_a_uart, with_motors

from cube.moves import MoveSequence
from prepared import build_board
from robot.errors import AbortedError
from robot.ports.port import MonotonicClock
from robot.ports.serial_port import SerialPort
from robot.protocol.frames import STATUS_REQUEST_FRAME
from robot.protocol.messages import (
    BAUD,
    NO_MOTOR,
    Event,
    EventKind,
    Fault,
    StallInput,
    State,
    Status,
)
from robot.protocol.settings import Setting
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver

pytestmark = pytest.mark.avr

GCONF, CHOPCONF, IHOLD_IRUN, TCOOLTHRS, SGTHRS = 0x00, 0x6C, 0x10, 0x14, 0x40


def written(trace: Trace, driver: int) -> dict[int, int]:
    return {
        int(edge.kind.removeprefix("register-"), 16): edge.level
        for edge in trace.edges
        if edge.kind.startswith("register-") and edge.channel == driver
    }


@pytest.mark.parametrize(
    ("board", "line", "flood"),
    [
        ("cnc-shield", 0, None),
        ("cnc-shield", 0, "hello"),
        ("cnc-shield", 0, "noise"),
        ("mega", 1, "status"),
        pytest.param("ramps", 1, "noise", marks=pytest.mark.exhaustive),
    ],
)
def test_a_driver_is_set_up_before_the_first_step(
    simulator: AvrSimulator, script: Script, board: str, line: int, flood: str | None
) -> None:
    build_board(board)
    script.at(1, f"driver tmc2209 {line} 2")
    script.set(Setting.DRIVER_ADDRESS, 1 + 2 + 4 * line, (3,))
    script.set(Setting.DRIVER_CURRENT_MA, 900, (3,))
    script.set(Setting.STALL_THRESHOLD, 70, (3,))
    script.enable()
    script.move(3, 1)
    if flood is not None:
        script.at(script.now_ms, f"send {FLOODS[flood]} {2000 // len(FLOODS[flood])}")
    trace = simulator.run(script, script.now_ms + 250, board)
    registers = written(trace, 4 * line + 2)
    assert registers[GCONF] == 0x1C0
    assert registers[CHOPCONF] == 0x15020053
    assert registers[IHOLD_IRUN] >> 8 & 31 == 28
    assert registers[SGTHRS] == 70
    assert registers[TCOOLTHRS] == 12_000_000 // 256 * 4 * 8 // 17_391
    assert len(trace.steps(3)) == 400
    writes = [edge.cycle for edge in trace.edges if edge.kind.startswith("register-")]
    assert max(writes) < min(trace.steps(3))


@pytest.mark.parametrize("simulated_board", ["mega"], indirect=True)
def test_a_person_is_told_the_motors_whose_drivers_have_no_power(simulated_board: Any) -> None:
    silent, named = {0, 1, 5}, ("channel 0", "face R (channel 1)", "channel 5")
    rig = with_motors(default_rig(), on_a_uart)
    for channel in {*range(6)} - silent:
        simulated_board.command(f"driver tmc2209 {channel // 4} {channel % 4}")
    with RigDriver(SerialPort(str(simulated_board.port), BAUD), rig, MonotonicClock()) as driver:
        driver.connect()
        driver.prepare()
        with pytest.raises(AbortedError) as caught:
            driver.run(rig.plan(MoveSequence.parse("R L")))
    assert (caught.value.fault, caught.value.parts) == ("board_error", ("face R",))
    assert all(name in str(caught.value) for name in named)
    trace = Trace(simulated_board.edges(), (), "")
    assert not any(trace.steps(channel) for channel in range(6))
    assert trace.of("enable")[-1] == trace.of("enable", level=1)[-1]


MOTORS = (0, 3)
SET_UP_MS = 150
"""For two drivers; it takes 45 ms each."""
AT_SPEED = 9
"""Steps until a motor has a quarter of its rate, from which StallGuard is on."""


def wired(how: StallInput = StallInput.SHARED) -> Script:
    """Wire two motors to drivers 0 and 3 of a line."""
    script = Script()
    for motor in MOTORS:
        script.at(1, f"driver tmc2209 0 {motor} {motor}")
        script.set(Setting.DRIVER_ADDRESS, 1 + motor, (motor,))
        script.set(Setting.STALL_THRESHOLD, 70, (motor,))
    script.set(Setting.STALL_INPUT, how)
    return script


def switch_on(script: Script) -> None:
    script.enable()
    script.now_ms += SET_UP_MS


def stalls(trace: Trace) -> list[int]:
    return [event.arg for event in trace.messages(Event) if event.kind == EventKind.STALL]


@pytest.mark.parametrize(
    ("board", "how", "blocked"),
    [
        ("cnc-shield", StallInput.SHARED, 0),
        ("mega", StallInput.SHARED, 3),
        ("mega", StallInput.EACH, 0),
    ],
)
def test_a_motor_that_is_held_stops_the_rig(
    simulator: AvrSimulator, board: str, how: StallInput, blocked: int
) -> None:
    script = wired(how)
    switch_on(script)
    script.at(1, f"block {blocked}")
    (free,) = {*MOTORS} - {blocked}
    script.move(free, 1)
    script.move(blocked, 2)
    script.move(free, 1)
    script.now_ms += 120
    script.at(script.now_ms, f"send {STATUS_REQUEST_FRAME.hex()}")
    trace = simulator.run(script, script.now_ms + 20, board)
    assert len(trace.steps(free)) == 400
    assert AT_SPEED < len(trace.steps(blocked)) < AT_SPEED + 15
    assert stalls(trace) == [blocked]
    (status,) = trace.messages(Status)
    assert (status.state, status.fault) == (State.ABORTED, Fault.STALL)


@pytest.mark.parametrize(
    ("setting", "value", "motor"),
    [
        (Setting.DRIVER_MODE, 1, 3),
        (Setting.STALL_THRESHOLD, 0, 3),
        (Setting.STALL_INPUT, StallInput.NONE, NO_MOTOR),
        (None, 0, 3),  # it is let go of in time
    ],
)
def test_no_stall_is_told_where_nobody_looks(
    simulator: AvrSimulator, setting: Setting | None, value: int, motor: int
) -> None:
    script = wired()
    if setting is not None:
        script.set(setting, value, (motor,))
    switch_on(script)
    script.at(1, "block 3")
    if setting is None:
        script.at(script.now_ms - 1, "unblock 3")
    script.move(3, 1)
    trace = simulator.run(script, script.now_ms + 60, "cnc-shield")
    assert stalls(trace) == []
    assert len(trace.steps(3)) == 400
