"""Programs on the virtual rig, in simulated time: turned, stopped, and cut off by faults."""

import msgspec
import numpy as np
import pytest
from benches import SEQUENCE, Bench
from faulty_rig import Faults

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from robot import errors
from robot.protocol.messages import Action, ActionKind, Begin, State, Step
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress


def test_programs_turn_the_cube_in_their_modelled_time_and_never_overrun_the_queue(
    rig: FaceMotors,
) -> None:
    bench = Bench(rig).ready()
    result = bench.driver.run(rig.plan(MoveSequence()))
    assert (result.executed, result.elapsed_s) == (0, 0.0)
    assert not any("STEP" in line for line in bench.packets)
    bench.virtual.state = start = random_state(np.random.default_rng(4))
    seen: list[RunProgress] = []
    result = bench.driver.run(bench.program, seen.append)
    assert bench.virtual.state == start.apply(SEQUENCE)
    assert result.executed == len(bench.program.steps) == bench.driver.executed
    assert result.moves == bench.program.moves
    assert result.elapsed_s == pytest.approx(bench.program.time_s, abs=1e-6)
    assert [progress.executed for progress in seen] == list(range(1, result.executed + 1))
    for _ in range(3):
        bench.virtual.state = SOLVED
        bench.driver.run(rig.plan(MoveSequence(SEQUENCE.moves * 8)))
        assert bench.virtual.state == SOLVED.apply(MoveSequence(SEQUENCE.moves * 8))
    assert bench.virtual.board.refusals == []


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_stops_at_the_next_detent_and_is_raised_again(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
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

    def pull_and_interrupt() -> None:
        bench.virtual.unplug(60.0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        bench.driver.run(bench.program, bench.when_executed(3, pull_and_interrupt))
    assert caught.value.__notes__  # motors may still be turning


def test_a_board_that_continues_and_restarts_leaves_the_faces_unknown(rig: FaceMotors) -> None:
    impatient = msgspec.structs.replace(rig, host_timeout_ms=200)
    bench = Bench(impatient).ready()
    continued = False

    def listen(progress: RunProgress) -> None:
        nonlocal continued
        if progress.lost_s:
            return
        if progress.executed == 7 and not continued and not progress.continued:
            bench.virtual.unplug(3.0)
        if continued:
            bench.virtual.board.reset(boot_id=77)
            raise KeyboardInterrupt
        continued = progress.continued

    with pytest.raises(KeyboardInterrupt) as caught:
        bench.driver.run(bench.program, listen)
    assert continued
    assert caught.value.__notes__
    assert not bench.driver.at_detents


def test_a_stall_ends_the_run_and_names_the_motor_if_it_is_known(rig: FaceMotors) -> None:
    for wired, move, parts in ((True, 4, ("face R",)), (True, 1, ()), ("each", 1, ("face R",))):
        faults = Faults(stall_at_move=move)
        bench = Bench(msgspec.structs.replace(rig, stall_input=wired), faults).ready()
        with pytest.raises(errors.AbortedError) as caught:
            bench.driver.run(bench.program)
        error = caught.value
        assert (error.executed, error.fault, error.parts) == (move, "stall", parts)


def test_the_emergency_stop_ends_the_run_and_keeps_the_rig_off(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    listen = bench.when_executed(4, bench.virtual.board.press_estop)
    with pytest.raises(errors.AbortedError) as caught:
        bench.driver.run(bench.program, listen)
    assert caught.value.fault == "estop"
    with pytest.raises(errors.EmergencyStopError):
        bench.driver.prepare()
    bench.virtual.board.release_estop()
    bench.driver.prepare()
    assert bench.driver.status().state is State.IDLE


def test_two_hosts_on_one_board_are_noticed(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()

    def intrude() -> None:
        other = RigDriver(bench.virtual, rig, bench.clock, seed=99)
        other.connect()
        other._connection.settle(Step(0, Begin.AFTER_END, 0, (Action(ActionKind.TURN, 0, 1),)))

    long = rig.plan(MoveSequence(SEQUENCE.moves * 4))
    with pytest.raises(errors.ForeignHostError):
        bench.driver.run(long, bench.when_executed(2, intrude))
