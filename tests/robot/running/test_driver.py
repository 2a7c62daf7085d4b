"""The driver over the virtual rig, in simulated time: programs, stops, faults and stories."""

from collections.abc import Callable
from typing import Literal

import msgspec
import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from robot.errors import (
    AbortedError,
    BoardResetError,
    ForeignHostError,
    NoAnswerError,
    NoiseError,
    NotPossibleError,
    PortMissingError,
    ProtocolVersionError,
    RigError,
)
from robot.ports.clock import SimulatedClock
from robot.protocol.messages import MoveStep, State
from robot.protocol.settings import Setting
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress
from robot.virtual.faults import Faults, Impostor
from robot.virtual.virtual_board import VirtualBoard
from robot.virtual.virtual_rig import VirtualRig

SEQUENCE = MoveSequence.parse("R L' U2 D F R U R' U' F2 B2 L D' B U2 R2 F' L2 D B'")


class Bench:
    """A driver, its virtual rig and their clock."""

    def __init__(self, rig: FaceMotors, faults: Faults | None = None, seed: int = 1) -> None:
        self.clock = SimulatedClock()
        self.virtual = VirtualRig(rig, self.clock, faults=faults, seed=seed)
        self.packets: list[str] = []
        self.driver = RigDriver(
            self.virtual, rig, self.clock, on_packet=self.packets.append, seed=seed
        )
        self.program: RigProgram = rig.plan(SEQUENCE)

    def ready(self) -> "Bench":
        self.driver.connect()
        self.driver.prepare()
        return self

    def when_executed(
        self, count: int, action: Callable[[], None]
    ) -> Callable[[RunProgress], None]:
        def listen(progress: RunProgress) -> None:
            if progress.executed == count:
                action()

        return listen


