"""Motors and servos: which one is it, which way does it turn, how fast may it?"""

from calibration.motors import MotorCalibration, MotorResult, SpeedTrial
from cube.state import SOLVED
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.buzz import BUZZ_DEG
from robot.running.buzz import buzz as buzz_motor
from thistlebot.control.bench import Bench
from thistlebot.control.calibrate_commands import (
    Aligned,
    Buzz,
    FlipDirection,
    MeasureMotors,
    SaveMotors,
)
from thistlebot.control.jobs.calibrate.showing import (
    doing_motors,
    pane_now,
    show_motors,
    written_text,
)
from thistlebot.control.showing.calibrate_pane import MotorFound, ShownTrial
from thistlebot.errors import UsageError
from thistlebot.measuring.cube_observer import ReaderObserver
from thistlebot.measuring.rig_files import save_flipped, save_parts
from thistlebot.measuring.rig_files import save_motors as write_motors

_WAIT_S = 0.2


def buzz(bench: Bench, command: Buzz) -> None:
    """Turn one motor a little, or do one action, there and back."""
    rig, part = bench.machine.rig, command.part
    with doing_motors(bench, "buzz", part):
        driver = bench.connect()
        if part in rig.motors:
            buzz_motor(driver, rig.buzz(part, BUZZ_DEG))
        elif part in rig.action_names:
            bench.driver().run(rig.there_and_back(part))
        else:
            known = ", ".join((*rig.motors, *rig.action_names))
            raise UsageError(f"{part!r} is no part of rig {rig.name!r}: it has {known}")


def flip_direction(bench: Bench, command: FlipDirection) -> None:
    """Write that a motor turns the other way."""
    written = save_flipped(bench.machine, command.part)
    show_motors(bench, saved=written_text(written) or "-")
    if written.file is not None:
        bench.reopen()


def measure_motors(bench: Bench, command: MeasureMotors) -> None:
    """Check the wiring with a solved cube, then search each motor's fastest reliable speed."""
    rig = bench.machine.rig
    faces = command.faces.upper()
    if not isinstance(rig, FaceMotors) or not faces or not set(faces) <= set(rig.motors):
        known = "".join(rig.motors) if isinstance(rig, FaceMotors) else "none"
        raise UsageError(f"speeds can be searched of motors on faces; here: {known}")
    bench.calibration.rig = None
    show_motors(bench, trials=(), found=(), told=(), saved="", can_save=False)
    driver = bench.driver()
    observer = ReaderObserver(bench.machine.view_reader())
    calibration = MotorCalibration(driver, rig, observer, _Bystander(bench))
    try:
        with doing_motors(bench, "wiring"):
            calibration.check_wiring()
        for face in faces:
            with doing_motors(bench, "speed", face):
                _search(bench, calibration, face)
        with doing_motors(bench, "verify"):
            bench.calibration.rig = calibration.verify()
    finally:
        driver.use(rig)  # until what was found is saved
    show_motors(bench, can_save=True)


def save_motors(bench: Bench, _command: SaveMotors) -> None:
    """Write what was found into the rig file, and use it."""
    made = bench.calibration.rig
    if made is None:
        raise UsageError("there is nothing to save: search the speeds first")
    if isinstance(made, FaceMotors):
        written = write_motors(bench.machine, made.motors)
    else:
        written = save_parts(bench.machine, made)
    bench.calibration.rig = None
    show_motors(bench, can_save=False, saved=written_text(written) or "-")
    if written.file is not None:
        bench.reopen()


def _search(bench: Bench, calibration: MotorCalibration, face: str) -> None:
    search = calibration.search_speed(face)
    while True:
        bench.require_going_on()  # between two trials nothing moves
        try:
            trial: SpeedTrial = next(search)
        except StopIteration as end:
            result: MotorResult = end.value
            break
        trials = pane_now(bench).motors.trials
        show_motors(bench, trials=(*trials, _shown(trial)))
    found = MotorFound(result.face, result.quarter_ms, result.fastest_ms, result.failed_ms)
    show_motors(bench, found=(*pane_now(bench).motors.found, found))


def _shown(trial: SpeedTrial) -> ShownTrial:
    return ShownTrial(
        trial.face,
        trial.number,
        trial.rate_steps_s,
        trial.acceleration_steps_s2,
        round(trial.quarter_ms, 2),
        trial.held,
    )


class _Bystander:
    """Whoever is before the page, beside the rig; or the virtual one."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def align(self, face: str) -> None:
        machine = self._bench.machine
        if machine.choices.virtual:
            machine.world.rig.state = SOLVED
            return
        machine.connected_driver().release()
        show_motors(self._bench, align=face)
        while not isinstance(self._bench.next_input(_WAIT_S), Aligned):
            pass
        show_motors(self._bench, align="")

    def note(self, text: str) -> None:
        show_motors(self._bench, told=(*pane_now(self._bench).motors.told, text))
