"""A controller that speaks G-code, as a port to one of our boards.

The firmware's decisions are made by its model on the host, as in `robot.local.local_board`; here
the controller turns the motors, and its reports end the turns. Everything happens in `read` and
`write`: a program that does not read sends nothing, so at most the controller's window is made.
"""

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress

from robot.errors import ControllerError, LinkError, NoAnswerError
from robot.gcode.controller import Controller
from robot.gcode.given_steps import GivenSteps, no_motor
from robot.gcode.grbl import Grbl
from robot.gcode.marlin import Marlin
from robot.ports.port import Clock, MonotonicClock, Port
from robot.protocol.messages import BoardKind, Fault, Reason, ResetCause, Set, State
from robot.protocol.settings import Setting
from robot.rigs.board_file import GCodeFile
from robot.rigs.motor import Motor
from robot.virtual.machine_parts import MachineParts
from robot.virtual.servos import ServoArm
from robot.virtual.virtual_board import VirtualBoard

CONTROLLERS: dict[str, type[Controller]] = {"grbl": Grbl, "marlin": Marlin}
"""The dialects, by the beginnings of a port's name."""
GREETING_S = 8.0
"""Time for a controller to start and to end what an earlier program left in its buffer."""
_ASK_S = 0.3


class ControlledBoard(VirtualBoard):
    """The decisions of the firmware, for motors that a controller turns.

    Args:
        controller: The controller.
    """

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        boot_id = secrets.randbelow(0x10000)
        file = controller.file
        parts = MachineParts(servos=[ServoArm() for _ in range(file.servos)], outputs=[])
        motors = len(file.axes)
        found = re.search(r"(\d+)\.(\d+)", controller.name)
        self.firmware = (int(found[1]), int(found[2]), 0) if found else (0, 0, 0)
        super().__init__(no_motor, boot_id, motors=motors, parts=parts, kind=BoardKind.GCODE)

    def new_steps(self, now_s: float) -> GivenSteps:
        """Return the steps, whose motors the controller moves."""
        self._given = GivenSteps(self._controller, self.parts, self._settings.value, now_s)
        return self._given

    def serve(self, now_s: float) -> None:
        """Process what the controller has reported, and give it what it wants."""
        controller, self._changed = self._controller, True
        ended, controller.ended = controller.ended, []
        for whole in ended:
            self._settle(self._given.arrive(whole=whole))
        if controller.emptied:
            controller.emptied = False
            self._given.drop_given()
            self._settle()
        if self.state is State.MOVING:
            self._given.feed(now_s)

    def stop(self, fault: Fault) -> None:
        """Stop; only the host's abort interrupts the turns that the controller has."""
        moving = self.state in (State.MOVING, State.STOPPING)
        if fault is Fault.HOST_ABORT and moving and self.fault is not Fault.HOST_ABORT:
            self._controller.hold(self.now_s)
        super().stop(fault)

    def enable(self, on: int) -> Reason | None:
        """Switch the motors on or off."""
        reason = super().enable(on)
        if reason is None and on <= 1:
            self._controller.energize(on=bool(on))
        return reason

    def fail(self, *, lost: bool) -> None:
        """Give up: at detents, or as after a restart if that is not certain."""
        if lost:
            self.reset(self.boot_id + 1, ResetCause.UNKNOWN)
            return
        self._leave(State.ABORTED, Fault.BOARD_ERROR)

    def _release_motors(self) -> None:
        super()._release_motors()
        self._controller.energize(on=False)

    def _take_set(self, message: Set) -> Reason | None:
        reason = super()._take_set(message)
        if reason is not None or message.key != Setting.ACCELERATION_STEPS_S2:
            return reason
        if message.motor not in self._controller.motors:
            return None
        own = self._controller.acceleration(message.motor)
        if self._controller.file.write_settings:
            if abs(own - message.value) > 0.01 * own:
                self._controller.accelerate(message.motor, message.value)
        elif message.value > 1.01 * own:
            return Reason.OUT_OF_RANGE
        return None


