"""Reading the cube without turning it to a target."""

from cube.state import CubeState
from thistlebot.control.bench import Bench
from thistlebot.control.commands import Look, PutIn, Remember, Solve
from thistlebot.control.showing import notices
from thistlebot.errors import UsageError
from thistlebot.looking.reader import Look as Seen
from thistlebot.looking.refusal import refusal
from thistlebot.runs.events import Entered, Looked, Phase
from thistlebot.session.target import Target
from vision.reading import CubeReading


def look(bench: Bench, _command: Look) -> None:
    """Read the cube."""
    bench.asked = Solve()
    reading = _read(bench)
    if reading.facelets is None:
        raise refusal(reading)


def remember(bench: Bench, _command: Remember) -> None:
    """Read the cube, and remember it."""
    reading = _read(bench)
    if reading.facelets is None:
        raise refusal(reading)
    bench.remembered = Target(CubeState.from_facelets(reading.facelets), reading.scheme)
    bench.hub.tell(notices.Remembered(reading.facelets.text))


def put_in(bench: Bench, _command: PutIn) -> None:
    """Put another cube into the virtual rig, as a person would into a real one."""
    if not bench.machine.choices.virtual:
        raise UsageError("only a virtual machine can be given another cube by itself")
    bench.machine.scramble_virtual_cube(None, bench.rng)
    bench.look_as_it_lies()


def _read(bench: Bench) -> CubeReading:
    """Look, tell what is seen, and leave the layers as they were."""
    machine = bench.machine
    if not machine.scan.moves_nothing:
        bench.connect()
    reader = machine.view_reader()
    bench.hub.tell(Entered(Phase.SCAN))

    def tell_stop(done: int, total: int) -> None:
        bench.hub.tell(Looked(done, total))
        bench.require_going_on()

    reader.on_stop = tell_stop
    frames = reader.look()
    bench.hub.tell(Entered(Phase.DECODE))
    reading = reader.read(frames)
    reader.put_back()
    bench.tell_reading(Seen(frames, reading))
    pose = machine.known_pose()
    if pose is not None:
        bench.driver().run(machine.rig.rest(pose))
    return reading
