"""What a rig's cameras see, and the programs that show them the rest of the cube."""

from collections.abc import Collection, Mapping, Sequence

from cube.facelets import facelet_index
from cube.moves import MoveSequence
from cube.pieces import CENTRE_FACELETS
from robot.errors import NotPossibleError
from robot.rigs.mechanism import Mechanism
from robot.rigs.pose import Pose
from robot.rigs.program import RigProgram
from robot.rigs.scanning import ScanProgram, Sight
from thistlebot.looking.rig_views import never_sure, unseen_stickers
from vision.geometry.view import View

_ALL = frozenset(range(54))
_CENTRES = frozenset(CENTRE_FACELETS)


class RigScan:
    """Plans what a rig does to see a cube.

    Args:
        rig: The machine.
        views: Of its cameras, in their order.
        told: The cube's colours, as its owner says.
    """

    def __init__(
        self, rig: Mechanism, views: Sequence[View], told: Mapping[str, str] | None = None
    ) -> None:
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
        # No turn of a layer brings a centre into sight: its colour is told, or left over.
        self._wanted = _ALL if self._rig.handles_cube else _ALL - (_CENTRES - shown)
        if self.moves_nothing:
            self._wanted -= set(map(facelet_index, self.at_rest))

    @property
    def moves_nothing(self) -> bool:
        """Whether the cameras see enough of a cube that just lies there."""
        return not self._rig.handles_cube and not never_sure(self.at_rest)

    def unseen(self) -> tuple[str, ...]:
        """Name what the cameras never see, whatever the machine does.

        Raises:
            NotPossibleError: A machine that handles the cube does not show them enough.
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

    def first(self, pose: Pose | None, lanes: int | None = None) -> ScanProgram:
        """Plan the looks that may be enough: one face may follow from the others.

        Args:
            pose: How machine and cube stand; as when it is ready unless given.
            lanes: How many motors the board turns at once.

        Raises:
            NotPossibleError: The cameras never see so much.
        """
        return self._planned(self._wanted, pose, lanes, 1)

    def of(
        self, names: Collection[str], lies: Sequence[int], pose: Pose | None, lanes: int | None
    ) -> ScanProgram | None:
        """Plan looks at some facelets; None where the cameras never see them.

        Args:
            names: The facelets, as they were named when the look began.
            lies: For each of the 54 places the facelet that is there now, named like that.
            pose: How machine and cube stand.
            lanes: How many motors the board turns at once.
        """
        named = self._wanted & set(map(facelet_index, names))
        wanted = frozenset(place for place, facelet in enumerate(lies) if facelet in named)
        try:
            return self._planned(wanted, pose, lanes, 0) if wanted else None
        except NotPossibleError:
            return None

    def _planned(
        self, wanted: frozenset[int], pose: Pose | None, lanes: int | None, spare_faces: int
    ) -> ScanProgram:
        """Plan a scan, once for each machine that stands so and wants the same."""
        key = wanted, pose, lanes, spare_faces
        if key not in self._plans:
            self._plans[key] = self._rig.plan_scan(self._sights, *key)
        return self._plans[key]

    def program(self, moves: MoveSequence, pose: Pose | None, lanes: int | None) -> RigProgram:
        """Plan moves, as `Mechanism.plan` does."""
        return self._rig.plan(moves, lanes, pose)

    def view(self, camera: int, facelets: Sequence[int]) -> View:
        """Return what a picture shows.

        Args:
            camera: Which camera took it.
            facelets: For each of the 54 places the facelet that is there.
        """
        return self._views[camera].showing(facelets)
