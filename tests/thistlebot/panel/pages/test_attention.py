"""What the card offers when a person is needed."""

import pytest

from thistlebot.control.showing.attention import Action, concluded
from thistlebot.exit_codes import error_record
from thistlebot.panel.pages.attention import offered
from vision.errors import CameraError

GONE = concluded(None, error_record(CameraError("the camera gave no picture"))["error"])


@pytest.mark.parametrize("job", ["solve", "scramble", "copy", "go_on"])
def test_a_run_is_begun_again(job: str) -> None:
    assert dict(offered(GONE, job))[Action.LOOK_AGAIN] == {"command": "solve"}


def test_otherwise_the_rig_looks() -> None:
    assert dict(offered(GONE, "look")) == {
        Action.LOOK_AGAIN: {"command": "look"},
        Action.CLEAR: {"command": "dismiss"},
    }


def test_the_rig_does_not_look_for_what_was_held_in_a_hand() -> None:
    assert dict(offered(GONE, "by_hand")) == {Action.CLEAR: {"command": "dismiss"}}
