"""A board that is part of this computer: it uses our protocol, and moves real servos.

The firmware's decisions are made by its model on the host, `robot.virtual.virtual_board`, which the
tests compare with the firmware. Here the model runs in real time, in a thread, and its servos are
outputs of the computer.
"""

import math
import secrets
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from robot.errors import LinkError, PortMissingError
from robot.local.guard import Guard
from robot.local.pulse_outputs import PulseOutputs, open_outputs, unanswered
from robot.protocol.messages import ActionKind, BoardKind, Reason, State, Step
from robot.rigs.board_file import BoardFile
from robot.virtual.machine_parts import MachineParts
from robot.virtual.servos import ServoArm
from robot.virtual.virtual_board import VirtualBoard

HELD_S = 1.0
"""A press that lasts at least this long means STOP."""
_BLINK_S = {"working": 0.5, "failed": 0.15}
_SHUT_DOWN = ("systemctl", "poweroff")


class FrontPins:
    """The button and the lamp of a rig file's ``[board]``.

    A short press starts a solve, a longer one stops the machine, and a very long one shuts the
    computer down if the rig file allows it. The lamp is on when the machine is ready, blinks slowly
    while it works and fast when it has stopped for a reason.

    Args:
        board: The table ``[board]``.
        pressed: Called after a short press.
        held: Called when a press becomes a long one.

    Raises:
        LinkError: A pin cannot be used; the message says what to do.
    """

    def __init__(
        self, board: BoardFile, pressed: Callable[[], None], held: Callable[[], None]
    ) -> None:
        self._pressed = pressed
        self._held = held
        self._shut_down_s = board.shut_down_s
        self._was_held = False
        self._shown = ""
        self._button: Any = None
        self._lamp: Any = None
        if board.button is None and board.lamp is None:
            return
        try:
            from gpiozero import LED, Button, GPIOZeroError
        except ImportError:
            raise LinkError(
                "a button or a lamp needs gpiozero, which is not installed: install thistlebot "
                "with the extra `pi`"
            ) from None
        try:
            if board.button is not None:
                self._button = Button(board.button, hold_time=HELD_S, hold_repeat=True)
                self._button.when_held = self._hold
                self._button.when_released = self._release
            if board.lamp is not None:
                self._lamp = LED(board.lamp)
        except (GPIOZeroError, OSError) as error:
            self.close()
            raise LinkError(
                f"the pins of button and lamp cannot be used ({error}): close other programs that "
                "use them, and add yourself to the group gpio"
            ) from None

    def show(self, state: str) -> None:
        """Let the lamp show ``off``, ``ready``, ``working`` or ``failed``."""
        if self._lamp is None or state == self._shown:
            return
        self._shown = state
        if state in _BLINK_S:
            self._lamp.blink(_BLINK_S[state], _BLINK_S[state])
        elif state == "ready":
            self._lamp.on()
        else:
            self._lamp.off()

    def close(self) -> None:
        """Switch the lamp off, and release the pins."""
        for device in (self._button, self._lamp):
            if device is not None:
                device.close()

    def _hold(self) -> None:
        first, self._was_held = not self._was_held, True
        if first:
            self._held()
        if self._shut_down_s and self._button.held_time + HELD_S >= self._shut_down_s:
            self._shut_down_s = 0.0
            subprocess.run(_SHUT_DOWN, check=False)

    def _release(self) -> None:
        if not self._was_held:
            self._pressed()
        self._was_held = False


BEAT_S = 0.5
_STOPPED = frozenset({State.ABORTED, State.ESTOP})
_SHOWN = {State.IDLE: "ready", State.MOVING: "working", State.STOPPING: "working"}
_ENDING_S = 3.0


class _Servo(ServoArm):
    """A servo that gets its pulses from an output."""

    def __init__(self, give: Callable[[int], None]) -> None:
        super().__init__()
        self._output = give
        self._given = 0

    def give(self, pulse_us: int, now_s: float) -> None:
        super().give(pulse_us, now_s)
        if pulse_us != self._given:
            self._output(pulse_us)
            self._given = pulse_us


class _Firmware(VirtualBoard):
    """Refuses pulses that the rig file does not allow."""

    def __init__(self, board: BoardFile, parts: MachineParts) -> None:
        self._limits = board.pulse_us
        boot_id = secrets.randbelow(0x10000)
        super().__init__(_no_motor, boot_id, motors=0, parts=parts, kind=BoardKind.LOCAL)

    def take(self, step: Step) -> Reason | None:
        shortest, longest = self._limits
        for action in step.actions:
            aims = action.kind is ActionKind.POSITION and action.value
            if aims and not shortest <= action.value <= longest:
                return Reason.OUT_OF_RANGE
        return super().take(step)


