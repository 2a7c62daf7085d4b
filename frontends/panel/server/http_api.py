"""The HTTP interface for programs: state, events, runs, commands and STOP, below /api/v1."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import cv2
import msgspec
import numpy as np

from cube.errors import ThistlebotError
from frontends.control.desk import Desk, Order, decode_command
from frontends.control.hub import Hub
from frontends.control.outbox import news_event
from frontends.control.view_model.view import ViewModel
from frontends.panel.server.api_description import (
    OPERATIONS,
    PREFIX,
    Accepted,
    CommandQuery,
    ListedRun,
    PanelState,
    Refusal,
    RunDetail,
    RunsQuery,
    SolvesQuery,
    StopAnswer,
    StreamMessage,
    TimedEvent,
    openapi,
)
from frontends.panel.server.devices import require_scope, scope_of_command
from frontends.panel.server.feeds import CameraFeeds
from frontends.panel.server.guard import SCOPE
from frontends.panel.server.pictures import encode_jpeg
from thistlebot.config import Folders
from thistlebot.errors import RefusedError, UsageError
from thistlebot.journal.one_run import bundle_of, picture_of, stored_run
from thistlebot.journal.overview import latest_runs, solving_rows
from thistlebot.journal.run_record import events_of
from thistlebot.journal.sharing.cstimer import cstimer_csv
from vision.frame import Frame

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

T = TypeVar("T")
ALIVE_S = 5.0
"""A stream without news sends a comment this often, so that both ends notice a lost connection."""
CAMERA_WAIT_S = 5.0
LONGEST_BODY = 65_536
_STATUS = {"scope": 403, "usage": 400, "missing": 404, "journal": 503}


class HttpApi:
    """Serves programs."""

    def __init__(
        self,
        hub: Hub,
        desk: Desk,
        folders: Folders,
        feeds: CameraFeeds,
        *,
        secured: bool,
    ) -> None:
        self._hub = hub
        self._desk = desk
        self._folders = folders
        self._feeds = feeds
        self._secured = secured

    def before(self, app: "ASGIApp") -> "ASGIApp":
        """Return an application that serves what is below /api/, and another one's paths."""
        from starlette.exceptions import HTTPException
        from starlette.middleware.exceptions import ExceptionMiddleware
        from starlette.routing import Route, Router

        routes = [
            Route(each.path, partial(_answered, getattr(self, each.name)), methods=[each.method])
            for each in OPERATIONS
        ]
        router = Router(routes)
        api = ExceptionMiddleware(router, handlers={HTTPException: _unserved})

        async def serve(scope: "Scope", receive: "Receive", send: "Send") -> None:
            if scope["type"] == "http" and f"{scope['path']}/".startswith("/api/"):
                await api({**scope, "app": router, "root_path": PREFIX}, receive, send)
            else:
                await app(scope, receive, send)

        return serve

    async def description(self, _request: "Request") -> "Response":
        """Return the OpenAPI description."""
        return _json(openapi(secured=self._secured))

    async def state(self, _request: "Request") -> "Response":
        """Return the state of the machine."""
        return _json(PanelState(time.monotonic(), self._hub.view))

    async def events(self, _request: "Request") -> "Response":
        """Send events and views until the client leaves."""
        from starlette.responses import StreamingResponse

        headers = {"cache-control": "no-store"}
        return StreamingResponse(self._stream(), media_type="text/event-stream", headers=headers)

    async def _stream(self) -> AsyncIterator[bytes]:
        news, wake = news_event()
        outbox = self._hub.watch(wake)
        try:
            while True:
                for number, told in outbox.take():
                    if isinstance(told, ViewModel):
                        message = StreamMessage("view", number, view=told)
                    elif told is not None:
                        message = StreamMessage("event", number, event=told)
                    else:
                        message = StreamMessage("lost")
                    yield b"data: " + msgspec.json.encode(message) + b"\n\n"
                try:
                    await asyncio.wait_for(news.wait(), ALIVE_S)
                except TimeoutError:
                    yield b": alive\n\n"
                news.clear()
        finally:
            self._hub.leave(outbox)

    async def command(self, request: "Request") -> "Response":
        """Pass a command to the machine."""
        query = _query(request, CommandQuery)
        command = decode_command(await _body(request))
        require_scope(request.scope[SCOPE](), scope_of_command(command))
        sent_s = time.monotonic() if query.sent_s is None else query.sent_s
        run = self._desk.take(Order(0, sent_s, command, query.run))
        return _json(Accepted(run), 202)

    async def stop(self, _request: "Request") -> "Response":
        """Stop the machine; every device may."""
        self._desk.stop()
        return _json(StopAnswer(), 202)

    async def runs(self, request: "Request") -> "Response":
        """List runs of the journal, the newest first."""
        query = _query(request, RunsQuery)
        found = await _found(latest_runs, self._folders, query.limit, virtual=query.virtual)
        return _json(tuple(ListedRun(*each) for each in found))

    async def solves(self, request: "Request") -> "Response":
        """Return the solves in csTimer's format."""
        query = _query(request, SolvesQuery)
        rows = await _found(solving_rows, self._folders, virtual=query.virtual)
        return _file(cstimer_csv(rows).encode(), "text/csv", "solves.csv")

    async def run(self, request: "Request") -> "Response":
        """Return one run of the journal."""
        number, row, run, pictures = await _found(stored_run, self._folders, _run_of(request))
        events = () if run is None else tuple(TimedEvent(*each) for each in events_of(run))
        return _json(RunDetail(number, row, events, tuple(each for each, _ in pictures)))

    async def bundle(self, request: "Request") -> "Response":
        """Return the bundle of a run."""
        name, content = await _found(bundle_of, self._folders, _run_of(request))
        return _file(content, "application/zip", name)

    async def run_picture(self, request: "Request") -> "Response":
        """Return a picture of a run."""
        number = _number_of(request, "picture")
        png = await _found(picture_of, self._folders, _run_of(request), number)
        jpeg = None if png is None else await asyncio.to_thread(_small_jpeg, png)
        if jpeg is None:
            raise RefusedError("missing", f"picture {number} of this run is not stored")
        return _file(jpeg, "image/jpeg")

    async def camera(self, request: "Request") -> "Response":
        """Return the next picture of a camera."""
        number = _number_of(request, "camera")
        feed = self._feeds.get(number)
        jpeg = None if feed is None else await feed.next_jpeg(CAMERA_WAIT_S)
        if jpeg is None:
            raise RefusedError("missing", f"camera {number} is not open, or sends no pictures")
        return _file(jpeg, "image/jpeg")


