"""The table of the link's states by itself."""

import pytest

from robot.protocol.link_states import TRANSITIONS, LinkMisuseError, LinkState, Signal, next_state


def test_every_state_is_reached_and_can_be_opened_again() -> None:
    assert set(TRANSITIONS.values()) == set(LinkState)
    assert all((state, Signal.OPEN) in TRANSITIONS for state in LinkState)
    assert all((state, Signal.HANG_UP) in TRANSITIONS for state in LinkState)
    with pytest.raises(LinkMisuseError, match=r"REPLY .*CLOSED"):
        next_state(LinkState.CLOSED, Signal.REPLY)
