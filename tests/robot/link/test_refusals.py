"""What is said about a message that a board refuses."""

import pytest

from robot.link.packet_text import where_refused
from robot.protocol.messages import Enable, Set
from robot.protocol.schema import Message
from robot.protocol.settings import Setting


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (Set(Setting.SOFT_START, 2, 3), "leave soft_start_steps out of the rig file"),
        (Set(Setting.DRIVER_ADDRESS, 2, 8), "leave driver_address out of the rig file"),
        (Set(Setting.GAP_US, 255, 3), "check the rig file"),
        (Set(250, 255, 3), "check the rig file"),
        (Enable(1), "check the rig file"),
    ],
)
def test_a_refusal_says_what_to_do(message: Message, words: str) -> None:
    assert words in where_refused(message)
