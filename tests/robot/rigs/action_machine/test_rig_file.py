"""Rig files of machines: what is refused, and where the message says it is."""

import random
import re
import tomllib

import pytest

from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.rigs.action_machine.mechanism import NAMES, ActionMachine, shipped_text
from robot.rigs.catalogue import mechanism_type
from robot.rigs.mechanism import Mechanism

CUBOTINO = shipped_text("cubotino")


def parsed(text: str) -> Mechanism:
    return parse_document(text, mechanism_type(parse_document(text, dict, "rig.toml")), "rig.toml")


REFUSED = [
    # What stands there, what is written instead, the key that is told, and further data.
    ("[600, 1500, 2400]", "[600, 1500, 2700]", "variables.holder.pulse_us", "[600 500 2500"),
    (
        'needs = { cover = ["open"] }',
        'needs = { cover = ["opened"] }',
        "actions[0].needs.cover",
        "'opened' closed, open, flipped",
    ),
    ("servo = 1", "servo = 0", "variables.cover.servo", "holder"),
    ("[700, 1470]", "[700, 2551]", "actions[0].time_ms", "2550"),
]


@pytest.mark.parametrize(("old", "new", "key", "told"), REFUSED)
def test_a_wrong_value_is_refused_where_it_stands(old: str, new: str, key: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parsed(CUBOTINO.replace(old, new, 1))
    said = str(caught.value)
    assert said.startswith("rig.toml")
    assert key in said.replace(": ", ".", 1)
    assert [word for word in told.split() if word not in said] == []


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("time_ms = [280, 430]", "time_ms = [280, 10001]", "time_ms"),  # longer than WAIT
        ("[0, 610, 690]", "[0, 610, 40000]", "steps"),
    ],
)
def test_what_does_not_fit_on_the_wire_is_refused(old: str, new: str, key: str) -> None:
    text = shipped_text("claws")
    assert old in text
    with pytest.raises(ConfigError, match=key):
        parsed(text.replace(old, new, 1))


def test_the_same_movement_does_two_things_to_the_cube_only_where_needs_tell_which() -> None:
    more = (
        '\n[[actions]]\nname = "tap"\nchange = { cover = ["open", "closed"] }\n'
        'layer = ["U"]\ntime_ms = [300]\n'
    )
    with pytest.raises(ConfigError) as caught:
        parsed(CUBOTINO + more)
    assert str(caught.value).startswith("rig.toml: actions[8].change ")
    assert "'close the cover'" in str(caught.value)
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
    found = list(re.finditer((r"\d+", r"[A-Za-z]+")[way % 2], line))
    if way < 2 and found:
        old = rng.choice(found)
        numbers = (-1, 0, 1, 3, 7, 16, 90, 399, 2601, 65536, 10**9)
        words = ("open", "xyz", old[0][:-1] or "q", old[0][::-1], "U")
        other = str(rng.choice(words if way else numbers))
        lines[number] = line[: old.start()] + other + line[old.end() :]
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
    False: r"rig\.toml: .+ \(at ",
    True: r"rig\.toml(, [A-Za-z].*: .+|: [a-z]\S* |: .*`.+`)",
}
"""What a message begins with: of text that is no TOML, and of TOML that is no rig."""


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def test_a_wrong_file_is_refused_with_its_key_or_is_valid() -> None:
    rng = random.Random(1)
    refusals: list[tuple[str, str]] = []
    for name in 25 * NAMES:
        text = mutated(shipped_text(name), rng)
        try:
            rig = parsed(text)
        except ConfigError as error:
            refusals.append((str(error), text))
        else:
            assert isinstance(rig, ActionMachine), text
    assert [each for each in refusals if not re.match(_PLACES[is_toml(each[1])], each[0])] == []
    assert 50 <= len(refusals) < 24 * len(NAMES)
