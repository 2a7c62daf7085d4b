"""From strides to a program for the board: what each actuator does, and what that makes."""

from collections.abc import Iterable, Iterator

from cube.moves import MoveSequence
from cube.orientation import Orientation
from robot.protocol.messages import OutputMode
from robot.rigs.action_machine.deeds import Deed, Stride
from robot.rigs.action_machine.rig_file import ActionMachineFile, Variable
from robot.rigs.actions import MotorMove, MotorTurn, ServoMove, StepPart, Switching
from robot.rigs.program import ProgramStep, RigProgram


def program_of(rig: ActionMachineFile, strides: Iterable[Stride], held: Orientation) -> RigProgram:
    """Lay strides out in time, one after the other.

    Args:
        rig: The machine's actuators.
        strides: What is done.
        held: How the cube is held before.
    """
    steps: list[ProgramStep] = []
    begin_s = 0.0
    for stride in strides:
        moves = MoveSequence.of(held.move_of(turn.place, turn.quarters) for turn in stride.turns)
        parts = tuple(part for deed in stride.deeds for part in _parts(rig, deed))
        steps.append(ProgramStep(parts, moves, begin_s, stride.time_ms / 1000))
        begin_s = steps[-1].end_s
        held = held.then(stride.rotation)
    return RigProgram(tuple(steps))


def _parts(rig: ActionMachineFile, deed: Deed) -> Iterator[StepPart]:
    names = list(rig.variables)
    for number, _, place in deed.change:
        name = names[number]
        variable = rig.variables[name]
        way = 1 if deed.rule.change[name] == "+" else -1
        yield _part(f"the {name}", variable, place, way * deed.places, deed.time_ms)


def _part(part: str, variable: Variable, place: int, places: int, time_ms: int) -> StepPart:
    if variable.servo is not None:
        return ServoMove(variable.servo, variable.pulse_us[place], part, 0, time_ms / 1000)
    if variable.output is not None:
        return Switching(variable.output, OutputMode(place), part)
    motor = variable.motor
    if motor is None:
        raise ValueError(f"nothing moves {part}")
    if variable.steps:
        return MotorMove(motor.channel, variable.steps[place], part, absolute=True)
    if abs(places) > 2:
        return MotorMove(motor.channel, places * motor.steps_per_quarter, part)
    return MotorTurn(motor.channel, places, part)
