"""The driver of a rig: turns faces as programs say, and stops in time."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from robot.errors import EmergencyStopError, NotPossibleError
from robot.link.connection import GREETING_TIMEOUT_S, Connection
from robot.link.events import LinkEvent
from robot.ports.port import Clock, MonotonicClock, Port
from robot.protocol import messages
from robot.protocol.messages import NO_MOTOR, EventKind, Fault, Flag, State
from robot.protocol.settings import SETTINGS, Setting
from robot.rigs.mechanism import Mechanism
from robot.rigs.parts import require_board
from robot.rigs.program import RigProgram
from robot.running.machine_record import MachineRecord
from robot.running.program_runner import ProgramRunner

LATE_PRESS_S = 0.05
"""Time for a press to arrive: the board reports it after 20 ms, USB adapters add up to 16 ms."""


class RigDriver(ProgramRunner):
    """One rig on one port.

    Args:
        port: An open port.
        rig: The rig, with the settings of motors and times.
        clock: The clock; simulated for a virtual rig that nobody watches.
        on_packet: Called with one line of text for each packet in either direction.
        seed: Seed of the greeting's nonces; by default from the system.
        record: The record that an earlier host left of this machine, if there is one.
        keep: Called with each new record, before anything moves and at rest.
    """

    def __init__(
        self,
        port: Port,
        rig: Mechanism,
        clock: Clock | None = None,
        on_packet: Callable[[str], None] | None = None,
        seed: int | None = None,
        *,
        record: MachineRecord | None = None,
        keep: Callable[[MachineRecord], None] = lambda _: None,
    ) -> None:
        clock = clock or MonotonicClock()
        connection = Connection(port, clock, self._on_event, on_packet, seed)
        super().__init__(rig, connection, clock, keep)
        self.record = record
        self._button = False
        self._told: dict[tuple[int, int], int] = {}
        self._active_s = 0.0

    def __enter__(self) -> "RigDriver":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self, timeout_s: float = GREETING_TIMEOUT_S) -> messages.HelloReply:
        """Greet the board; ignore what it sends while it starts.

        Returns:
            The board's description of itself.

        Raises:
            NoAnswerError: Nothing was heard.
            NoiseError: Bytes came, but no packet.
            ProtocolVersionError: The board speaks another version.
            BoardResetError: It is the same board, but it has restarted; connect again.
            PortMissingError: The port vanished.
        """
        self._told.clear()
        self._connection.greet(timeout_s)
        return self._connection.board

    @property
    def lanes(self) -> int:
        """Number of motors that the connected board turns at once."""
        return self._connection.board.lanes

    def use(self, rig: Mechanism) -> None:
        """Change the description of the rig; the next `prepare` sends it to the board."""
        self._rig = rig
        self.pose = None

    def settings(self) -> list[messages.Set]:
        """Return every setting for the connected board; nothing is sent.

        A setting that the rig does not need has its initial value, whatever the board remembers of
        another rig.

        Raises:
            NotPossibleError: The board lacks motors, servos, outputs or inputs of the rig.
        """
        board = self._connection.board
        require_board(self._rig.name, self._rig.wired, board)
        wanted = self._rig.settings(board.board)
        given = {(each.key, each.motor) for each in wanted}
        return wanted + [
            messages.Set(spec.key, motor, spec.default)
            for spec in SETTINGS
            for motor in (range(board.motors) if spec.per_motor else (NO_MOTOR,))
            if (spec.key, motor) not in given
        ]

    def require_released(self) -> None:
        """Refuse if the emergency stop is pressed; nothing is changed.

        Raises:
            EmergencyStopError: It is pressed.
            LinkError: The board cannot be reached.
        """
        _require_released(self.status())

    def why_askew(self) -> str:
        """Return why a face or a part may be out of alignment; empty if none is, as far as known.

        Raises:
            LinkError: The board cannot be reached.
        """
        if self.record is None:
            return ""
        return self.record.at_rest(self._connection.board.boot_id, self.status()).askew

    def prepare(self, *, aligned: bool = False) -> None:
        """Prepare the board: clear an old stop, send the rig's settings, switch the motors on.

        Settings that the board already has are not sent again. Parts that hold cubes stay where
        they are, or end the movement that a stop cut short, if the record of the machine tells
        where that is; otherwise they go to their start. If the motors were switched off at rest,
        the program assumes that nothing moved since: claws may still hold the cube.

        Every face must be at a detent: the call confirms this to the board. Call it before each
        run, because the board switches its motors off after a long rest.

        Args:
            aligned: A person has aligned everything that was askew: the record holds no longer.

        Raises:
            RigError: The emergency stop is pressed, the board lacks motors or inputs of the rig, or
                a part must be brought to its start by hand.
            LinkError: The board cannot be reached.
        """
        self.settings()  # a board that lacks something is not changed
        status = self._wait_for_rest()
        _require_released(status)
        self._note_rest(status)  # before the board forgets whether it cut a step short
        ready, counted = self._ready_program(status, aligned=aligned)
        # An old fault is forgotten, too, if the motors were switched off since.
        if status.state in (State.ABORTED, State.ESTOP) or status.fault is not Fault.NONE:
            self._connection.settle(messages.Clear())
        settings = [
            setting
            for setting in self.settings()
            if self._told.get((setting.key, setting.motor)) != setting.value
        ]
        self._connection.settle(*settings, messages.Enable(on=1))
        self._told |= {(setting.key, setting.motor): setting.value for setting in settings}
        self._active_s = self._clock.now_s()
        if aligned:
            self._note(self._record_of(RigProgram(())))
        self._bring_ready(ready, counted=counted)

    def _ready_program(self, status: messages.Status, *, aligned: bool) -> tuple[RigProgram, bool]:
        """Plan how to get ready, before the motors are switched on.

        Returns:
            The program, and whether the board has counted the motors' steps from their start.
        """
        on = status.state is not State.DISABLED and not status.flags & Flag.ALIGNMENT_UNKNOWN
        known = None if aligned else self.record
        pose = self.pose or (None if known is None else known.pose_in(self._rig))
        between_places = self.pose is None and known is not None and known.between_places
        self.pose = None
        if pose is not None and on and not between_places:
            return RigProgram((), pose), True
        counted = on and pose is not None and known is not None and known.counted
        try:
            return self._rig.ready(pose, counted=counted), counted
        except NotPossibleError:
            if self.record is not None:  # a person brings the parts to their start
                self._note(replace(self.record, poses=()))
            raise

    def keep_on(self) -> bool:
        """Keep the motors on for a program to come, which took a long time to find.

        Returns:
            Whether they have been on since `prepare`. If not, a person may have turned the faces.

        Raises:
            LinkError: The board cannot be reached.
            RigError: The board refuses.
        """
        idle_s = self._told.get((Setting.IDLE_TIMEOUT_MS, NO_MOTOR), 0) / 1000
        if not idle_s or self._clock.now_s() - self._active_s < idle_s / 2:
            return True  # without a packet: that is the usual case
        status = self._connection.status()
        if status.state is State.IDLE:
            self._connection.settle(messages.Enable(on=1))  # its rest begins again
            self._active_s = self._clock.now_s()
        return status.state is not State.DISABLED

    def release(self) -> None:
        """Switch the motor current off; the faces can then be moved by hand.

        Raises:
            LinkError: The board cannot be reached.
            RigError: The board is turning.
        """
        self._connection.settle(messages.Enable(on=0))
        self.pose = None
        if self.record is not None:
            self._note(replace(self.record, poses=()))

    def status(self) -> messages.Status:
        """Ask the board for its condition.

        Raises:
            LinkError: It does not answer.
        """
        return self._connection.status()

    def set(self, motor: int, values: Mapping[Setting, int]) -> None:
        """Write settings of one motor; `prepare` restores the rig's values.

        Raises:
            RigError: The board is turning, or refuses a value.
            LinkError: The board cannot be reached.
        """
        written = [messages.Set(key, motor, value) for key, value in values.items()]
        for key in values:
            self._told.pop((key, motor), None)
        self._connection.settle(*written)

    def wait_for_button(self, timeout_s: float) -> bool:
        """Wait for the solve button on the board.

        Returns:
            Whether it was pressed within the time.

        Raises:
            BoardResetError: The board restarted during the wait; connect again.
            LinkError: The connection was lost and did not come back.
        """
        deadline_s = self._clock.now_s() + timeout_s
        while not self._button and self._clock.now_s() < deadline_s:
            self._connection.pump_or_mend(deadline_s)
        pressed, self._button = self._button, False
        return pressed

    def forget_presses(self) -> None:
        """Forget every press of the button until now, even those that have not arrived yet.

        Raises:
            BoardResetError: The board restarted; connect again.
            LinkError: The connection was lost and did not come back.
        """
        self._connection.status()  # the answer comes after everything in the port's buffer
        deadline_s = self._clock.now_s() + LATE_PRESS_S
        while self._clock.now_s() < deadline_s:
            self._connection.pump_or_mend(deadline_s)
        self._button = False

    def close(self) -> None:
        """Close the port; the motors hold until the board's idle time-out."""
        self._connection.close()

    def _on_event(self, event: LinkEvent) -> None:
        match event:
            case messages.Event(EventKind.BUTTON):
                self._button = True
            case _:
                self._follow_event(event)


def _require_released(status: messages.Status) -> None:
    if status.state is State.ESTOP and status.flags & Flag.ESTOP_DOWN:
        raise EmergencyStopError(
            "the emergency stop is pressed: release it, align the faces and try again"
        )
