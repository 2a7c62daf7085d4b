"""What is said about a message that a board refuses."""

from robot.link.packet_text import where_refused
from robot.protocol.messages import Enable, Set
from robot.protocol.settings import Setting


def test_a_refusal_names_the_key_to_leave_out() -> None:
    keys = ("soft_start_steps", "driver_address")
    named = {
        Set(Setting.SOFT_START, 2, 3): ["soft_start_steps"],
        Set(Setting.DRIVER_ADDRESS, 2, 8): ["driver_address"],
        Set(Setting.GAP_US, 255, 3): [],
        Set(250, 255, 3): [],
        Enable(1): [],
    }
    said = {message: where_refused(message) for message in named}
    assert {message: [k for k in keys if k in text] for message, text in said.items()} == named
    assert all(said.values())
