"""Rig files of machines: what is refused, and where the message says it is."""

import random
import re
import tomllib

import pytest

from cube.orientation import Orientation
from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.rigs.action_machine.deeds import Stride
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.program import program_of
from robot.rigs.action_machine.shipped import NAMES, shipped_text
from robot.rigs.actions import MotorMove, ServoMove
from robot.rigs.catalogue import mechanism_type
from robot.rigs.mechanism import Mechanism
from robot.rigs.pose import Pose

CUBOTINO = shipped_text("cubotino")
LINES = CUBOTINO.splitlines()


def parsed(text: str) -> Mechanism:
    return parse_document(text, mechanism_type(parse_document(text, dict, "rig.toml")), "rig.toml")


def refusal(old: str, new: str) -> str:
    assert CUBOTINO.count(old) >= 1
    with pytest.raises(ConfigError) as caught:
        parsed(CUBOTINO.replace(old, new, 1))
    return str(caught.value)


def line_of(text: str, start: int = 0) -> int:
    return next(number for number, line in enumerate(LINES[start:], start + 1) if text in line)


def test_a_pulse_that_no_servo_understands_is_refused() -> None:
    line = line_of("pulse_us = [600")
    said = refusal("[600, 1500, 2400]", "[600, 1500, 2700]")
    assert said.startswith(f"rig.toml, line {line}, variables.holder.pulse_us: pulse_us is [600")
    assert "500 to 2500" in said


def test_a_place_that_there_is_not_is_refused_where_it_stands() -> None:
    line = line_of('cover = ["open"]')
    said = refusal('needs = { cover = ["open"] }', 'needs = { cover = ["opened"] }')
    assert said.startswith(f"rig.toml, line {line}, actions[0].needs.cover: ")
    assert "'opened'; it has to be one of closed, open, flipped" in said


def test_two_parts_on_one_servo_are_refused() -> None:
    line = line_of("servo = 1")
    said = refusal("servo = 1", "servo = 0")
    assert said.startswith(f"rig.toml, line {line}, variables.cover.servo: ")
    assert "another one than that of holder" in said


def test_times_that_a_board_cannot_wait_are_refused() -> None:
    line = line_of("time_ms = [700, 1470]")
    said = refusal("[700, 1470]", "[700, 2551]")
    assert said.startswith(f"rig.toml, line {line}, actions[0].time_ms: ")
    assert "2550 at most where a servo moves" in said


def test_the_same_movement_cannot_do_two_things_to_the_cube() -> None:
    more = (
        '\n[[actions]]\nname = "tap"\nchange = { cover = ["open", "closed"] }\n'
        'layer = ["U"]\ntime_ms = [300]\n'
    )
    with pytest.raises(ConfigError) as caught:
        parsed(CUBOTINO + more)
    line = len(LINES) + 4
    assert str(caught.value).startswith(f"rig.toml, line {line}, actions[8].change: ")
    assert "what tells it from 'close the cover'" in str(caught.value)


def test_it_may_where_different_needs_tell_which() -> None:
    rig = parsed(CUBOTINO)
    assert isinstance(rig, ActionMachine)
    spin, turn = rig.actions[:2]
    assert spin.change == turn.change
    assert (spin.cube, spin.layer) != (turn.cube, turn.layer)


def mutated(text: str, rng: random.Random) -> str:
    """Change one thing: a number, a word, a line."""
    lines = text.splitlines()
    meant = [number for number, line in enumerate(lines) if line and line[0] != "#"]
    number = rng.choice(meant)
    line = lines[number]
    way = rng.randrange(6)
    numbers = list(re.finditer(r"\d+", line))
    words = list(re.finditer(r"[A-Za-z]+", line))
    if way == 0 and numbers:
        found = rng.choice(numbers)
        other = str(rng.choice([-1, 0, 1, 3, 7, 16, 90, 399, 2601, 65536, 10**9]))
        lines[number] = line[: found.start()] + other + line[found.end() :]
    elif way == 1 and words:
        found = rng.choice(words)
        other = rng.choice(["open", "xyz", found[0][:-1] or "q", found[0][::-1], "U"])
        lines[number] = line[: found.start()] + other + line[found.end() :]
    elif way == 2:
        del lines[number]
    elif way == 3:
        lines.insert(number, line)
    elif way == 4:
        place = rng.randrange(len(line))
        lines[number] = line[:place] + line[place + 1 :]
    else:
        other_line = rng.choice(meant)
        lines[number], lines[other_line] = lines[other_line], line
    return "\n".join(lines) + "\n"


_PLACES = {
    False: r"rig\.toml, line \d+(, column \d+)?: .+",
    True: r"rig\.toml(, line \d+, [A-Za-z].*: .+|: the key `.+` is missing; add it)",
}
"""What a message begins with: of text that is no TOML, and of TOML that is no rig."""


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def moves_within_range(rig: ActionMachine) -> bool:
    """Say whether whatever it can do sends every servo and carriage to one of its places."""
    machine = rig.planning.machine
    servos = {each.servo: each.pulse_us for each in rig.variables.values()}
    carriages = {
        each.motor.channel: each.steps for each in rig.variables.values() if each.motor is not None
    }
    pose = Pose(machine.start, Orientation())
    done = [Stride((deed,), pose.places, pose.places) for deed in machine.deeds]
    steps = (*program_of(rig, done, pose).steps, *rig.ready().steps)
    return all(
        part.pulse_us in servos[part.channel]
        if isinstance(part, ServoMove)
        else part.steps in carriages[part.channel]
        for step in steps
        for part in step.actions
        if isinstance(part, ServoMove) or (isinstance(part, MotorMove) and part.absolute)
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_file_is_refused_with_key_and_line_or_is_valid(name: str) -> None:
    rng = random.Random(name)
    refusals: list[tuple[str, str]] = []
    for _ in range(60):
        text = mutated(shipped_text(name), rng)
        try:
            rig = parsed(text)
        except ConfigError as error:
            refusals.append((text, str(error)))
        else:
            assert isinstance(rig, ActionMachine), text
            assert moves_within_range(rig), text
    for text, said in refusals:
        assert re.match(_PLACES[is_toml(text)], said), (said, text)
    assert 20 <= len(refusals) < 60


def test_a_file_is_read_as_what_its_kind_says() -> None:
    assert mechanism_type({"kind": "actions"}) is ActionMachine
    assert isinstance(parsed(CUBOTINO), ActionMachine)


def test_steps_are_counted_from_where_the_motor_starts() -> None:
    claws = shipped_text("claws")
    assert parsed(claws.replace("steps = [0, 610, 690]", "steps = [0, -610, -690]", 1))
    with pytest.raises(ConfigError, match=r"R-fingers\.steps: steps is .* 0 at 'closed', where it"):
        parsed(claws.replace("steps = [0, 610, 690]", "steps = [10, 610, 690]", 1))
