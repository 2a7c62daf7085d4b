"""Controllers that speak G-code, as boards: whole programs, stops and faults, on models of them."""

import random
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import pairwise
from typing import cast

import msgspec
import pytest

from cube.moves import FACES, Move, MoveSequence
from cube.state import SOLVED
from robot.errors import ControllerError, LinkError, RigError
from robot.gcode.board import GCodeBoard
from robot.ports.port import SimulatedClock
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import Fault
from robot.rigs.board_file import AXES, GCodeFile
from robot.rigs.catalogue import default_rig, named_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.running.buzz import buzz
from robot.running.driver import RigDriver
from robot.virtual.controllers.controlled_rig import ControlledRig
from robot.virtual.controllers.grbl import VirtualGrbl
from robot.virtual.controllers.marlin import UNITS, VirtualMarlin
from robot.virtual.cubes.slipping_cube import SlippingCube

TURNS = 20
LONGEST_S = 30.0


def controlled(dialect: str, motors: int = 6) -> FaceMotors:
    rig = default_rig()
    kept = {face: motor for face, motor in rig.motors.items() if motor.channel < motors}
    board = GCodeFile(axes=tuple(AXES[:motors]))
    return msgspec.structs.replace(rig, motors=kept, board=board, port=f"{dialect}:/dev/x")


class Bench:
    """A controller with a cube, and the driver of its rig, in simulated time."""

    def __init__(self, dialect: str, motors: int = 6, seed: int = 0) -> None:
        self.rig = controlled(dialect, motors)
        self.clock = SimulatedClock()
        self.machine = ControlledRig(self.rig, self.clock, seed=seed)
        self.controller = self.machine.controller
        self.turned: list[tuple[float, float]] = []
        inner = self.controller.step

        def step(channel, steps, motion, start_s):
            self.turned.append((start_s, start_s + motion.duration_s))
            inner(channel, steps, motion, start_s)

        self.controller.step = step
        self.driver = self.connect()

    def connect(self) -> RigDriver:
        assert isinstance(self.rig.board, GCodeFile)
        dialect = self.machine.dialect
        port = GCodeBoard(self.machine, dialect, self.rig.board, self.rig.motors, self.clock)
        driver = RigDriver(port, self.rig, self.clock, seed=1)
        driver.connect()
        driver.prepare()
        return driver

    def run(self, moves: MoveSequence, at_turn: Callable[[int], None] = lambda _: None) -> None:
        end_s = self.clock.now_s() + LONGEST_S
        self.driver.stop_wanted = lambda: self.clock.now_s() > end_s
        self.driver.run(self.rig.plan(moves), lambda progress: at_turn(progress.executed))

    @property
    def askew(self) -> Mapping[str, float]:
        return cast(SlippingCube, self.machine._cube).misaligned_deg


def scramble(rng: random.Random, faces: str, turns: int = TURNS) -> MoveSequence:
    moves: list[Move] = []
    while len(moves) < turns:
        move = Move(rng.choice(faces), rng.choice((1, 2, 3)))
        if not moves or FACES.index(moves[-1].face) != FACES.index(move.face):
            moves.append(move)
    return MoveSequence(tuple(moves))


DIALECTS = [("grbl", 6), ("grbl", 3), ("marlin", 6)]


@pytest.mark.parametrize(("dialect", "motors"), DIALECTS)
def test_a_program_turns_the_cube_and_the_motors_never_wait(dialect, motors):
    bench = Bench(dialect, motors)
    moves = scramble(random.Random(motors), bench.rig.faces, 40)
    bench.run(moves)
    assert bench.machine.state == SOLVED.apply(moves)
    assert bench.driver.executed == len(bench.rig.plan(moves).steps)
    assert not bench.controller.overflows
    runs = sorted(set(bench.turned))
    waits = [after[0] - before[1] for before, after in pairwise(runs)]
    assert max(waits) < 0.003


@pytest.mark.parametrize(("dialect", "motors"), DIALECTS)
@pytest.mark.parametrize("seed", range(8))
def test_a_stop_ends_at_detents_and_the_count_is_true(dialect, motors, seed):
    rng = random.Random(seed)
    bench = Bench(dialect, motors)
    moves = scramble(rng, bench.rig.faces)
    program = bench.rig.plan(moves)
    stop_s = bench.clock.now_s() + rng.uniform(0.005, 0.9 * program.time_s)
    bench.driver.stop_wanted = lambda: bench.clock.now_s() >= stop_s
    with pytest.raises(KeyboardInterrupt):
        bench.driver.run(program)
    bench.driver.stop_wanted = lambda: False
    assert bench.driver.at_detents
    assert not bench.askew
    done = SOLVED.apply(program.moves_of(bench.driver.executed))
    status = bench.driver.status()
    assert status.fault is Fault.HOST_ABORT
    assert bench.machine.state == done or status.flags & 8
    bench.driver.prepare()
    bench.run(MoveSequence.parse("R U"))


def lose_answers(machine: ControlledRig) -> None:
    machine.controller.lost_answers = 2