class GCodeBoard:
    """Implements `robot.ports.port.Port`.

    Args:
        port: The serial port, or a virtual controller's.
        dialect: A key of `CONTROLLERS`.
        file: The controller's axes.
        motors: The rig's motors.
        clock: The clock.

    Raises:
        NoAnswerError: No controller of this dialect answers.
        ControllerError: It is locked, or its settings do not fit the rig; the message says what to
            send.
    """

    def __init__(
        self,
        port: Port,
        dialect: str,
        file: GCodeFile,
        motors: Mapping[str, Motor],
        clock: Clock | None = None,
    ) -> None:
        self._port = port
        self._dialect = dialect
        self._file = file
        self._motors = {motor.channel: motor for motor in motors.values()}
        self._clock = clock or MonotonicClock()
        self._controller: Controller
        self._greet()

    @property
    def name(self) -> str:
        """The port's name, with the dialect."""
        return f"{self._dialect}:{self._port.name}"

    @property
    def controller(self) -> Controller:
        """The controller, greeted."""
        return self._controller

    def read(self, timeout_s: float) -> bytes:
        """Return what the board says; meanwhile, serve the controller."""
        deadline_s = self._clock.now_s() + timeout_s
        self._listen(0.0)
        while True:
            self._serve()
            now_s = self._clock.now_s()
            if (data := self._board.output()) or now_s >= deadline_s:
                return data
            wakes = (deadline_s, self._board.next_wake_s(), self._controller.next_wake_s())
            self._listen(min(wake_s for wake_s in wakes if wake_s > now_s) - now_s)

    def write(self, data: bytes) -> None:
        """Give the board bytes of our protocol."""
        self._board.receive(data, self._clock.now_s())
        self._serve()

    def reopen(self) -> None:
        """Open the port again, and greet the controller."""
        self._port.reopen()
        self._greet()

    def close(self) -> None:
        """Close the port; at rest, the motors are switched off, since nothing else would do it.

        The turns that the controller has are made.
        """
        with suppress(LinkError):  # of a port that is lost or closed already
            if not self._controller.given and not self._controller.silent:
                self._controller.energize(on=False)
                self._controller.poll(self._clock.now_s())
                self._flush()
        self._port.close()

    def _greet(self) -> None:
        controller = CONTROLLERS[self._dialect](self._file, self._motors)
        self._controller = controller
        deadline_s = self._clock.now_s() + GREETING_S
        while not controller.greeted:
            now_s = self._clock.now_s()
            if now_s >= deadline_s:
                raise NoAnswerError(_SILENT.format(self.name))
            controller.greet(now_s)
            self._listen(_ASK_S)
            self._raise_trouble()
        lines = controller.differences()
        self._raise_trouble()
        if lines and not self._file.write_settings:
            raise ControllerError(_DIFFERENT.format(self.name, "\n  ".join(lines)))
        controller.write(lines)
        self._board = ControlledBoard(controller)

    def _listen(self, timeout_s: float) -> None:
        """Send what waits, and process what comes within a time."""
        self._flush()
        data = self._port.read(timeout_s)
        self._controller.receive(data, self._clock.now_s())
        self._flush()

    def _flush(self) -> None:
        if self._controller.out:
            self._port.write(bytes(self._controller.out))
            self._controller.out.clear()

    def _serve(self) -> None:
        now_s = self._clock.now_s()
        self._board.advance(now_s)
        self._controller.poll(now_s)
        self._board.serve(now_s)
        self._flush()
        if self._controller.trouble:
            self._board.fail(lost=self._controller.trouble.lost)
        self._raise_trouble()

    def _raise_trouble(self) -> None:
        controller = self._controller
        if controller.silent:
            raise NoAnswerError(f"{self.name} does not answer any more: check its cable and supply")
        if controller.trouble is not None:
            text, controller.trouble = controller.trouble.text, None
            controller.given.clear()
            raise ControllerError(f"{self.name}: {text}")


_SILENT = (
    "nothing on {} answers like such a controller: check its supply, the baud rate in the rig "
    "file, and the dialect that the port's name begins with"
)
_DIFFERENT = (
    "the settings of {} do not fit the rig file. Send these lines in a serial terminal, or set "
    "write_settings = true in [board]:\n  {}"
)
