"""A virtual rig whose motors a controller turns that speaks G-code."""

from robot.rigs.board_file import GCodeFile, dialect_of
from robot.virtual.controllers.grbl import VirtualGrbl
from robot.virtual.controllers.marlin import VirtualMarlin
from robot.virtual.controllers.planned_moves import VirtualController
from robot.virtual.virtual_rig import VirtualRig

CONTROLLERS: dict[str, type[VirtualController]] = {"grbl": VirtualGrbl, "marlin": VirtualMarlin}
BITS_PER_BYTE, BAUD = 10, 115_200


class ControlledRig(VirtualRig):
    """A virtual rig; its port takes G-code.

    Attributes:
        controller: The controller.
        dialect: Its dialect, from the rig's port.
    """

    byte_s = BITS_PER_BYTE / BAUD

    def _connect(self, lanes: int) -> None:  # noqa: ARG002 - lanes are those of our boards
        self.dialect = dialect_of(self._rig.port) or "grbl"
        board = self._rig.board
        file = board if isinstance(board, GCodeFile) else GCodeFile()
        kind = CONTROLLERS[self.dialect]
        self.controller = kind(self._turn, file, self._rig.motors, self.parts.servos)

    @property
    def _device(self) -> VirtualController:
        return self.controller
