"""A person before a rendered webcam who does what the page By hand says."""

from collections.abc import Callable, Iterator

from cube.moves import Move
from cube.state import CubeState
from frontends.control.view_model.by_hand import Followed, HandPhase
from frontends.control.view_model.view import ViewModel
from vision.cameras.camera import Camera
from vision.errors import EndOfVideoError
from vision.frame import Frame
from vision.virtual.viewpoints import HandHeldCube

_AWAY = 2
"""So many pictures without a face lie between two faces: fewer are taken for a slip of the hand."""
_PATIENCE = 20
"""After so many pictures of a turn that is made, and not seen, another face is shown."""


class Person(Camera):
    """Shows the face that is wanted, then makes the turn that is asked for.

    Args:
        state: The cube.
        view: Tells what is on the page.
        strays: Number of a turn, from 0, to the one that is made in its place.
        turning: Turns are made as they are asked for; else by nobody.
        faces: Tells how many faces may be taken until now; the next one is not shown before.
        most: After so many pictures the recording ends.
    """

    name = "person"

    def __init__(
        self,
        state: CubeState,
        view: Callable[[], ViewModel],
        *,
        strays: dict[int, Move] | None = None,
        turning: bool = True,
        faces: Callable[[], int] = lambda: 6,
        most: int = 4000,
    ) -> None:
        self.cube = HandHeldCube(state, seed=3)
        self._view = view
        self._strays = strays or {}
        self._turning = turning
        self._faces = faces
        self._pictures = self._live()
        self._left = most

    def read(self) -> Frame:
        self._left -= 1
        if self._left < 0:
            raise EndOfVideoError("the person has gone")
        return next(self._pictures)

    def _live(self) -> Iterator[Frame]:
        shown, made, waited = "", -1, 0
        while True:
            page = self._view().panes.hand
            if page is None or page.phase is HandPhase.SCAN:
                made = -1
                further = page is not None and len(page.captured) < self._faces()
                if page is not None and further and page.wanted not in ("", shown):
                    shown = page.wanted
                    yield from self.cube.show(shown, away=_AWAY)
            elif page.phase is HandPhase.TURN and page.way is not None and self._turning:
                way, seen = page.way, page.followed
                if way.done > made:
                    made, waited = way.done, 0
                    yield from self.cube.hold(3)
                    move = self._strays.pop(made, Move.parse(way.moves[made]))
                    yield from self.cube.turn(move)
                elif other := self._other_face(seen, waited):
                    waited = 0
                    yield from self.cube.show(other, away=_AWAY)
                else:
                    waited += 1
            yield from self.cube.hold(1)

    def _other_face(self, seen: Followed, waited: int) -> str:
        """Return the face to show instead, if any; the one shown can look the same as before."""
        tired = seen.sight == "unchanged" and waited > _PATIENCE
        if seen.face != self.cube.face or not (tired or seen.sight == "untellable"):
            return ""
        # From one to the next: two opposite faces can both hide what was turned instead.
        after = seen.show.index(seen.face) + 1 if seen.face in seen.show else 0
        return next((face for face in (*seen.show[after:], *seen.show) if face != seen.face), "")