class LocalBoard:
    """Implements `robot.ports.port.Port`.

    Args:
        board: The table ``[board]`` of the rig file.
        opened: Opens the outputs.
        guarded: Starts the process that switches the servos off if this program dies.
        held: Called when the button is held, to stop what the machine does.

    Raises:
        LinkError: The outputs are missing, in use, or do not answer; the message says what to do.
    """

    def __init__(
        self,
        board: BoardFile,
        opened: Callable[..., PulseOutputs] = open_outputs,
        guarded: Callable[[BoardFile], Guard] | None = Guard,
        held: Callable[[], None] = lambda: None,
    ) -> None:
        self._board = board
        self._opened = opened
        self._guarded = guarded
        self._changed = threading.Condition()
        self._failure: LinkError | None = PortMissingError("not open yet")
        self._thread: threading.Thread | None = None
        self._guard: Guard | None = None
        self._front: FrontPins | None = None
        self._held = held
        self.reopen()

    @property
    def name(self) -> str:
        """The port's name in messages."""
        return self._board.place

    def read(self, timeout_s: float) -> bytes:
        """Return the bytes that the board sent; wait at most this time for the first one."""
        with self._changed:
            self._changed.wait_for(lambda: self._output or self._failure, timeout_s)
            if self._failure is not None:
                raise self._failure
            data = bytes(self._output)
            self._output.clear()
            return data

    def write(self, data: bytes) -> None:
        """Send bytes to the board."""
        with self._changed:
            if self._failure is None:
                self._attempt(lambda: self._firmware.receive(data, time.monotonic()))
            if self._failure is not None:
                raise self._failure

    def reopen(self) -> None:
        """Open the outputs, with a board that has just started; no servo has pulses."""
        self.close()
        try:
            outputs = self._opened(self._board, alone=True)
        except OSError as error:
            raise unanswered(self._board, error) from None
        try:
            outputs.begin()
            if self._guard is not None:  # of outputs that failed: it must not switch these off
                self._guard.kill()
            self._front = FrontPins(self._board, self._press, self._held)
            self._guard = self._guarded(self._board) if self._guarded else None
        except OSError as error:
            outputs.close()
            raise unanswered(self._board, error) from None
        except LinkError:
            outputs.close()
            raise
        self._outputs = outputs
        self._output = bytearray()
        servos: list[ServoArm] = [
            _Servo(partial(outputs.give, servo)) for servo in range(len(self._board.channels))
        ]
        self._firmware = _Firmware(self._board, MachineParts(servos=servos, outputs=[]))
        self._failure = None
        self._thread = threading.Thread(target=self._live, name="local board", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End; the pulses stop or stay, as the rig file says. A second call does nothing."""
        with self._changed:
            thread, self._thread = self._thread, None
            self._failure = self._failure or PortMissingError(f"{self.name} is closed")
            self._changed.notify_all()
        if thread is None:
            return
        thread.join(_ENDING_S)
        if self._front is not None:
            self._front.close()
        try:
            if self._board.at_end == "off":
                self._outputs.off()
        except OSError:
            if self._guard is not None:
                self._guard.leave()  # which tries on
        else:
            if self._guard is not None:
                self._guard.end()
            self._guard = None
        with suppress(OSError):
            self._outputs.close()

    def _live(self) -> None:
        """Run the board until it is closed or its outputs fail; the body of the thread."""
        beaten_s = -math.inf
        with self._changed:
            while self._failure is None:
                now_s = time.monotonic()
                self._attempt(lambda: self._firmware.advance(time.monotonic()))
                if now_s - beaten_s >= BEAT_S:
                    self._attempt(self._beat)
                    beaten_s = now_s
                wait_s = min(self._firmware.next_wake_s(), beaten_s + BEAT_S) - time.monotonic()
                self._changed.wait(max(0.0, wait_s))

    def _press(self) -> None:
        with self._changed:
            self._attempt(self._firmware.press_button)

    def _beat(self) -> None:
        self._outputs.check()
        if self._guard is not None and not self._guard.beat():
            raise OSError("the servos were switched off, because this program did not respond")

    def _attempt(self, act: Callable[[], None]) -> None:
        """Do something with the board, and store its output or its failure."""
        try:
            act()
        except OSError as error:
            self._failure = unanswered(self._board, error)
            with suppress(OSError):
                self._outputs.off()
        self._output += self._firmware.output()
        if self._front is not None:
            failed = self._failure is not None or self._firmware.state in _STOPPED
            self._front.show("failed" if failed else _SHOWN.get(self._firmware.state, "off"))
        self._changed.notify_all()


def _no_motor(*_: object) -> None:
    """Do nothing: such a board has no steppers."""
