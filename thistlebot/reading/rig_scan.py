"""The scan programs that show a rig's cameras the whole cube."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from cube.facelets import facelet_index
from cube.moves import MoveSequence
from cube.pieces import CENTRE_FACELETS
from robot.errors import NotPossibleError
from thistlebot.reading.rig_views import never_sure, unseen_stickers
from vision.geometry.view import View

if TYPE_CHECKING:  # reading photos needs no robot
    from robot.rigs.mechanism import Mechanism, ScanProgram
    from robot.rigs.program import Pose, RigProgram


_ALL = frozenset(range(54))
_CENTRES = frozenset(CENTRE_FACELETS)


class RigScan:
    """Plans the scan programs of a rig."""

    def __init__(
        self, rig: "Mechanism", views: Sequence[View], told: Mapping[str, str] | None = None
    ) -> None:
        from robot.rigs.mechanism import Sight

        self._rig = rig
        self._views = tuple(views)
        needs = [camera.needs for camera in rig.cameras] if len(rig.cameras) == len(views) else []
        self._sights = tuple(
            Sight(frozenset(map(facelet_index, view.names())), needs[number] if needs else {})
            for number, view in enumerate(views)
        )
        self._plans: dict[tuple[frozenset[int], Pose | None, int | None, int], ScanProgram] = {}
        self.at_rest = unseen_stickers(views, told)
        shown = frozenset[int]().union(*(sight.facelets for sight in self._sights))
        # No turn of a layer brings a centre into sight: its colour is given, or the remaining one.
        self._wanted = _ALL if self._rig.handles_cube else _ALL - (_CENTRES - shown)
        if self.moves_nothing:
            self._wanted -= set(map(facelet_index, self.at_rest))

    @property
    def moves_nothing(self) -> bool:
        """Whether the cameras see enough of a cube without any movement."""
        return not self._rig.handles_cube and not never_sure(self.at_rest)

    def unseen(self) -> tuple[str, ...]:
        """Return the facelets that the cameras can never see.

        Raises:
            NotPossibleError: A machine that handles the cube cannot show them enough.
        """
        if self.moves_nothing:
            return self.at_rest
        try:
            self.first(None)
        except NotPossibleError:
            if self._rig.handles_cube:
                raise
            return self.at_rest
        return ()

    def first(self, pose: "Pose | None", lanes: int | None = None) -> "ScanProgram":
        """Plan looks that may be enough; one face may follow from the others.

        Args:
            pose: The pose of machine and cube; by default the one after `ready`.
            lanes: Number of motors that the board turns at once.

        Raises:
            NotPossibleError: The cameras can never see enough.
        """
        return self._planned(self._wanted, pose, lanes, 1)

    def of(
        self, names: Collection[str], lies: Sequence[int], pose: "Pose | None", lanes: int | None
    ) -> "ScanProgram | None":
        """Plan looks at some facelets; None if the cameras can never see them.

        Args:
            names: The facelets, by their names at the beginning of the look.
            lies: For each of the 54 places the facelet that is there now, by the same names.
            pose: The pose of machine and cube.
            lanes: Number of motors that the board turns at once.
        """
        named = self._wanted & set(map(facelet_index, names))
        wanted = frozenset(place for place, facelet in enumerate(lies) if facelet in named)
        try:
            return self._planned(wanted, pose, lanes, 0) if wanted else None
        except NotPossibleError:
            return None

    def _planned(
        self, wanted: frozenset[int], pose: "Pose | None", lanes: int | None, spare_faces: int
    ) -> "ScanProgram":
        """Plan a scan, once for each pose and set of wanted facelets."""
        key = wanted, pose, lanes, spare_faces
        if key not in self._plans:
            self._plans[key] = self._rig.plan_scan(self._sights, *key)
        return self._plans[key]

    def program(self, moves: MoveSequence, pose: "Pose | None", lanes: int | None) -> "RigProgram":
        """Plan moves; see `Mechanism.plan`."""
        return self._rig.plan(moves, lanes, pose)

    def view(self, camera: int, facelets: Sequence[int]) -> View:
        """Return the view of a picture.

        Args:
            camera: The camera that took it.
            facelets: For each of the 54 places the facelet that is there.
        """
        return self._views[camera].showing(facelets)