def test_a_program_turns_the_cube_in_its_modelled_time(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    bench.virtual.state = start = random_state(np.random.default_rng(4))
    seen: list[RunProgress] = []
    result = bench.driver.run(bench.program, seen.append)
    assert bench.virtual.state == start.apply(SEQUENCE)
    assert result.executed == len(bench.program.steps) == bench.driver.executed
    assert result.moves == bench.program.moves
    assert result.elapsed_s == pytest.approx(bench.program.time_s, abs=1e-6)
    assert [progress.executed for progress in seen] == list(range(1, result.executed + 1))


def test_an_empty_program_does_nothing(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    result = bench.driver.run(rig.plan(MoveSequence()))
    assert (result.executed, result.elapsed_s) == (0, 0.0)
    assert not any("MOVE_STEP" in line for line in bench.packets)


def test_a_program_longer_than_the_queue_never_overruns_it(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    long = MoveSequence(SEQUENCE.moves * 8)
    bench.driver.run(rig.plan(long))
    assert bench.virtual.state == SOLVED.apply(long)
    assert bench.virtual.board.refusals == []


def test_several_programs_follow_each_other(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    for _ in range(30):
        bench.driver.run(bench.program)
    assert bench.virtual.state == SOLVED.apply(MoveSequence(SEQUENCE.moves * 30))


@pytest.mark.parametrize(
    ("impostor", "error", "words"),
    [
        (Impostor.SILENT, NoAnswerError, "nothing answers on virtual rig"),
        (Impostor.NOISE, NoiseError, "check the baud rate"),
        (Impostor.OTHER_VERSION, ProtocolVersionError, "speaks version 3 of the protocol"),
    ],
)
def test_impostors_are_told_apart(
    rig: FaceMotors, impostor: Impostor, error: type[Exception], words: str
) -> None:
    bench = Bench(rig, Faults(impostor=impostor))
    with pytest.raises(error, match=words):
        bench.driver.connect()
    assert not any("MOVE_STEP" in line or "ENABLE" in line for line in bench.packets)


def test_nothing_is_sent_to_motors_that_the_board_does_not_have(rig: FaceMotors) -> None:
    bench = Bench(rig)
    bench.virtual.board = VirtualBoard(lambda *_: None, motors=3)
    bench.driver.connect()
    with pytest.raises(NotPossibleError, match="the board drives 3 motors"):
        bench.driver.prepare()
    assert not any(" SET " in line or "ENABLE" in line for line in bench.packets)


def test_ctrl_c_stops_at_the_next_detent_and_is_raised_again(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        bench.driver.run(bench.program, bench.when_executed(3, interrupt))
    assert not getattr(caught.value, "__notes__", [])
    turned = bench.driver.executed
    assert turned in (3, 4)
    assert bench.virtual.board.state is State.ABORTED
    bench.clock.sleep(1.0)
    assert bench.virtual.moves[: len(bench.program.moves_of(turned))] == (
        bench.program.moves_of(turned).moves
    )
    assert len(bench.virtual.moves) <= len(bench.program.moves_of(turned + 1))


def test_ctrl_c_with_the_cable_off_says_that_motors_may_turn(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()

    def interrupt() -> None:
        bench.virtual.unplug(60.0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        bench.driver.run(bench.program, bench.when_executed(3, interrupt))
    assert "may still be turning" in caught.value.__notes__[0]


def test_abort_tells_how_many_steps_were_turned(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    with pytest.raises(AbortedError, match=r"stopped after \d+ of 17 steps") as caught:
        bench.driver.run(bench.program, bench.when_executed(5, bench.driver.abort))
    assert caught.value.executed == bench.driver.executed
    turned = bench.program.moves_of(caught.value.executed)
    assert bench.virtual.state == SOLVED.apply(turned)


def test_a_half_turn_is_cut_at_its_middle_detent(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    program = rig.plan(MoveSequence.parse("U2 R"))
    begun_s = bench.clock.now_s()
    bench.virtual.read(0.0)
    bench.driver._connection.link.send(
        MoveStep(number=0, motor_a=0, quarters_a=2, motor_b=0xFF, quarters_b=0)
    )
    bench.driver._connection.pump(begun_s + 0.010)
    bench.clock.sleep(0.010)
    status = bench.driver.stop()
    assert (status.state, status.executed, status.partial_a) == (State.ABORTED, 0, 1)
    assert bench.virtual.state == SOLVED.apply(MoveSequence.parse("U"))
    bench.driver.prepare()
    bench.driver.run(program)
    assert bench.virtual.state == SOLVED.apply(MoveSequence.parse("U U2 R"))


def test_the_rig_works_again_after_a_stop(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    with pytest.raises(AbortedError):
        bench.driver.run(bench.program, bench.when_executed(5, bench.driver.abort))
    bench.virtual.state = SOLVED
    bench.driver.prepare()
    bench.driver.run(bench.program)
    assert bench.virtual.state == SOLVED.apply(SEQUENCE)


def test_a_lost_cable_is_taken_up_again_without_repeating_or_skipping(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    long = rig.plan(MoveSequence(SEQUENCE.moves * 5))
    result = bench.driver.run(long, bench.when_executed(7, lambda: bench.virtual.unplug(3.0)))
    assert bench.virtual.moves == long.moves.moves
    assert result.executed == len(long.steps)


def test_a_host_that_was_silent_for_too_long_goes_on_where_the_board_stopped(
    rig: FaceMotors,
) -> None:
    impatient = msgspec.structs.replace(rig, host_timeout_ms=200)
    bench = Bench(impatient).ready()
    listen = bench.when_executed(7, lambda: bench.virtual.unplug(3.0))
    bench.driver.run(bench.program, listen)
    assert bench.virtual.moves == bench.program.moves.moves
    assert any("fault=HOST_SILENT" in line for line in bench.packets)


def test_a_cable_that_stays_off_is_an_error(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    listen = bench.when_executed(7, lambda: bench.virtual.unplug(60.0))
    with pytest.raises(PortMissingError, match="was lost and did not come back"):
        bench.driver.run(bench.program, listen)
    assert bench.driver.executed == 7


@pytest.mark.parametrize("at_move", range(1, 18))
def test_a_board_that_restarts_ends_the_run(rig: FaceMotors, at_move: int) -> None:
    bench = Bench(rig, Faults(reset_at_move=at_move)).ready()
    with pytest.raises(BoardResetError, match="align the faces by hand and scan again"):
        bench.driver.run(bench.program)
    assert bench.driver.executed == at_move - 1
    assert len(bench.virtual.moves) == len(bench.program.moves_of(at_move - 1))
    bench.driver.connect()
    bench.driver.prepare()
    assert bench.driver.status().state is State.IDLE


@pytest.mark.parametrize("restarted", [False, True])
def test_nothing_is_done_without_a_connection(rig: FaceMotors, restarted: bool) -> None:
    bench = Bench(rig)
    if restarted:
        bench.ready()
        bench.virtual.board.reset(boot_id=4)
        with pytest.raises(BoardResetError):
            bench.driver.release()
    for action in (
        bench.driver.prepare,
        bench.driver.release,
        bench.driver.status,
        lambda: bench.driver.run(bench.program),
        lambda: bench.driver.wait_for_button(1.0),
    ):
        with pytest.raises(NoAnswerError, match="virtual rig is not connected"):
            action()
    assert bench.virtual.moves == ()


@pytest.mark.parametrize(
    ("move", "stall_input", "motor"),
    [(4, True, "the motor of face R"), (1, True, "a motor"), (1, "each", "the motor of face R")],
)
def test_a_stall_ends_the_run_and_names_the_motor_if_it_is_known(
    rig: FaceMotors, move: int, stall_input: bool | Literal["each"], motor: str
) -> None:
    wired = msgspec.structs.replace(rig, stall_input=stall_input)
    bench = Bench(wired, Faults(stall_at_move=move)).ready()
    with pytest.raises(AbortedError, match=f"steps: {motor} stalled") as caught:
        bench.driver.run(bench.program)
    assert caught.value.executed == move


def test_the_emergency_stop_ends_the_run_and_keeps_the_rig_off(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    listen = bench.when_executed(4, bench.virtual.board.press_estop)
    with pytest.raises(AbortedError, match="emergency stop was pressed"):
        bench.driver.run(bench.program, listen)
    with pytest.raises(RigError, match="emergency stop is pressed"):
        bench.driver.prepare()
    bench.virtual.board.release_estop()
    bench.driver.prepare()
    assert bench.driver.status().state is State.IDLE


def test_two_hosts_on_one_board_are_noticed(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()

    def intrude() -> None:
        other = RigDriver(bench.virtual, rig, bench.clock, seed=99)
        other.connect()
        other._connection.settle(
            MoveStep(number=0, motor_a=0, quarters_a=1, motor_b=0xFF, quarters_b=0)
        )

    long = rig.plan(MoveSequence(SEQUENCE.moves * 4))
    with pytest.raises(ForeignHostError, match="another program spoke to the board"):
        bench.driver.run(long, bench.when_executed(2, intrude))


def test_the_button_is_waited_for(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    assert not bench.driver.wait_for_button(2.0)
    bench.virtual.press_button()
    assert bench.driver.wait_for_button(2.0)
    assert not bench.driver.wait_for_button(0.1)


def test_motors_that_were_switched_off_by_rest_are_prepared_again(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    assert not bench.driver.wait_for_button(120.0)
    assert bench.driver.status().state is State.DISABLED
    with pytest.raises(AbortedError, match="motors were switched off"):
        bench.driver.run(bench.program)
    assert bench.virtual.state == SOLVED
    bench.driver.prepare()
    bench.driver.run(bench.program)
    assert bench.virtual.state == SOLVED.apply(SEQUENCE)


def test_release_switches_the_current_off(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    bench.driver.release()
    assert bench.driver.status().state is State.DISABLED


def test_settings_are_read_back_even_over_a_bad_line(rig: FaceMotors) -> None:
    bench = Bench(rig, Faults(drop=0.01, flip=0.01)).ready()
    for setting in rig.settings(motors=6):
        assert bench.driver.setting(Setting(setting.key), setting.motor) == setting.value


def test_a_setting_that_no_board_has_is_refused(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    with pytest.raises(RigError, match="refuses GET key=DIRECTION motor=255: out of range"):
        bench.driver.setting(Setting.DIRECTION)


def test_the_packets_are_told_in_both_directions(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    assert any(line.startswith("→") and "ENABLE on=1" in line for line in bench.packets)
    assert any(line.startswith("←") and "HELLO_REPLY" in line for line in bench.packets)


def test_a_board_that_says_nothing_is_asked_for_two_seconds(
    rig: FaceMotors, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(rig).ready()
    monkeypatch.setattr(bench.virtual, "write", lambda _: None)
    begun_s = bench.clock.now_s()
    with pytest.raises(NoAnswerError):
        bench.driver._connection._ask_status(mend=False)
    assert bench.clock.now_s() - begun_s == pytest.approx(2.0, abs=0.1)
