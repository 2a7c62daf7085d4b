"""When solving by hand is offered: where no rig is described, and no board answers."""

from dataclasses import replace

import typer

from robot.errors import NoAnswerError, PortMissingError
from robot.running.find_port import find_port
from thistlebot.config import Folders, find_rig_file
from thistlebot.session.choices import Choices
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen


def with_rig(
    choices: Choices, folders: Folders, screen: Screen, *, as_json: bool
) -> Choices | None:
    """Ask whether to solve by hand, where no rig is described and no board answers.

    Args:
        choices: What the user chose.
        folders: Where rig files lie.
        screen: A person is asked on a terminal only.
        as_json: A program reads what is printed: nobody is asked.

    Returns:
        The choices, with the port where a board was looked for; None to solve by hand.

    Raises:
        LinkError: There is no board, and nobody said yes; the message says what to type.
    """
    if choices.rig or choices.port or choices.virtual or find_rig_file(None, folders):
        return choices
    try:
        return replace(choices, port=find_port())
    except (PortMissingError, NoAnswerError) as error:
        asks = Keyboard(wanted=screen.live.is_terminal and not as_json).available
        if asks and typer.confirm(
            "no rig is described: solve by hand with the webcam?", default=True
        ):
            return None
        raise type(error)(
            f"{error}\nno rig is described either: to solve by hand with a webcam, type "
            "thistlebot solve --hand; without one, add --virtual"
        ) from error
