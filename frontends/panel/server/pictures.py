"""Pictures for viewers as JPEG, and those of a look with the reading drawn on them."""

import asyncio
from typing import TYPE_CHECKING

import cv2
import numpy as np

from frontends.control.shared_pictures import LookBook
from vision.frame import Frame

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from thistlebot.reading.reader import Look
WIDEST_PX = 640
QUALITY = 75


def encode_jpeg(frame: Frame) -> bytes:
    """Encode a picture as JPEG, at most as wide as a small screen."""
    image = frame.image
    if image.shape[1] > WIDEST_PX:
        height = round(image.shape[0] * WIDEST_PX / image.shape[1])
        image = np.asarray(cv2.resize(image, (WIDEST_PX, height), interpolation=cv2.INTER_AREA))
    written, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not written:
        raise AssertionError("OpenCV writes every 8-bit picture as JPEG")
    return data.tobytes()


async def get_picture(request: "Request", look_book: LookBook) -> "Response":
    """Serve ``/look/RUN/LOOK/CAMERA.jpg``."""
    from starlette.responses import PlainTextResponse, Response

    run, number, camera = (int(request.path_params[name]) for name in ("run", "look", "camera"))
    look = look_book.get(run, number)
    if look is None or camera >= len(look.frames):
        return PlainTextResponse("This picture is no longer stored.\n", status_code=404)
    data = await asyncio.to_thread(_drawn, look, camera)
    return Response(data, media_type="image/jpeg", headers={"cache-control": "max-age=3600"})


def _drawn(look: "Look", camera: int) -> bytes:
    from vision.annotate import annotate_reading

    image = annotate_reading(look.frames, look.reading)[camera]
    return encode_jpeg(Frame(image, look.frames[camera].source))
