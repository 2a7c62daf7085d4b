"""The journal's downloads: solves for csTimer, bundles, pictures."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np

from cube.errors import ThistlebotError
from thistlebot.config import Folders
from thistlebot.journal.one_run import bundle_of, picture_of, solving_rows
from thistlebot.journal.statistics import cstimer_csv

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

T = TypeVar("T")
_WIDEST_PX = 640
_QUALITY = 80


class PastFiles:
    """Serves files of the journal, which is read in another thread.

    Args:
        folders: The folders of the program.
    """

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    async def get_csv(self, request: "Request") -> "Response":
        """Serve the solves; ``?virtual=1`` for those of virtual machines."""
        virtual = request.query_params.get("virtual") == "1"
        return await _served(
            lambda: cstimer_csv(solving_rows(self._folders, virtual=virtual)).encode(),
            "text/csv; charset=utf-8",
            lambda _: "solves.csv",
        )

    async def get_bundle(self, request: "Request") -> "Response":
        """Serve everything of one run."""
        name = request.path_params["run"]
        found: list[str] = []

        def read() -> bytes:
            file, content = bundle_of(self._folders, str(name))
            found.append(file)
            return content

        return await _served(read, "application/zip", lambda _: found[0])

    async def get_picture(self, request: "Request") -> "Response":
        """Serve one picture of a run, at most as wide as a small screen."""
        run, number = str(request.path_params["run"]), int(request.path_params["picture"])

        def read() -> bytes | None:
            png = picture_of(self._folders, run, number)
            return None if png is None else small_jpeg(png)

        return await _served(read, "image/jpeg", lambda _: None)


async def _served(
    read: Callable[[], bytes | None], kind: str, name: Callable[[bytes], str | None]
) -> "Response":
    from starlette.responses import PlainTextResponse, Response

    try:
        content = await asyncio.to_thread(read)
    except ThistlebotError as error:
        return PlainTextResponse(f"{error}\n", status_code=404)
    if content is None:
        return PlainTextResponse("This picture is not stored.\n", status_code=404)
    headers = {"Cache-Control": "no-cache"}
    if file := name(content):
        headers["Content-Disposition"] = f'attachment; filename="{file}"'
    return Response(content, media_type=kind, headers=headers)


def small_jpeg(png: bytes) -> bytes | None:
    """Return a picture as JPEG, at most as wide as a small screen; None if it cannot be decoded."""
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return None
    height, width = image.shape[:2]
    if width > _WIDEST_PX:
        size = (_WIDEST_PX, round(height * _WIDEST_PX / width))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    written, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return data.tobytes() if written else None
