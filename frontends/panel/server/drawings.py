"""Pictures that are drawn for pages: of rigs and of patterns."""

from functools import cache
from typing import TYPE_CHECKING

from cube.drawing import corner_picture
from cube.patterns import PATTERNS
from robot.rigs.catalogue import NAMES, named_rig
from robot.rigs.picture import draw_machine

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_KEPT_S = 3600


async def get_drawing(request: "Request") -> "Response":
    """Serve the picture of a built-in rig, or of a pattern by the form of its name for files."""
    from starlette.responses import Response

    drawn = drawing(request.path_params["kind"], request.path_params["name"])
    if drawn is None:
        return Response(status_code=404)
    headers = {"cache-control": f"private, max-age={_KEPT_S}"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@cache
def _rig(name: str) -> str:
    machine = named_rig(name)
    return draw_machine(machine.name, machine.parts)


def drawing(kind: str, name: str) -> str | None:
    """Return a picture as SVG text; None if there is none.

    Args:
        kind: ``rig`` or ``pattern``.
        name: The name of the rig, or the pattern's `slug`.
    """
    if kind == "rig" and name in NAMES:
        return _rig(name)
    patterns = (each for each in PATTERNS if kind == "pattern" and each.slug == name)
    return next((corner_picture(each.state.to_facelets()) for each in patterns), None)
