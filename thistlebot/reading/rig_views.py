"""The views of a rig's cameras, and messages about stickers that no view shows."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cube.facelets import facelet_index, facelet_name, facelets_text
from cube.net import WESTERN_SCHEME
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from thistlebot.config import load_view
from thistlebot.errors import UsageError
from thistlebot.reading.schemes import require_same_centres
from vision.geometry.view import View

if TYPE_CHECKING:  # reading photos needs no robot
    from robot.rigs.mechanism import Mechanism


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
    """Return the facelets that no view shows, except centres with a known colour."""
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
