"""The views of a rig's cameras, and messages about stickers that no view shows.

This module also contains the scan programs that show the cameras the rest of the cube.

Finally, it contains the colours of the cube: as its owner gives them, or as the active profile
knows them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cube.facelets import facelet_index, facelet_name, facelets_text
from cube.moves import FACES, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.pieces import CENTRE_FACELETS, CORNER_FACELETS, EDGE_FACELETS
from robot.errors import NotPossibleError
from thistlebot.config import load_view
from thistlebot.errors import UsageError
from vision.colours.profile import ColourProfile
from vision.geometry.view import View

if TYPE_CHECKING:  # reading photos needs no robot
    from robot.rigs.mechanism import Mechanism, ScanProgram
    from robot.rigs.program import Pose, RigProgram


def known_scheme(
    told: Mapping[str, str] | None, profile: ColourProfile | None
) -> Mapping[str, str] | None:
    """Return the colour name of each face of the cube, None if unknown.

    Args:
        told: The owner's ``--scheme``, or None.
        profile: The active profile, or None.

    Raises:
        UsageError: The two contradict each other.
    """
    if told is None or profile is None:
        return told or (profile.scheme if profile else None)
    if dict(told) != dict(profile.scheme):
        raise UsageError(
            f"--scheme {scheme_text(told)} contradicts profile {profile.name!r}, which is of "
            f"a cube with {scheme_text(profile.scheme)}: leave --scheme out, or measure this "
            "cube with: thistlebot calibrate colours --profile NAME --scheme "
            f"{scheme_text(told)}"
        )
    return told


def require_same_centres(told: Mapping[str, str] | None, views: Sequence[View]) -> None:
    """Refuse views with other colours of hidden centres than those that the owner gave.

    Raises:
        UsageError: A view and ``--scheme`` name a centre differently.
    """
    for view in views:
        for face, colour in view.centres.items():
            if told is not None and told[face] != colour:
                raise UsageError(
                    f"--scheme says that the centre of {face} is {told[face]}, but a view "
                    f"says {colour}: hold the cube as in the view, or write {face} = "
                    f'"{told[face]}" under [centres] in the view file'
                )


def scheme_text(scheme: Mapping[str, str]) -> str:
    """Write a scheme in the form of ``--scheme``."""
    return ",".join(scheme[face] for face in FACES)


def load_rig_views(
    rig: "Mechanism",
    file: Path | None,
    told: Mapping[str, str] | None,
    scheme: Mapping[str, str] | None,
) -> tuple[View, ...]:
    """Load a view for each camera of a rig.

    Args:
        rig: The rig.
        file: Its rig file, in the folder of its views; None for a built-in rig.
        told: The cube's colours, as its owner gave them.
        scheme: The same, or as a profile knows them.

    Raises:
        ConfigError: A view file is missing or wrong.
        UsageError: A camera has no view, or a view has another cube's centres.
    """
    from vision.virtual.viewpoints import default_views, straight_view

    defaults = default_views(scheme or WESTERN_SCHEME)
    views = []
    for i, camera in enumerate(rig.cameras):
        if camera.view:  # relative to the rig file, which names it
            views.append(load_view((file or Path()).parent / camera.view))
        elif camera.sees:
            views.append(straight_view(tuple(camera.sees)))
        elif i < len(defaults):
            views.append(defaults[i])
        else:
            raise UsageError(
                f"camera {camera.name!r} of rig {rig.name!r} needs a view: measure it with "
                f"`thistlebot calibrate camera --number {i}`"
            )
    require_same_centres(told, views)
    return tuple(views)


def unseen_stickers(
    views: Sequence[View], told: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Return the facelets that no view shows, except centres with a known colour.

    Args:
        views: Views of all cameras.
        told: The cube's colours, as its owner gave them.
    """
    seen = {name for view in views for name in view.names()}
    named = {face for view in views for face in view.centres} | set(told or ())
    seen |= {f"{face}5" for face in named}
    return tuple(name for name in map(facelet_name, range(54)) if name not in seen)


def never_sure(unseen: Sequence[str]) -> bool:
    """Return whether no cube can be read without these stickers.

    If no sticker of two corners is seen, both may be twisted in opposite directions; if no sticker
    of two edges is seen, both may be flipped. In both cases the result would be a different cube
    that is also solvable.
    """
    hidden = {facelet_index(name) for name in unseen}
    return any(
        sum(hidden.issuperset(piece) for piece in pieces) > 1
        for pieces in (CORNER_FACELETS, EDGE_FACELETS)
    )


def unseen_text(unseen: Sequence[str]) -> str:
    """Return a message that no camera sees some stickers, and what to do; empty if all are seen."""
    centres = [name for name in unseen if name.endswith("5")]
    others = [name for name in unseen if name not in centres]
    told = []
    if others:
        follows = (
            "so no reading can be certain"
            if never_sure(others)
            else "so a reading is certain only if the other stickers determine them"
        )
        told.append(
            f"no camera sees {facelets_text(others)}, {follows}: add or move a camera, and "
            "measure its view with `thistlebot calibrate camera`; or show the faces by hand: "
            "`thistlebot scan --hand`"
        )
    if centres:
        told.append(
            f"no camera sees {facelets_text(centres)}, and no view gives the colour: write it "
            "under [centres] in a view file, or give --scheme"
        )
    return "; ".join(told)


def require_enough_seen(unseen: Sequence[str]) -> None:
    """Refuse cameras that leave every cube in doubt.

    Raises:
        UsageError: The message names the unseen stickers.
    """
    if never_sure(unseen):
        raise UsageError(unseen_text(unseen))


def tell_unseen(unseen: Sequence[str], note: Callable[[str], None]) -> None:
    """Report which stickers no camera sees, before any of them looks.

    Args:
        unseen: Names of stickers, from `Machine.unseen_stickers`.
        note: Receives the message.

    Raises:
        UsageError: The cameras see so little that every cube would be in doubt.
    """
    require_enough_seen(unseen)
    if unseen:
        note(unseen_text(unseen))


_ALL = frozenset(range(54))
_CENTRES = frozenset(CENTRE_FACELETS)


class RigScan:
    """Plans the scan programs of a rig.

    Args:
        rig: The machine.
        views: Views of its cameras, in their order.
        told: The cube's colours, as its owner gave them.
    """

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
