"""Serves the panel of a computer without a rig, before whose webcam a rendered person sits.

Run as a program, it prints its address. The cube comes from the moves given, and with ``turns`` the
person makes the turns that the page asks for, else shows the faces only.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from hand_person import Person

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from thistlebot.config import Folders
from thistlebot.control.hub import Hub
from thistlebot.control.showing.view import View
from thistlebot.control.worker import Shop
from thistlebot.panel.server.access import Access
from thistlebot.panel.server.feeds import CameraFeeds
from thistlebot.panel.server.serving import Served, listen, serve
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine
from thistlebot.solving.approach import QUICK
from vision.cameras.camera import Camera


class WatchedMachine(Machine):
    """A machine whose webcam sees a person."""

    person: Callable[[], Person]

    @contextmanager
    def lend_camera(self, source: int | str) -> Iterator[Camera]:
        """Have the person sit down before the camera; `source` is not looked at."""
        del source
        yield self.person()


def main(moves: str, turning: bool) -> None:
    """Serve until the program is ended."""
    state: CubeState = SOLVED.apply(MoveSequence.parse(moves).inverse())
    hub = Hub(View("hand"))

    @contextmanager
    def opening(
        choices: Choices, folders: Folders, note: Callable[[str], None]
    ) -> Iterator[Machine]:
        with ExitStack() as stack:
            machine = WatchedMachine(choices, folders, stack, note=note)
            machine.person = lambda: Person(state, lambda: hub.view, turning=turning)
            yield machine

    feeds = CameraFeeds()
    choices = Choices(port="/dev/no-such-port")
    shop = Shop(choices, Folders.of_platform(), QUICK, opening=opening, feeds=feeds)
    port = listen("127.0.0.1", 0)

    def ready() -> None:
        sys.stdout.write(f"http://127.0.0.1:{port.getsockname()[1]}\n")
        sys.stdout.flush()

    serve(Served(shop, hub, feeds), Access(), port, ready)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] == "turns")