def lose_lines(machine: ControlledRig) -> None:
    machine.controller.lost_lines = 1


def on_grbl(act: Callable[[VirtualGrbl], None]) -> Callable[[ControlledRig], None]:
    return lambda machine: act(cast(VirtualGrbl, machine.controller))


def on_marlin(act: Callable[[VirtualMarlin], None]) -> Callable[[ControlledRig], None]:
    return lambda machine: act(cast(VirtualMarlin, machine.controller))


COMMON = {
    "answers are lost": lose_answers,
    "a line is lost": lose_lines,
    "restart": lambda machine: machine.controller.restart(),
    "noise": lambda machine: machine.controller.garble(),
    "cable pulled": lambda machine: machine.unplug(1.0),
    "cable loose": lambda machine: machine.unplug(0.02),
}
FAULTS = {
    "grbl": COMMON
    | {
        "hard limit": on_grbl(lambda grbl: grbl.alarm(1)),
        "soft limit": on_grbl(lambda grbl: grbl.alarm(2)),
        "door": on_grbl(lambda grbl: grbl.open_door()),
        "line refused": on_grbl(lambda grbl: grbl.refuse(20)),
        "feed hold pressed": on_grbl(lambda grbl: grbl.receive(b"!", grbl.now_s)),
        "reset pressed": on_grbl(lambda grbl: grbl.receive(b"\x18", grbl.now_s)),
    },
    "marlin": COMMON
    | {
        "killed": on_marlin(lambda marlin: marlin.kill()),
        "wrong byte": on_marlin(lambda marlin: marlin.garble_next()),
    },
}
HARMLESS = {"answers are lost", "noise", "wrong byte"}


def strike(dialect: str, motors: int, fault: str, seed: int) -> str:
    """Let a fault strike in the middle of a program; return what was wrong afterwards."""
    rng = random.Random(f"{dialect} {fault} {seed}")
    bench = Bench(dialect, motors, seed)
    moves = scramble(rng, bench.rig.faces)
    program = bench.rig.plan(moves)
    act = FAULTS[dialect][fault]
    strike_s = bench.clock.now_s() + rng.uniform(0.0, 0.9 * program.time_s)
    end_s, struck = bench.clock.now_s() + LONGEST_S, []

    def watched() -> bool:
        now_s = bench.clock.now_s()
        if now_s >= strike_s and not struck:
            struck.append(True)
            act(bench.machine)
        return now_s > end_s

    bench.driver.stop_wanted = watched
    try:
        bench.driver.run(program)
    except KeyboardInterrupt:
        return "hangs"
    except (LinkError, RigError) as error:
        bench.clock.sleep(1.0)  # what the controller has is made
        wrong = wrong_claim(bench, program)
        wrong = wrong or ("fails" if fault in HARMLESS or not struck else "")
        return wrong and f"{wrong}: {error}"
    solved = bench.machine.state == SOLVED.apply(moves) and not bench.askew
    return "" if solved else "a wrong claim of success"


def wrong_claim(bench: Bench, program: RigProgram) -> str:
    """Return what the driver says wrongly about the faces after an error."""
    record = bench.driver.record
    if bench.askew and (bench.driver.at_detents or not (record and record.askew)):
        return "askew"
    counted = SOLVED.apply(program.moves_of(bench.driver.executed))
    return "count" if bench.driver.at_detents and bench.machine.state != counted else ""


@pytest.mark.parametrize(
    ("dialect", "motors", "seeds"),
    [
        *((dialect, 6, range(3)) for dialect in FAULTS),
        *(pytest.param(*row, range(100, 112), marks=pytest.mark.exhaustive) for row in DIALECTS),
    ],
)
def test_a_fault_leads_to_no_wrong_claim(dialect, motors, seeds):
    wrong = {
        (fault, seed): found
        for fault in FAULTS[dialect]
        for seed in seeds
        if (found := strike(dialect, motors, fault, seed))
    }
    assert wrong == {}


@pytest.mark.parametrize("dialect", FAULTS)
def test_after_every_fault_a_new_connection_works(dialect):
    for fault in sorted(FAULTS[dialect]):
        bench = Bench(dialect)
        with suppress(LinkError):
            bench.run(scramble(random.Random(1), FACES), partial(strike_at, bench, fault))
        bench.clock.sleep(5.0)
        bench.controller.restart()  # a person resets it, and aligns the faces
        bench.machine._cube = bench.machine._put(SOLVED)
        bench.driver = bench.connect()
        bench.run(MoveSequence.parse("R U F2"))
        assert bench.machine.state == SOLVED.apply(MoveSequence.parse("R U F2")), fault


def strike_at(bench: Bench, fault: str, turn: int) -> None:
    if turn == 5:
        FAULTS[bench.machine.dialect][fault](bench.machine)


