"""The views of a rig's cameras, and what is to be said of stickers that none of them shows."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cube.facelets import facelet_index, facelet_name, facelets_text
from cube.net import WESTERN_SCHEME
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from robot.rigs.mechanism import Mechanism
from thistlebot.config import load_view
from thistlebot.errors import UsageError
from thistlebot.looking.cube_colours import require_same_centres
from vision.geometry.view import View


def load_rig_views(
    rig: Mechanism,
    file: Path | None,
    told: Mapping[str, str] | None,
    scheme: Mapping[str, str] | None,
) -> tuple[View, ...]:
    """Load a view for each camera of a rig.

    Args:
        rig: The rig.
        file: Its rig file, beside which its views lie; None for the built-in rig.
        told: The cube's colours, as its owner says.
        scheme: The same, or as a profile knows them.

    Raises:
        ConfigError: A view file is missing or wrong.
        UsageError: A camera has no view, or a view names the centres of another cube.
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
    """Name the facelets that no view shows; centres whose colour is known are none of them.

    Args:
        views: Of all cameras.
        told: The cube's colours, as its owner says.
    """
    seen = {name for view in views for name in view.names()}
    named = {face for view in views for face in view.centres} | set(told or ())
    seen |= {f"{face}5" for face in named}
    return tuple(name for name in map(facelet_name, range(54)) if name not in seen)


def never_sure(unseen: Sequence[str]) -> bool:
    """Whether no cube at all can be read without these stickers.

    Where nothing is seen of two corners, both may be twisted in their places, one each way; where
    nothing is seen of two edges, both may be flipped: another cube, and turns can solve it.
    """
    hidden = {facelet_index(name) for name in unseen}
    return any(
        sum(hidden.issuperset(piece) for piece in pieces) > 1
        for pieces in (CORNER_FACELETS, EDGE_FACELETS)
    )


def unseen_text(unseen: Sequence[str]) -> str:
    """Say that no camera sees some stickers, and what to do; empty when all are seen."""
    centres = [name for name in unseen if name.endswith("5")]
    others = [name for name in unseen if name not in centres]
    told = []
    if others:
        follows = (
            "so no reading can be sure"
            if never_sure(others)
            else "so a reading is sure only where the other stickers tell them"
        )
        told.append(
            f"no camera sees {facelets_text(others)}, {follows}: add a camera or move one, and "
            "measure its view with `thistlebot calibrate camera`; or show the faces by hand: "
            "`thistlebot scan --hand`"
        )
    if centres:
        told.append(
            f"no camera sees {facelets_text(centres)}, and no view names the colour: write it "
            "under [centres] of a view file, or give --scheme"
        )
    return "; ".join(told)


def require_enough_seen(unseen: Sequence[str]) -> None:
    """Refuse cameras that leave every cube in doubt.

    Raises:
        UsageError: The message names the stickers that are not seen.
    """
    if never_sure(unseen):
        raise UsageError(unseen_text(unseen))
