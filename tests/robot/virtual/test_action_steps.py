"""Every kind of action on the virtual machine, by the real driver; cameras that look on."""

import sys
import threading

import pytest
from benches import SEQUENCE, Bench

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.protocol.messages import OutputMode, State
from robot.rigs.actions import Act
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import ProgramStep, RigProgram
from robot.virtual.machine_parts import MachineParts

NOTHING = MoveSequence()


class Machine(Bench):
    """A driver, its virtual machine with a carriage on channel 5, and their clock."""

    def __init__(self, rig: FaceMotors) -> None:
        self.parts = MachineParts(homes={5: -700}, switches=(5,))
        five = {face: motor for face, motor in rig.motors.items() if motor.channel != 5}
        super().__init__(FaceMotors(name="five", motors=five), parts=self.parts)
        self.ready()

    def run(self, *steps: ProgramStep) -> float:
        """Run a program, and return how long that takes."""
        begun_s = self.clock.now_s()
        self.driver.run(RigProgram(steps))
        return self.clock.now_s() - begun_s


@pytest.fixture
def machine(rig: FaceMotors) -> Machine:
    return Machine(rig)


def step(*actions: Act) -> ProgramStep:
    return ProgramStep(actions, NOTHING, 0.0, 1.0)


def servo(pulse_us: int, speed_us_s: int = 0, dwell_s: float = 0.0) -> Act:
    return Act.position(2, pulse_us, "the claw", speed_us_s, dwell_s)


def test_a_program_of_all_kinds(machine: Machine) -> None:
    machine.run(
        step(servo(1000, dwell_s=0.2), Act.switch(1, OutputMode.ON, "the light")),
        step(Act.home(5, -5000, "the carriage")),
        step(Act.move_to(5, 300, "the carriage"), Act.wait(50)),
        step(servo(1600, 2000), Act.turn(0, 1, "face U")),
        step(Act.move_by(5, -20, "the carriage"), Act.turn(1, 2, "face R")),
    )
    assert machine.virtual.moves == MoveSequence.parse("U R2").moves
    assert machine.parts.position(5) == -700 + 300 - 20
    assert machine.parts.outputs == [OutputMode.OFF, OutputMode.ON, *[OutputMode.OFF] * 2]
    assert machine.parts.servos[2].pulse_us == 1600
    assert machine.driver.status().servos_on == 4
    assert machine.virtual.board.refusals == []


def test_the_light_needs_no_motors(machine: Machine) -> None:
    machine.driver.release()
    machine.driver._connection.settle(step(Act.switch(0, OutputMode.ON, "the light")).message())
    assert machine.parts.outputs[0] is OutputMode.ON
    assert machine.driver.status().state is State.DISABLED
    machine.driver.prepare()
    machine.run(step(Act.turn(0, 1, "face U")))
    assert machine.driver.executed == 1


def test_cameras_see_the_cube_while_it_is_turned(rig: FaceMotors) -> None:
    before = sys.getswitchinterval()
    bench = Bench(rig)
    virtual, driver = bench.virtual, bench.driver
    over = threading.Event()
    failures: list[BaseException] = []

    def look_on() -> None:
        try:
            while not over.is_set():
                assert len(str(virtual.shown)) == 54
                virtual.stands({})
        except BaseException as error:  # noqa: BLE001 - told where the test can fail by it
            failures.append(error)

    watchers = [threading.Thread(target=look_on) for _ in range(3)]
    sys.setswitchinterval(1e-6)  # threads take turns within a few instructions, and meet
    for watcher in watchers:
        watcher.start()
    try:
        driver.connect()
        for _ in range(3):
            driver.prepare()
            driver.run(bench.program)
            driver.run(rig.plan(SEQUENCE.inverse()))
    finally:
        sys.setswitchinterval(before)
        over.set()
        for watcher in watchers:
            watcher.join()
    assert not failures
    assert virtual.state == SOLVED
    assert len(virtual.moves) == 3 * 2 * len(SEQUENCE)