@pytest.mark.parametrize("dialect", FAULTS)
@pytest.mark.parametrize("name", ["three", "claws", "cubotino"])
def test_a_machine_of_actions_turns_the_cube(dialect, name):
    rig = named_rig(name)
    clock = SimulatedClock()
    board = GCodeFile(servos=sum(part.drive == "servo" for part in rig.parts))
    rig = msgspec.structs.replace(rig, board=board, port=f"{dialect}:/dev/x")
    machine = ControlledRig(rig, clock)
    driver = RigDriver(GCodeBoard(machine, dialect, board, rig.motors, clock), rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    moves = MoveSequence.parse("R U2 F' D L2 B")
    driver.run(rig.plan(moves, start=driver.pose))
    assert machine.state == SOLVED.apply(moves)
    assert not machine.violations


WRONG_SETTINGS = {
    "grbl": {"$11": 0.01, "$1": 25, "$110": 500, "$121": 10, "$20": 1},
    "marlin": {"M205 J": 0.2, "M203 X": 10, "M201 Y": 100, "M204 P": 100},
}


@pytest.mark.parametrize("dialect", FAULTS)
def test_settings_that_do_not_fit_are_named_and_written_only_when_asked(dialect):
    bench = Bench(dialect)
    bench.controller.settings |= WRONG_SETTINGS[dialect]
    before = dict(bench.controller.settings)
    with pytest.raises(ControllerError) as refused:
        bench.connect()
    assert all(f"\n  {key}" in str(refused.value) for key in WRONG_SETTINGS[dialect])
    assert bench.controller.settings == before
    board = GCodeFile(write_settings=True)
    bench.rig = msgspec.structs.replace(bench.rig, board=board)
    bench.driver = bench.connect()
    bench.run(MoveSequence.parse("R L U2"))
    assert bench.machine.state == SOLVED.apply(MoveSequence.parse("R L U2"))
    bench.connect()


def test_units_that_are_too_coarse_for_a_rest_between_turns_are_refused():
    bench = Bench("marlin")
    for key in [key for key in bench.controller.settings if key[:4] in ("M92 ", "M201", "M203")]:
        bench.controller.settings[key] *= UNITS if key.startswith("M92") else 1 / UNITS
    with pytest.raises(ControllerError, match="M92"):
        bench.connect()


def test_reports_are_asked_for_one_by_one():
    """They take longer on the line than the pauses between: questions must not pile up."""
    bench = Bench("grbl")
    open_questions, most = 0, 0
    write, read = bench.machine.write, bench.machine.read

    def written(data: bytes) -> None:
        nonlocal open_questions, most
        open_questions += data.count(b"?")
        most = max(most, open_questions)
        write(data)

    def read_too(timeout_s: float) -> bytes:
        nonlocal open_questions
        data = read(timeout_s)
        open_questions -= data.count(b">")
        return data

    bench.machine.write, bench.machine.read = written, read_too
    bench.run(scramble(random.Random(3), FACES))
    assert most == 1


def test_a_small_turn_is_slow_and_comes_back():
    bench = Bench("grbl")
    buzz(bench.driver, bench.rig.buzz("R", 10.0))
    assert bench.machine.state == SOLVED
    assert not bench.askew
    assert len(bench.turned) == 2 * 3


@pytest.mark.parametrize("dialect", FAULTS)
@pytest.mark.parametrize("end", ["release", "close"])
def test_motors_are_off_after_a_rest_and_at_the_end_and_come_back(dialect, end):
    bench = Bench(dialect)
    bench.run(MoveSequence.parse("R"))
    assert powered(bench)
    getattr(bench.driver, end)()
    bench.clock.sleep(1.0)
    assert not powered(bench)
    if end == "close":
        bench.machine.reopen()
        bench.driver = bench.connect()
    bench.driver.prepare()
    bench.run(MoveSequence.parse("R"))
    assert bench.machine.state == SOLVED.apply(MoveSequence.parse("R2"))


def powered(bench: Bench) -> bool:
    assert bench.machine.moves  # up to date
    if isinstance(bench.controller, VirtualMarlin):
        return bench.controller.powered
    return cast(VirtualGrbl, bench.controller).state != "Sleep"


@pytest.mark.parametrize("dialect", FAULTS)
def test_a_controller_answers_on_the_network(dialect):
    rig = controlled(dialect)
    machine = ControlledRig(rig)
    with served(machine) as address:
        assert isinstance(rig.board, GCodeFile)
        port = GCodeBoard(SerialPort(address), dialect, rig.board, rig.motors)
        with RigDriver(port, rig) as driver:
            driver.connect()
            driver.prepare()
            driver.run(rig.plan(MoveSequence.parse("R U F2")))
    assert machine.state == SOLVED.apply(MoveSequence.parse("R U F2"))


@contextmanager
def served(machine: ControlledRig) -> Iterator[str]:
    """Give a controller an address, in real time."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=(server, machine), daemon=True)
        thread.start()
        yield "socket://{}:{}".format(*server.getsockname())
    thread.join(10.0)


def serve(server: socket.socket, machine: ControlledRig) -> None:
    connection, _ = server.accept()
    with connection, suppress(ConnectionError):  # the program has closed it
        connection.settimeout(0.001)
        while True:
            with suppress(TimeoutError):
                if not (data := connection.recv(4096)):
                    return
                machine.write(data)
            connection.sendall(machine.read(0.0))
