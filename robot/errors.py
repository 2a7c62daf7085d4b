"""What can go wrong between a sequence of moves and a turned cube."""

from cube.errors import ThistlebotError


class RigError(ThistlebotError):
    """The rig did not do what was asked of it: a stall, an emergency stop."""


class EmergencyStopError(RigError):
    """The emergency stop is pressed."""


class NotAlignedError(RigError):
    """Faces may stand between detents since a turn was cut off, and nobody said otherwise."""


class StandstillError(RigError):
    """The board says that it turns, and nothing is done."""


class NotPossibleError(RigError):
    """No such rig could do what is asked of it, and nothing was turned: a face without a motor."""


class LinkError(ThistlebotError):
    """The board cannot be reached, or what it says makes no sense."""


class PortMissingError(LinkError):
    """There is no such serial port, or it vanished."""


class PortBusyError(LinkError):
    """Another program holds the port, or the system does not let us open it."""


class NoAnswerError(LinkError):
    """The port opens, yet nothing is heard from it."""


class NoiseError(LinkError):
    """Bytes arrive, but not one of them belongs to a packet of ours."""


class ProtocolVersionError(LinkError):
    """The board speaks another version of the protocol."""


class BoardResetError(LinkError):
    """The board restarted while it was working: what the cube looks like now is unknown."""


class ForeignHostError(LinkError):
    """Another program spoke to the board while we worked with it."""


class AbortedError(RigError):
    """The board stopped before the end of the program: abort, emergency stop, stall or silence.

    Attributes:
        executed: Steps of the program that were turned completely.
        fault: Why the board left its work, a name of `robot.protocol.messages.Fault` in small
            letters; empty when it is not to blame.
        parts: What the motor turns that stalled, or the motors whose drivers do not answer; empty
            when that is not known.
    """

    def __init__(
        self, message: str, executed: int, fault: str = "", parts: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.executed = executed
        self.fault = fault
        self.parts = parts


class SimulatorError(RigError):
    """The AVR simulator is not built, or failed."""
