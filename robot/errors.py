"""The errors of rigs, boards and ports."""

from cube.errors import ThistlebotError


class RigError(ThistlebotError):
    """The rig failed to carry out a program, such as after a stall or an emergency stop."""


class EmergencyStopError(RigError):
    """The emergency stop is pressed."""


class NotAlignedError(RigError):
    """A turn was interrupted, so faces may be between detents, and nobody has aligned them yet."""


class StandstillError(RigError):
    """The board reports that it turns, but there is no progress."""


class NotPossibleError(RigError):
    """The rig cannot do this, and nothing was turned: a face has no motor, for example."""


class LinkError(ThistlebotError):
    """The board cannot be reached, or its answers are not valid."""


class PortMissingError(LinkError):
    """The serial port does not exist, or it vanished."""


class PortBusyError(LinkError):
    """Another program uses the port, or the system does not let us open it."""


class NoAnswerError(LinkError):
    """The port opens, but nothing answers."""


class ConnectionLostError(LinkError):
    """A board that had answered was lost, and did not come back; its motors may still turn."""


class NoiseError(LinkError):
    """Bytes arrive, but none of them belongs to one of our packets."""


class ProtocolVersionError(LinkError):
    """The board speaks another version of the protocol, or is of an unknown kind."""


class BoardResetError(LinkError):
    """The board restarted while it was working: the state of the cube is unknown."""


class ControllerError(LinkError):
    """A controller that speaks G-code refuses, is locked, restarted, or does not fit the rig."""


class ForeignHostError(LinkError):
    """Another program talked to the board while we worked with it."""


class FalseCountError(LinkError):
    """The board counts steps that it cannot have made: too many, or too early."""


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
