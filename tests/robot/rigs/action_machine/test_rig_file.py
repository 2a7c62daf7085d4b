"""Rig files of machines: what is refused, and where the message says it is."""

import re
import tomllib
from collections.abc import Iterator

import pytest

from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.rigs.action_machine.mechanism import ActionMachine, shipped_text
from robot.rigs.catalogue import mechanism_type
from robot.rigs.mechanism import Mechanism

CUBOTINO = shipped_text("cubotino")


def parsed(text: str) -> Mechanism:
    raw = parse_document(text, dict, "rig.toml")
    return parse_document(text, mechanism_type(raw, "rig.toml"), "rig.toml")


REFUSED = [
    # A machine, what stands there, what is written instead, the key that is told, and further data.
    ("cubotino", "[600, 1500, 2400]", "[600, 1500, 2700]", "variables.holder.pulse_us[2]", "2500"),
    (
        "cubotino",
        'needs = { cover = ["open"] }',
        'needs = { cover = ["opened"] }',
        "actions[0].needs.cover",
        "'opened' closed, open, flipped",
    ),
    ("cubotino", "servo = 1", "servo = 0", "variables.cover.servo", "holder"),
    ("cubotino", "[700, 1470]", "[700, 2551]", "actions[0].time_ms", "2550"),
    # What does not fit on the wire: a time that is longer than WAIT, and too many steps.
    ("claws", "time_ms = [280, 430]", "time_ms = [280, 10001]", "time_ms", ""),
    ("claws", "[0, 610, 690]", "[0, 610, 40000]", "steps", ""),
    (
        "claws",
        "[0, 610, 690]",
        "[0, 610, 690]\nhome = { switch = 0, travel = -40000 }",
        "travel",
        "",
    ),
    ("claws", "cyclic = true", "cyclic = true\nhome = { switch = 0, travel = -90 }", "home", ""),
]


@pytest.mark.parametrize(("name", "old", "new", "key", "told"), REFUSED)
def test_a_wrong_value_is_refused_where_it_stands(
    name: str, old: str, new: str, key: str, told: str
) -> None:
    text = shipped_text(name)
    assert old in text
    with pytest.raises(ConfigError) as caught:
        parsed(text.replace(old, new, 1))
    said = str(caught.value)
    assert said.startswith("rig.toml")
    assert key in said.replace(": ", ".", 1)
    assert [word for word in told.split() if word not in said] == []


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


def changed(text: str) -> Iterator[str]:
    """Change one thing after the other: a line is missing, comes twice, or says something else."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line[0] not in "#\n":
            before, after = "".join(lines[:number]), "".join(lines[number + 1 :])
            yield before + after
            yield before + line + line + after
            yield before + re.sub(r"\d+", "2601", line) + after
            yield before + re.sub(r'"\w', '"q', line) + after
            yield before + line.replace("]", "") + after


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


@pytest.mark.parametrize("name", ["cubotino", "mindcub3r"])
def test_a_wrong_file_is_refused_with_key_or_is_valid(name: str) -> None:
    refusals = []
    for text in changed(shipped_text(name)):
        try:
            assert isinstance(parsed(text), ActionMachine)
        except ConfigError as error:
            refusals.append((str(error), text))
    assert [each for each in refusals if not re.match(_PLACES[is_toml(each[1])], each[0])] == []
    assert len(refusals) > 100
