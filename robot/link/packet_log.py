"""Messages and packets as text, for monitoring."""

from robot.protocol.frames import ForeignHello, FrameDecoder, Garbage, Packet, encode_frame
from robot.protocol.messages import SPEC_BY_KIND, Set
from robot.protocol.schema import Field, Message
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.program import RigProgram


def describe_message(message: Message) -> str:
    """Write a message as one line, such as "ENABLE on=1"."""
    spec = SPEC_BY_KIND[type(message)]
    said = [spec.name, *_values(message, spec.head.fields)]
    if spec.part is not None:
        values = (" ".join(_values(part, spec.part.fields)) for part in message.parts)
        said.append(", ".join(values))
    return " ".join(said)


def where_refused(message: Message) -> str:
    """Return what to do if a board cannot carry out a message."""
    if isinstance(message, Set) and message.key in SETTING_BY_KEY:
        return SETTING_BY_KEY[Setting(message.key)].where_refused
    return "check the rig file"


def _values(part: object, fields: tuple[Field, ...]) -> list[str]:
    return [f"{field.name}={_text(getattr(part, field.name))}" for field in fields]


def describe_program(program: RigProgram) -> list[str]:
    """Write the packets of a program, numbered from 1 as for a board that has just started."""
    lines = []
    for number, step in enumerate(program.steps, start=1):
        message = step.message(number)
        frame = encode_frame(message, (number - 1) % 256).hex(" ")
        moves = str(step.moves)
        lines.append(f"{step.start_s:8.3f} s  {moves:<6} {frame}  {describe_message(message)}")
    return lines


class PacketLog:
    """Decodes the packets in one direction of a line."""

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
                case ForeignHello(version, unknown):
                    why = unknown or f"of protocol version {version}"
                    lines.append(f"{self._arrow}   ? HELLO_REPLY {why}")
        return lines


def _text(value: object) -> str:
    return str(getattr(value, "name", value))
