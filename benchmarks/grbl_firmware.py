"""A real Grbl 1.1 in the AVR simulator, with three motors: scrambles and solutions, step by step.

    python -m benchmarks.grbl_firmware grbl.elf --solves 50

The binary is not part of this project: build it from github.com/gnea/grbl (`make`, build/main.elf).
Its steps are read at the pins of a CNC Shield, and turn a cube that notices a wrong one.
"""

import argparse
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from benchmarks import ROOT
from benchmarks.faults.pin_edges import StepReader, read_edges
from benchmarks.faults.stepped_cube import SteppedCube
from cube.moves import Move, MoveSequence
from cube.state import SOLVED
from robot.gcode.board import GCodeBoard
from robot.ports.serial_port import SerialPort
from robot.rigs.board_file import GCodeFile
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver

BAUD, TURNS, MOTORS = 115_200, 20, 3
RATE, ACCELERATION = 8_000, 100_000
"""Grbl changes the speed every 10 ms, so its ramps must be long on an 8-bit board."""
_STARTS_S = 5.0
_WRITTEN_S = 0.1
"""The simulator writes its record every 20 ms."""
_RELEASED = b"estop 1\nstall 1\nbutton release\n"
"""High levels at Abort, Hold and Resume: Grbl expects buttons to ground there."""


class FirmwareSolves(msgspec.Struct, frozen=True):
    """The result of all solves; the time is that between the pulses, by the board's clock."""

    solves: int
    wrong: int
    turns: int
    planned_s: float
    taken_s: float


def shield_rig() -> FaceMotors:
    """Return a rig with three motors at moderate speeds."""
    motors = {
        face: msgspec.structs.replace(motor, rate_steps_s=RATE, acceleration_steps_s2=ACCELERATION)
        for face, motor in default_rig().motors.items()
        if motor.channel < MOTORS
    }
    board = GCodeFile(axes=("X", "Y", "Z"), write_settings=True)
    return msgspec.structs.replace(default_rig(), motors=motors, board=board, gap_us=16)


@contextmanager
def simulated(elf: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Run a binary on a CNC Shield; yield its port and the record of its pins."""
    port, edges = folder / "port", folder / "edges"
    command: list[str | Path] = [
        ROOT / "firmware/build/simulator",
        "--board",
        "cnc-shield",
        "--elf",
        elf,
    ]
    command += ["--baud", str(BAUD), "--link", port, "--edges", edges]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        give_up_s = time.monotonic() + _STARTS_S
        while not port.exists() and time.monotonic() < give_up_s:
            time.sleep(0.01)
        assert process.stdin is not None
        process.stdin.write(_RELEASED)
        process.stdin.flush()
        yield str(port), edges
    finally:
        process.terminate()
        process.wait()


def measure(elf: Path, solves: int, seed: int) -> FirmwareSolves:
    """Scramble and solve a cube again and again."""
    rig, rng = shield_rig(), random.Random(seed)
    cube, pulses = SteppedCube(rig, tolerance_deg=1.0), StepReader()
    wrong = turns = 0
    planned_s = taken_s = 0.0
    assert isinstance(rig.board, GCodeFile)
    with tempfile.TemporaryDirectory() as name, simulated(elf, Path(name)) as (port, edges):
        board = GCodeBoard(SerialPort(port, BAUD), "grbl", rig.board, rig.motors)
        record = edges.open(encoding="ascii")
        with closing(record), RigDriver(board, rig) as driver:
            driver.connect()
            driver.prepare()
            for _ in range(solves):
                moves = scramble(rng, rig.faces)
                for sequence, state in ((moves, SOLVED.apply(moves)), (moves.inverse(), SOLVED)):
                    program = rig.plan(sequence)
                    result = driver.run(program)
                    time.sleep(_WRITTEN_S)
                    made = pulses.read(read_edges(record.read()))
                    made = [edge for edge in made if edge.channel < MOTORS]  # other pins: no motors
                    for edge in made:
                        cube.step(edge.channel, -1 if edge.forward else 1)  # high: backward
                    wrong += cube.state != state
                    turns += result.executed
                    planned_s += program.time_s
                    taken_s += made[-1].time_s - made[0].time_s
    return FirmwareSolves(solves, wrong, turns, round(planned_s, 2), round(taken_s, 2))


def scramble(rng: random.Random, faces: str) -> MoveSequence:
    """Return random moves, each of another face than the one before."""
    moves: list[Move] = []
    while len(moves) < TURNS:
        others = [face for face in faces if not moves or face != moves[-1].face]
        moves.append(Move(rng.choice(others), rng.choice((1, 2, 3))))
    return MoveSequence(tuple(moves))


def main() -> None:
    """Measure, and print the row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("elf", type=Path)
    parser.add_argument("--solves", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    row = measure(asked.elf, asked.solves, asked.seed)
    print(msgspec.json.encode(row).decode())
    raise SystemExit(bool(row.wrong))


if __name__ == "__main__":
    main()
