"""From strides to a program for the board: each actuator's actions, and the resulting moves."""

from collections.abc import Iterable, Iterator

from cube.moves import MoveSequence
from robot.errors import NotPossibleError
from robot.protocol.messages import SERVO_SPEED_US_S, ActionKind, OutputMode
from robot.rigs.action_machine.rig_file import ActionMachineFile, Variable
from robot.rigs.action_machine.transitions import Deed, MachineState, StateGraph, Stride
from robot.rigs.actions import Act
from robot.rigs.program import Actuator, CubeTurn, Pose, ProgramStep, RigProgram, motor_remedy
from robot.rigs.servo_ramp import stoppable


def program_of(rig: ActionMachineFile, strides: Iterable[Stride], start: Pose) -> RigProgram:
    """Schedule strides one after the other, from a pose."""
    steps: list[ProgramStep] = []
    begin_s, held = 0.0, start.held
    for stride in strides:
        moves = MoveSequence.of(held.move_of(turn.place, turn.quarters) for turn in stride.turns)
        held = held.then(stride.rotation)
        steps.append(
            ProgramStep(
                tuple(_parts(rig, stride)),
                moves,
                begin_s,
                stride.time_ms / 1000,
                does=", ".join(deed.rule.name for deed in stride.deeds),
                pose=Pose(stride.after, held),
                cut_leaves_doubt=any(deed.rule.after_stop == "look" for deed in stride.deeds),
            )
        )
        begin_s = steps[-1].end_s
    return RigProgram(tuple(steps), start)


def cube_turns_of(machine: StateGraph, program: RigProgram) -> tuple[CubeTurn, ...]:
    """Return the deeds of a machine's program that turn layers or the whole cube."""
    found = []
    for number, step in enumerate(program.steps):
        before = program.pose_after(number)
        assert before is not None
        for deed in _stride_of(machine, before.places, step).deeds:
            turned = [deed.rule.cube] if deed.rule.cube else deed.rule.layer
            if turned:
                made_by = tuple(_actuator(machine.rig, each) for each in deed.rule.change)
                turns = tuple((each[0], _QUARTERS[each[1:]] * deed.places) for each in turned)
                found.append(CubeTurn(number, deed.rule.name, made_by, turns))
    return tuple(found)


_QUARTERS = {"": 1, "2": 2, "'": -1}


def _stride_of(machine: StateGraph, before: MachineState, step: ProgramStep) -> Stride:
    """Find the stride of a step from the targets of its actuators."""
    told = [each.action for each in step.actions]
    return next(
        stride
        for stride in machine.strides[before]
        if [part.action for part in _parts(machine.rig, stride)] == told
    )


def _actuator(rig: ActionMachineFile, name: str) -> Actuator:
    key, variable = f"variables.{name}", rig.variables[name]
    if variable.motor is not None:
        return Actuator(f"the {name}", motor_remedy(f"{key}.motor", variable.motor))
    time = f"raise the time_ms of the actions that change {name} in the rig file"
    if variable.servo is not None:
        ends = ", ".join(map(str, variable.pulse_us))
        check = f"check its end points ({key}.pulse_us, now {ends})"
    else:
        check = f"check what output {variable.output} switches ({key}.output)"
    return Actuator(f"the {name}", f"{check}, {time}, and check its linkage and its power")


