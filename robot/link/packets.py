"""Packets as text, for people who look on, and the packets that a program becomes."""

from robot.protocol.frames import FrameDecoder, Garbage, Packet, encode_frame
from robot.protocol.messages import NO_MOTOR, SPEC_BY_KIND, MoveStep
from robot.protocol.schema import Message
from robot.rigs.program import ProgramStep, RigProgram


def step_message(step: ProgramStep, number: int = 0) -> MoveStep:
    """Turn a step of a program into its message.

    Args:
        step: One or two turns.
        number: Count of the move since the board's start; the link fills it in when it sends.
    """
    first = step.turns[0]
    second = step.turns[1] if len(step.turns) > 1 else None
    return MoveStep(
        number=number & 0xFFFF,
        motor_a=first.channel,
        quarters_a=first.quarter_turns,
        motor_b=second.channel if second else NO_MOTOR,
        quarters_b=second.quarter_turns if second else 0,
        overlap=step.overlap_steps,
    )


def describe_message(message: Message) -> str:
    """Write a message as one line, such as "ENABLE on=1"."""
    spec = SPEC_BY_KIND[type(message)]
    values = (f"{field.name}={_text(getattr(message, field.name))}" for field in spec.fields)
    return " ".join((spec.name, *values))


def describe_program(program: RigProgram) -> list[str]:
    """Write the packets of a program, numbered from 1 as for a board that has just started."""
    lines = []
    for number, step in enumerate(program.steps, start=1):
        message = step_message(step, number)
        frame = encode_frame(message, (number - 1) % 256).hex(" ")
        moves = str(step.moves)
        lines.append(f"{step.start_s:8.3f} s  {moves:<6} {frame}  {describe_message(message)}")
    return lines


class PacketLog:
    """Reads along on one direction of a line."""

    def __init__(self, arrow: str) -> None:
        self._arrow = arrow
        self._decoder = FrameDecoder()

    def lines(self, data: bytes) -> list[str]:
        """Describe the packets that some bytes complete."""
        lines = []
        for received in self._decoder.feed(data):
            match received:
                case Packet(seq, message):
                    lines.append(f"{self._arrow} {seq:3d} {describe_message(message)}")
                case Garbage(size, problem):
                    lines.append(f"{self._arrow}   ? {size} bytes dropped: {problem}")
                case _:
                    lines.append(f"{self._arrow}   ? HELLO_REPLY of another protocol version")
        return lines


def _text(value: object) -> str:
    return str(getattr(value, "name", value))
