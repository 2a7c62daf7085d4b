"""How long the virtual board takes for a program."""

from robot.protocol.frames import encode_frame
from robot.protocol.messages import Enable
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.virtual.virtual_board import VirtualBoard


def virtual_time_s(rig: FaceMotors, program: RigProgram, lanes: int = 2) -> float:
    """How long the virtual board turns."""
    turned: list[tuple[float, float]] = []
    board = VirtualBoard(
        lambda _channel, _steps, motion, start_s: turned.append(
            (start_s, start_s + motion.duration_s)
        ),
        lanes=lanes,
    )
    for seq, message in enumerate([*rig.settings(), Enable(1)]):
        board.receive(encode_frame(message, seq), 0.0)
    first = len(rig.settings()) + 1
    for number, step in enumerate(program.steps):
        board.receive(encode_frame(step.message(number + 1), first + number), 0.0)
    board.advance(60.0)
    assert board.executed == len(program.steps)
    return max(end for _, end in turned) - min(start for start, _ in turned)
