"""Outputs that give servos their pulses."""

from typing import Protocol

from robot.errors import PortMissingError
from robot.rigs.board_file import BoardFile


class PulseOutputs(Protocol):
    """Gives pulses to the servos of a local board, 50 times a second.

    Implemented by `robot.local.pca9685.Pca9685` and `robot.local.hardware_pwm.HardwarePwm`. All
    methods raise `OSError` if the hardware does not answer.
    """

    def begin(self) -> None:
        """Set everything up; no servo has pulses."""

    def give(self, servo: int, pulse_us: int) -> None:
        """Give a servo another pulse, microseconds; 0 for none."""

    def check(self) -> None:
        """Make sure that the hardware is still set up as requested.

        Raises:
            OSError: It does not answer, or was reset.
        """

    def off(self) -> None:
        """Stop all pulses."""

    def close(self) -> None:
        """Release the hardware; the pulses stay as they are."""


def open_outputs(board: BoardFile, *, alone: bool) -> PulseOutputs:
    """Open the outputs that a rig file describes.

    Args:
        board: The table ``[board]``.
        alone: Refuse if another program has them.

    Raises:
        LinkError: They are missing, in use, or access is denied; the message says what to do.
        OSError: The hardware does not answer.
    """
    if board.kind == "pca9685":
        from robot.local.pca9685 import Pca9685, open_bus

        return Pca9685(open_bus(board.bus, alone=alone), board)
    from robot.local.hardware_pwm import HardwarePwm

    return HardwarePwm(board, alone=alone)


def unanswered(board: BoardFile, error: OSError) -> PortMissingError:
    """Return the error for hardware that does not answer, with what to do."""
    cure = "check its wiring and its power supply"
    if board.kind == "pca9685":
        cure += f"; `i2cdetect -y {board.bus}` shows the addresses that answer"
    return PortMissingError(f"{board.place} does not answer ({error.strerror or error}): {cure}")
