"""The pictures of a look, with the reading drawn on them."""

import asyncio
from typing import TYPE_CHECKING

from thistlebot.control.look_book import LookBook
from thistlebot.panel.server.feeds import encode_jpeg
from vision.frame import Frame

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from thistlebot.looking.reader import Look


async def get_picture(request: "Request", look_book: LookBook) -> "Response":
    """Serve ``/look/RUN/LOOK/CAMERA.jpg``."""
    from starlette.responses import PlainTextResponse, Response

    run, number, camera = (int(request.path_params[name]) for name in ("run", "look", "camera"))
    look = look_book.get(run, number)
    if look is None or camera >= len(look.frames):
        return PlainTextResponse("This look is no longer kept.\n", status_code=404)
    data = await asyncio.to_thread(_drawn, look, camera)
    return Response(data, media_type="image/jpeg", headers={"cache-control": "max-age=3600"})


def _drawn(look: "Look", camera: int) -> bytes:
    from vision.annotate import annotate_reading

    image = annotate_reading(look.frames, look.reading)[camera]
    return encode_jpeg(Frame(image, look.frames[camera].source))