async def _answered(serve: Callable[["Request"], Any], request: "Request") -> "Response":
    """Serve a request, or say why not."""
    try:
        response: Response = await serve(request)
    except UsageError as error:
        kind = error.kind if isinstance(error, RefusedError) else "usage"
        return _json(Refusal(kind, str(error)), _STATUS.get(kind, 409))
    return response


async def _unserved(_request: "Request", error: Exception) -> "Response":
    """Answer a path that does not exist, or a method that it does not have."""
    told: HTTPException = error  # type: ignore[assignment] # registered for these alone
    missing = told.status_code == 404
    text = f"there is no such path; {PREFIX}/openapi.json lists all" if missing else told.detail
    answer = _json(Refusal("missing" if missing else "usage", text), told.status_code)
    answer.headers.update(told.headers or {})
    return answer


async def _found(read: Callable[..., T], *given: Any, **named: Any) -> T:
    """Read the journal in another thread than the server's loop."""
    try:
        return await asyncio.to_thread(read, *given, **named)
    except UsageError as error:
        raise RefusedError("missing", str(error)) from None
    except ThistlebotError as error:
        raise RefusedError("journal", str(error)) from None


async def _body(request: "Request") -> bytes:
    from starlette.exceptions import HTTPException

    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            raise HTTPException(413, f"a command has at most {LONGEST_BODY} bytes")
    return body


def _query(request: "Request", kind: type[T]) -> T:
    try:
        return msgspec.convert(dict(request.query_params), kind, strict=False)
    except msgspec.ValidationError as error:
        raise RefusedError("usage", f"wrong query: {error}") from None


def _run_of(request: "Request") -> str:
    return str(request.path_params["run"])


def _number_of(request: "Request", name: str) -> int:
    text = str(request.path_params[name])
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise RefusedError("missing", f"there is no {name} {text!r}")
    return int(text)


def _json(value: object, status: int = 200) -> "Response":
    from starlette.responses import Response

    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _file(content: bytes, media: str, name: str = "") -> "Response":
    from starlette.responses import Response

    headers = {"cache-control": "no-store"}
    if name:
        headers["content-disposition"] = f'attachment; filename="{name}"'
    return Response(content, media_type=media, headers=headers)


def _small_jpeg(png: bytes) -> bytes | None:
    """Return a picture as a small JPEG; None if it cannot be decoded."""
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else encode_jpeg(Frame(np.asarray(image, np.uint8), "journal"))
