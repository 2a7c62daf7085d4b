"""The errors between a sequence of moves and a turned cube."""

from cube.errors import ThistlebotError


class RigError(ThistlebotError):
    """The rig failed to do what it was told: a stall, an emergency stop."""


class EmergencyStopError(RigError):
    """The emergency stop is pressed."""


class NotAlignedError(RigError):
    """Faces may be between detents since a turn was interrupted, and nobody has aligned them."""


class StandstillError(RigError):
    """The board reports that it turns, but there is no progress."""


class NotPossibleError(RigError):
    """The rig cannot do this, and nothing was turned: a face has no motor, for example."""


class LinkError(ThistlebotError):
    """The board cannot be reached, or its answers make no sense."""


class PortMissingError(LinkError):
    """The serial port does not exist, or it vanished."""


class PortBusyError(LinkError):
    """Another program uses the port, or the system does not let us open it."""


class NoAnswerError(LinkError):
    """The port opens, but nothing answers."""


class NoiseError(LinkError):
    """Bytes arrive, but none of them belongs to one of our packets."""


class ProtocolVersionError(LinkError):
    """The board speaks another version of the protocol."""


class BoardResetError(LinkError):
    """The board restarted while it was working: the state of the cube is unknown."""


class ForeignHostError(LinkError):
    """Another program talked to the board while we worked with it."""


class AbortedError(RigError):
    """The board stopped before the end of the program: abort, emergency stop, stall or silence.

    Attributes:
        executed: Steps of the program that were turned completely.
        fault: Why the board stopped, a name of `robot.protocol.messages.Fault` in lower case; empty
            if the board is not the cause.
        parts: The part whose motor stalled, or the motors whose drivers do not answer; empty if
            that is unknown.
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
