"""The kinds of faults: events at host, board or cable while a program runs."""

import signal
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.faults.case import PATIENCE_MS
from benchmarks.faults.play import Play

Step = Callable[[Play], object]
"""Something that happens to host, board or cable, or a run of the program."""


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A fault, or a pair of them.

    Attributes:
        strike: Makes it happen in the middle of a program, and lets the following programs end.
        survivable: Whether the program itself still solves the cube, without a new press.
        patience_ms: Time that the board waits for its host.
    """

    strike: Step
    survivable: bool = False
    patience_ms: tuple[int, ...] = PATIENCE_MS


def _steps(*steps: Step) -> Step:
    """Return several steps as one."""

    def strike(play: Play) -> None:
        for step in steps:
            step(play)

    return strike


def _send(number: int) -> Step:
    return lambda play: play.signal(number)


def _pause(least_s: float, most_s: float) -> Step:
    return lambda play: play.pause(least_s, most_s)


def _board(command: str) -> Step:
    return lambda play: play.board(command)


def _noisy(most: float) -> Step:
    return lambda play: play.relay.noise(play.rng.uniform(0.001, most), play.rng.randrange(10**6))


def _unplugged(play: Play) -> None:
    play.relay.unplug()


def _plugged(play: Play) -> None:
    play.relay.plug()


def _run(play: Play) -> None:
    play.finish("run")


def _silent(least_s: float, most_s: float, during: str = "") -> Step:
    """Stop the program for some time, in which something may happen to the board."""

    def strike(play: Play) -> None:
        play.signal(signal.SIGSTOP)
        play.pause(least_s, most_s)
        if during:
            play.board(during)
        play.signal(signal.SIGCONT)

    return strike


def _too_silent(play: Play) -> None:
    _silent(play.patience_s + 0.05, play.patience_s + 0.6)(play)


def _short_nap(play: Play) -> None:
    _silent(0.02, min(0.8 * play.patience_s, 1.0))(play)
    play.wait()


def _long_nap(play: Play) -> None:
    if play.rng.random() < 0.1:
        _silent(5.5, 6.5)(play)  # also longer than what the host calls a standstill
    else:
        _too_silent(play)
    play.wait()


_killed = _steps(_send(signal.SIGKILL), Play.wait)
_kill = _steps(_killed, _pause(0.0, 0.6), Play.press)
_ctrl_c = _steps(_send(signal.SIGINT), Play.wait, Play.press)
_kill_twice = _steps(
    _killed, _pause(0.0, 0.3), lambda play: play.start("again"), _pause(0.0, 0.5), _kill
)
_reset_and_ctrl_c = _steps(_board("reset"), _pause(0.0, 0.05), _ctrl_c)
_estop_and_ctrl_c = _steps(_board("estop 1"), _pause(0.0, 0.02), _ctrl_c)
_after_silence = _steps(_too_silent, _pause(0.0, 0.4))
_then_run = _steps(Play.wait, _board("estop 0"), _pause(0.05, 0.1), _run)
_SOON = (200, 400)
KINDS = {
    "kill": FaultKind(_kill),
    "kill twice": FaultKind(_kill_twice),
    "kill, then reset": FaultKind(_steps(_killed, _board("reset"), Play.press)),
    "kill, then e-stop": FaultKind(
        _steps(_killed, _board("estop 1"), _pause(0.01, 0.02), _board("estop 0"), Play.press)
    ),
    "kill, then `stop`": FaultKind(_steps(_killed, lambda play: play.finish("stop"), Play.press)),
    "short silence": FaultKind(_short_nap, survivable=True),
    "long silence": FaultKind(_long_nap, survivable=True, patience_ms=_SOON),
    "silence and reset": FaultKind(_steps(_silent(0.0, 0.3, "reset"), Play.wait, Play.press)),
    "silence and e-stop": FaultKind(_steps(_silent(0.0, 0.3, "estop 1"), Play.wait, Play.press)),
    "silence, then Ctrl-C": FaultKind(_steps(_after_silence, _ctrl_c), patience_ms=_SOON),
    "silence, then reset and Ctrl-C": FaultKind(
        _steps(_after_silence, _reset_and_ctrl_c), patience_ms=_SOON
    ),
    "silence, then e-stop and Ctrl-C": FaultKind(
        _steps(_after_silence, _estop_and_ctrl_c), patience_ms=_SOON
    ),
    "Ctrl-C": FaultKind(_ctrl_c),
    "SIGTERM and Ctrl-C": FaultKind(_steps(_send(signal.SIGTERM), _pause(0.0, 0.03), _ctrl_c)),
    "Ctrl-C and kill": FaultKind(_steps(_send(signal.SIGINT), _pause(0.0, 0.03), _kill)),
    "reset": FaultKind(_steps(_board("reset"), Play.wait, Play.press)),
    "reset and Ctrl-C": FaultKind(_reset_and_ctrl_c),
    "e-stop": FaultKind(_steps(_board("estop 1"), Play.wait, _board("estop 0"), Play.press)),
    "e-stop and Ctrl-C": FaultKind(_estop_and_ctrl_c),
    "unplug": FaultKind(
        _steps(_unplugged, _pause(0.02, 1.0), _plugged, Play.wait), survivable=True
    ),
    "unplug and Ctrl-C": FaultKind(
        _steps(
            _unplugged,
            _pause(0.0, 0.1),
            _send(signal.SIGINT),
            _pause(0.1, 0.6),
            _plugged,
            Play.wait,
            Play.press,
        )
    ),
    "unplug and kill": FaultKind(
        _steps(_unplugged, _killed, _pause(0.0, 0.5), _plugged, Play.press)
    ),
    "noise": FaultKind(_steps(_noisy(0.01), Play.wait), survivable=True),
    "noise and kill": FaultKind(_steps(_noisy(0.01), _pause(0.0, 0.1), _kill)),
    "noise and Ctrl-C": FaultKind(_steps(_noisy(0.02), _pause(0.0, 0.1), _ctrl_c)),
    "reset, then `run`": FaultKind(_steps(_board("reset"), _then_run)),
    "e-stop, then `run`": FaultKind(_steps(_board("estop 1"), _then_run)),
}
"""The kinds, in the order of cases."""
