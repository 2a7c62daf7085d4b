"""Every board turns each of its motors, and stops; four lanes on a Mega."""

import re
from configparser import ConfigParser
from pathlib import Path

import pytest

from robot.protocol.frames import encode_frame
from robot.protocol.messages import PROTOCOL_VERSION, BoardKind, Hello, HelloReply
from robot.simulator import safety_bench as safety
from robot.simulator.avr_simulator import AvrSimulator, Script
from robot.virtual.virtual_board import FIRMWARE_VERSION

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
HEADERS = FIRMWARE / "thistlebot" / "src" / "boards"
MOTORS = {"uno": 6, "nano": 6, "cnc-shield": 4, "mega": 6, "ramps": 6, "mks-gen-l": 5}


@pytest.mark.avr
@pytest.mark.parametrize("board", MOTORS)
def test_a_board_says_what_it_is_and_turns_each_motor(
    simulator: AvrSimulator, script: Script, board: str
) -> None:
    script.motors(400, 50_000, 4_000_000, *range(MOTORS[board]))
    script.at(20, f"send {encode_frame(Hello(2, 1), 0).hex()}")
    script.enable()
    for motor in range(MOTORS[board]):
        script.move(motor, 1 if motor % 2 else -2)
    trace = simulator.run(script, script.now_ms + 40 * MOTORS[board], board)
    (reply,) = trace.messages(HelloReply)
    assert reply.board is BoardKind[board.replace("-", "_").upper()]
    assert reply.motors == MOTORS[board]
    version = reply.firmware_major, reply.firmware_minor, reply.firmware_patch
    assert (reply.protocol, version) == (PROTOCOL_VERSION, FIRMWARE_VERSION)
    turned = [trace.position(motor) for motor in range(MOTORS[board])]
    assert turned == [-800, 400, -800, 400, -800, 400][: MOTORS[board]]
    assert trace.of("enable", level=0)


@pytest.mark.avr
@pytest.mark.parametrize("board", MOTORS)
def test_the_emergency_stop_takes_15_us_on_every_board(simulator: AvrSimulator, board: str) -> None:
    times = 10 if board == "uno" else 2
    assert safety.estop_latency_us(simulator, times, board=board) <= 15


def test_every_board_has_its_row_and_its_place_in_platformio() -> None:
    wiring = (FIRMWARE / "README.md").read_text(encoding="utf-8")
    platformio = ConfigParser(interpolation=None)
    platformio.read(FIRMWARE / "platformio.ini")
    for header in HEADERS.glob("*.h"):
        name = re.search(r'THISTLEBOT_BOARD_NAME "(.+)"', header.read_text(encoding="utf-8"))
        if name is None or name[1] == "host":
            continue
        assert header.stem == name[1].replace("-", "_")
        assert f"| `{name[1]}` |" in wiring
        assert f"env:{name[1]}" in platformio
        assert name[1] in MOTORS
