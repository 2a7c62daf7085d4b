"""The kinds of faults: events at host, board or cable while a program runs."""

import signal
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.faults.case import PATIENCE_MS
from benchmarks.faults.play import Play


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A fault, or a pair of them.

    Attributes:
        strike: Makes it happen in the middle of a program, and lets the following programs end.
        survivable: Whether the cube can still be solved without a new scan.
        old_firmware: On a board that interrupts half turns when its host falls silent.
        patience_ms: Time that the board waits for its host.
    """

    strike: Callable[[Play], None]
    survivable: bool = False
    old_firmware: bool = False
    patience_ms: tuple[int, ...] = PATIENCE_MS


def _kill(play: Play) -> None:
    play.signal(signal.SIGKILL)
    play.wait()
    play.pause(0.0, 0.6)
    play.finish("resume")


def _kill_twice(play: Play) -> None:
    play.signal(signal.SIGKILL)
    play.wait()
    play.pause(0.0, 0.3)
    play.start("resume")
    play.pause(0.0, 0.5)
    _kill(play)


def _stop_verb(play: Play) -> None:
    play.signal(signal.SIGKILL)
    play.wait()
    play.finish("stop")
    play.finish("resume")


def _short_nap(play: Play) -> None:
    _nap(play, 0.02, min(0.8 * play.patience_s, 1.0))


def _long_nap(play: Play) -> None:
    if play.rng.random() < 0.1:
        _nap(play, 5.5, 6.5)  # also longer than what the host calls a standstill
    else:
        _nap(play, play.patience_s + 0.05, play.patience_s + 0.6)


def _nap(play: Play, least_s: float, most_s: float, during: str = "") -> None:
    _sleep(play, least_s, most_s, during)
    play.wait()


def _sleep(play: Play, least_s: float, most_s: float, during: str = "") -> None:
    play.signal(signal.SIGSTOP)
    play.pause(least_s, most_s)
    if during:
        play.board(during)
    play.signal(signal.SIGCONT)


def _nap_and_reset(play: Play) -> None:
    _nap(play, 0.0, 0.3, "reset")
    play.finish("resume")


def _nap_and_estop(play: Play) -> None:
    _nap(play, 0.0, 0.3, "estop 1")
    play.finish("resume")


def _after_a_nap(then: Callable[[Play], None]) -> Callable[[Play], None]:
    """Make a fault strike while a program continues after too long a silence."""

    def strike(play: Play) -> None:
        _sleep(play, play.patience_s + 0.05, play.patience_s + 0.6)
        play.pause(0.0, 0.4)
        then(play)

    return strike


def _ctrl_c(play: Play) -> None:
    play.signal(signal.SIGINT)
    play.wait()
    play.finish("resume")


def _terminate_twice(play: Play) -> None:
    play.signal(signal.SIGTERM)
    play.pause(0.0, 0.03)
    play.signal(signal.SIGINT)
    play.wait()
    play.finish("resume")


def _ctrl_c_and_kill(play: Play) -> None:
    play.signal(signal.SIGINT)
    play.pause(0.0, 0.03)
    _kill(play)


def _reset(play: Play) -> None:
    play.board("reset")
    play.wait()
    play.finish("resume")


def _reset_and_ctrl_c(play: Play) -> None:
    play.board("reset")
    play.pause(0.0, 0.05)
    _ctrl_c(play)


def _kill_and_reset(play: Play) -> None:
    play.signal(signal.SIGKILL)
    play.wait()
    play.board("reset")
    play.finish("resume")


def _estop(play: Play) -> None:
    play.board("estop 1")
    play.wait()
    play.board("estop 0")
    play.finish("resume")


def _estop_and_ctrl_c(play: Play) -> None:
    play.board("estop 1")
    play.pause(0.0, 0.02)
    _ctrl_c(play)


def _kill_and_estop(play: Play) -> None:
    play.signal(signal.SIGKILL)
    play.wait()
    play.board("estop 1")
    play.pause(0.01, 0.02)
    play.board("estop 0")
    play.finish("resume")


def _unplug(play: Play) -> None:
    play.relay.unplug()
    play.pause(0.02, 1.0)
    play.relay.plug()
    play.wait()


def _unplug_and_ctrl_c(play: Play) -> None:
    play.relay.unplug()
    play.pause(0.0, 0.1)
    play.signal(signal.SIGINT)
    play.pause(0.1, 0.6)
    play.relay.plug()
    play.wait()
    play.finish("resume")


def _unplug_and_kill(play: Play) -> None:
    play.relay.unplug()
    play.signal(signal.SIGKILL)
    play.wait()
    play.pause(0.0, 0.5)
    play.relay.plug()
    play.finish("resume")


def _noise(play: Play) -> None:
    play.relay.noise(play.rng.uniform(0.001, 0.01), play.rng.randrange(10**6))
    play.wait()


def _noise_and_kill(play: Play) -> None:
    play.relay.noise(play.rng.uniform(0.001, 0.01), play.rng.randrange(10**6))
    play.pause(0.0, 0.1)
    _kill(play)


def _noise_and_ctrl_c(play: Play) -> None:
    play.relay.noise(play.rng.uniform(0.001, 0.02), play.rng.randrange(10**6))
    play.pause(0.0, 0.1)
    _ctrl_c(play)


def _disk_fills(play: Play) -> None:
    assert play.disk is not None
    play.disk.fill()
    play.wait()


def _disk_fills_and_kill(play: Play) -> None:
    assert play.disk is not None
    play.disk.fill()
    play.pause(0.0, 0.2)
    play.signal(signal.SIGKILL)
    play.wait()
    if play.rng.random() < 0.5:
        play.disk.free()
    play.finish("resume")


def _kill_and_disk_fills(play: Play) -> None:
    assert play.disk is not None
    play.signal(signal.SIGKILL)
    play.disk.fill()
    play.wait()
    play.finish("resume")


def _then_run(end: Callable[[Play], None]) -> Callable[[Play], None]:
    """Turn other moves after a fault that may leave faces askew, instead of the rest."""

    def strike(play: Play) -> None:
        end(play)
        play.wait()
        play.board("estop 0")
        play.pause(0.05, 0.1)
        play.finish("run")

    return strike


def _kill_and_step_clock(*steps_s: float) -> Callable[[Play], None]:
    """Simulate a computer without a clock: after the kill, its time is another one."""

    def strike(play: Play) -> None:
        play.signal(signal.SIGKILL)
        play.wait()
        for step_s in steps_s:
            play.clock_s += step_s
            play.pause(0.0, 0.3)
            play.finish("resume")

    return strike


_HOUR_S, _YEAR_S = 3600.0, 3e7
_SOON = (200, 400)
KINDS = {
    "kill": FaultKind(_kill, survivable=True),
    "kill, old firmware": FaultKind(_kill, survivable=True, old_firmware=True, patience_ms=_SOON),
    "kill twice": FaultKind(_kill_twice, survivable=True),
    "kill twice, old firmware": FaultKind(
        _kill_twice, survivable=True, old_firmware=True, patience_ms=_SOON
    ),
    "kill, then reset": FaultKind(_kill_and_reset),
    "kill, then e-stop": FaultKind(_kill_and_estop),
    "kill, then `stop`": FaultKind(_stop_verb),
    "short silence": FaultKind(_short_nap, survivable=True),
    "long silence": FaultKind(_long_nap, survivable=True, patience_ms=_SOON),
    "long silence, old firmware": FaultKind(
        _long_nap, survivable=True, old_firmware=True, patience_ms=_SOON
    ),
    "silence and reset": FaultKind(_nap_and_reset),
    "silence and e-stop": FaultKind(_nap_and_estop),
    "silence, then Ctrl-C": FaultKind(_after_a_nap(_ctrl_c), patience_ms=_SOON),
    "silence, then reset and Ctrl-C": FaultKind(_after_a_nap(_reset_and_ctrl_c), patience_ms=_SOON),
    "silence, then e-stop and Ctrl-C": FaultKind(
        _after_a_nap(_estop_and_ctrl_c), patience_ms=_SOON
    ),
    "Ctrl-C": FaultKind(_ctrl_c),
    "SIGTERM and Ctrl-C": FaultKind(_terminate_twice),
    "Ctrl-C and kill": FaultKind(_ctrl_c_and_kill),
    "reset": FaultKind(_reset),
    "reset and Ctrl-C": FaultKind(_reset_and_ctrl_c),
    "e-stop": FaultKind(_estop),
    "e-stop and Ctrl-C": FaultKind(_estop_and_ctrl_c),
    "unplug": FaultKind(_unplug, survivable=True),
    "unplug and Ctrl-C": FaultKind(_unplug_and_ctrl_c),
    "unplug and kill": FaultKind(_unplug_and_kill, survivable=True),
    "noise": FaultKind(_noise, survivable=True),
    "noise and kill": FaultKind(_noise_and_kill, survivable=True),
    "noise and Ctrl-C": FaultKind(_noise_and_ctrl_c),
    "disk fills": FaultKind(_disk_fills, survivable=True),
    "disk fills, then kill": FaultKind(_disk_fills_and_kill),
    "kill, then disk fills": FaultKind(_kill_and_disk_fills),
    "reset, then `run`": FaultKind(_then_run(lambda play: play.board("reset"))),
    "e-stop, then `run`": FaultKind(_then_run(lambda play: play.board("estop 1"))),
    "kill, then clock back": FaultKind(_kill_and_step_clock(-_HOUR_S), survivable=True),
    "kill, then clock ahead and back": FaultKind(
        _kill_and_step_clock(10 * _YEAR_S, -20 * _YEAR_S), survivable=True
    ),
}
"""The kinds, in the order of cases."""