def ready_program(rig: ActionMachineFile, pose: Pose, *, counted: bool) -> RigProgram:
    """Bring the parts to their places of a pose; home steppers that have a switch if necessary.

    Steppers that turn by quarters are already there. First, anything that still moves after a stop
    comes to rest. Parts whose places other actions need go first, such as a cover before the holder
    below it.

    Args:
        rig: The machine's actuators.
        pose: The pose.
        counted: Whether the board has counted the steps of its motors all the time.

    Raises:
        NotPossibleError: A stepper that counts its steps is not where the board counts from.
    """
    needed = {name for rule in rig.actions for name in rule.needs}
    longest_ms = {
        name: max(rule.time_ms[-1] for rule in rig.actions if name in rule.change)
        for name in rig.variables
        if any(name in rule.change for rule in rig.actions)
    }
    places = dict(zip(rig.variables, pose.places, strict=True))
    rest_ms = max(longest_ms.values(), default=_UNMOVED_MS)
    todo: list[tuple[tuple[Act, ...], float, str]] = []
    for name in sorted(rig.variables, key=lambda name: name not in needed):
        variable, place, part = rig.variables[name], places[name], f"the {name}"
        time_ms = longest_ms.get(name, _UNMOVED_MS)
        if variable.motor is None or (variable.steps and counted):
            acts = tuple(_part(part, variable, (None, place), 0, time_ms))
            todo.append((acts, time_ms / 1000, f"bring {part} to its place"))
        elif variable.home is not None and place == variable.start_place:
            home, channel = variable.home, variable.motor.channel
            search = Act.home(channel, home.travel, part, home.switch)
            todo.append(((search,), variable.motor.travel_s(home.travel), f"home {part}"))
            there = Act.move_to(channel, variable.steps[place], part)
            todo.append(((there,), time_ms / 1000, f"bring {part} to its place"))
        elif variable.steps and variable.steps[place]:
            raise NotPossibleError(
                f"the motors of rig {rig.name!r} were switched off with {name} at "
                f"{variable.places[place]!r}, and the board lost count of the steps: bring every "
                "part to its start position by hand, and try again"
            )
    if not todo:
        return RigProgram((), pose)
    steps: list[ProgramStep] = []
    begin_s = 0.0
    for acts, duration_s, does in [((Act.wait(rest_ms),), rest_ms / 1000, "rest"), *todo]:
        step = ProgramStep(acts, MoveSequence(), begin_s, duration_s, does=does, pose=pose)
        steps.append(step)
        begin_s = step.end_s
    return RigProgram(tuple(steps), pose)


_UNMOVED_MS = 1000
"""Time for a servo that no action moves; it only holds something."""


def _parts(rig: ActionMachineFile, stride: Stride) -> Iterator[Act]:
    names = list(rig.variables)
    for deed in stride.deeds:
        for number, before, place, way in deed.change:
            name = names[number]
            variable = rig.variables[name]
            part = f"the {name}"
            for each in _part(part, variable, (before, place), way, deed.time_ms):
                if each.kind is not ActionKind.WAIT:
                    yield each
    switched = [deed.time_ms for deed in stride.deeds if _switches(rig, deed)]
    if switched:
        yield Act.wait(max(switched))


def _switches(rig: ActionMachineFile, deed: Deed) -> bool:
    return any(rig.variables[name].output is not None for name in deed.rule.change)


def _part(
    part: str, variable: Variable, way: tuple[int | None, int], places: int, time_ms: int
) -> Iterator[Act]:
    """Yield the action that brings a part to a place, and the time that the board must wait.

    A servo whose place before is unknown has all the time, also after its pulse has arrived: it may
    have no pulses yet, and then they begin at the place.
    """
    motor, (before, place) = variable.motor, way
    if variable.servo is not None:
        pulses = variable.pulse_us
        begin_us = {max(pulses), min(pulses)} if before is None else {pulses[before]}
        speed, rest_ms = stoppable(max(abs(pulses[place] - each) for each in begin_us), time_ms)
        dwell_s = (time_ms if before is None else rest_ms) / 1000
        speed_us_s = SERVO_SPEED_US_S * speed
        yield Act.position(variable.servo, pulses[place], part, speed_us_s, dwell_s)
    elif variable.output is not None:
        yield Act.switch(variable.output, OutputMode(place), part)
        yield Act.wait(time_ms)
    elif motor is None:
        raise ValueError(f"nothing moves {part}")
    elif variable.steps:
        yield Act.move_to(motor.channel, variable.steps[place], part)
    elif abs(places) > 2:
        yield Act.move_by(motor.channel, places * motor.steps_per_quarter, part)
    else:
        yield Act.turn(motor.channel, places, part)
