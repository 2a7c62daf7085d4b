"""Assembles the panel and serves it until it is ended."""

import asyncio
import ctypes
import gc
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from cube.drawing import corner_picture
from cube.errors import NotationError
from cube.held_moves import read_moves
from cube.patterns import PATTERNS
from cube.state import SOLVED
from frontends.control.attraction import Attraction
from frontends.control.commands import Solve
from frontends.control.desk import Desk
from frontends.control.hub import Hub
from frontends.control.jobs.assistant import names_machine, resumed_choices, show_opened
from frontends.control.routing import task_of
from frontends.control.view_model.view import ViewModel
from frontends.control.worker import MachineWorker, WorkerSetup
from frontends.panel.server.access import Access
from frontends.panel.server.camera_socket import serve_camera
from frontends.panel.server.command_socket import CommandSockets
from frontends.panel.server.connections import MOST, PageQueue
from frontends.panel.server.feeds import CameraFeeds
from frontends.panel.server.guard import Guard
from frontends.panel.server.http_api import HttpApi
from frontends.panel.server.pictures import get_picture
from robot.rigs.catalogue import NAMES, named_rig
from robot.rigs.mechanism import Mechanism
from robot.rigs.picture import draw_machine
from thistlebot.config import Folders
from thistlebot.errors import ComputerError
from thistlebot.session.choices import Choices
from thistlebot.shipped import shipped_root, shipped_site
from thistlebot.solving.approach import Approach
from vision.cameras.rpicam import list_sensors

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

STATIC = Path(__file__).parent.parent / "static"
_WATCH_S = 0.2
_LEAVE_S = 2
_RECONNECT_S = 30.0
"""After this time without a connection, a page is reloaded, and what was typed on it is lost.

NiceGUI disconnects a page that does not answer for 0.4 of it; a busy small computer is silent for
3 s, and for longer beside other work.
"""

_PING_S, _SILENT_S = 5.0, 10.0
"""Times after which sockets of vanished browsers are closed."""
_IDLE_S = 20
"""Time limit for idle connections. httpx, a common client, closes its own after 5 s.

If both do so at once, a request that is sent at that moment is lost.
"""
_LONGEST_MESSAGE = 1_000_000
_HEAPS, _M_ARENA_MAX = 2, -8  # the second is the number of the option in glibc's malloc.h
_TURN_TO_SPEAK_S = 0.001
"""How long threads that draw and plan may block the one that serves browsers; Python's own 5 ms,
several times over, is visible on the screen.
"""
_DRAWING_KEPT_S = 3600
_LONGEST_DRAWN = 200


@dataclass(frozen=True, slots=True)
class Served:
    """The contents and commands of the panel.

    Attributes:
        setup: The machine, and its settings.
        hub: Publishes events.
        feeds: Its live pictures, which are also those of the worker.
    """

    setup: WorkerSetup
    hub: Hub
    feeds: CameraFeeds


def limit_heaps() -> None:
    """Let the threads of this process share two heaps, where glibc provides them.

    Otherwise each thread gets one of its own, and memory that one thread has freed is not used by
    the others: after 300 solves that kept 60 MB.
    """
    with suppress(AttributeError, OSError, TypeError):  # another system, or another C library
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _HEAPS)


def freeze_objects() -> None:
    """Exempt all objects so far, which live until the end, from garbage collection.

    It stops the whole process, STOP included; with these objects, it took at least 30 ms.
    """
    gc.collect()
    gc.freeze()


def served_machine(
    choices: Choices, folders: Folders, approach: Approach, attract_min: float | None = None
) -> Served:
    """Return a machine to serve; the button on its board does the same as Solve.

    Args:
        choices: The user's choices about the machine.
        folders: The folders of its files.
        approach: The user's options for solving.
        attract_min: Minutes without a job after which it shows itself; None for never.
    """
    feeds = CameraFeeds()
    pressed = task_of(Solve())
    setup = WorkerSetup(
        resumed_choices(choices, folders),
        folders,
        approach,
        pressed=pressed,
        opened=show_opened,
        feeds=feeds,
        assisted=not names_machine(choices),
    )
    if attract_min is not None:
        setup = Attraction(attract_min).added_to(setup)
    return Served(setup, Hub(ViewModel(secrets.token_hex(4))), feeds)


def panel_app(served: Served, worker: MachineWorker, access: Access) -> "ASGIApp":
    """Return the whole panel as one application."""
    from fastapi import FastAPI
    from starlette.routing import Route, WebSocketRoute
    from starlette.staticfiles import StaticFiles

    app = FastAPI(openapi_url=None)
    desk = Desk(worker, lambda: served.hub.view, time.monotonic)
    sockets = CommandSockets(served.hub, desk)
    pictures = partial(get_picture, look_book=served.setup.look_book)
    app.router.routes += [
        WebSocketRoute("/ws/command", sockets.serve),
        WebSocketRoute("/ws/stop", sockets.serve_stop),
        WebSocketRoute("/ws/camera/{number:int}", partial(serve_camera, feeds=served.feeds)),
        Route("/picture/{kind}/{name}.svg", _get_drawing),
        Route("/look/{run:int}/{look:int}/{camera:int}.jpg", pictures),
    ]
    app.mount("/static", StaticFiles(directory=STATIC))
    if site := shipped_site(shipped_root()):
        app.mount("/manual", StaticFiles(directory=site, html=True))
    _add_pages(app, served, access)
    folders, secured = served.setup.folders, bool(access.token)
    api = HttpApi(served.hub, desk, folders, served.feeds, secured=secured)
    return Guard(PageQueue(api.before(app)), access)


async def _get_drawing(request: "Request") -> "Response":
    """Serve the picture of a built-in rig, or of a pattern by the form of its name for files."""
    from starlette.responses import Response

    marked = frozenset(request.query_params.getlist("part"))
    drawn = drawing(request.path_params["kind"], request.path_params["name"], marked)
    if drawn is None:
        return Response(status_code=404)
    headers = {"cache-control": f"private, max-age={_DRAWING_KEPT_S}"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@cache
def _rig(name: str) -> Mechanism:
    return named_rig(name)


def drawing(kind: str, name: str, marked: Container[str] = ()) -> str | None:
    """Return a picture as SVG text; None if there is none.

    Args:
        kind: ``rig``, ``pattern`` or ``moves``.
        name: The name of the rig, the pattern's `slug`, or the moves that make a cube.
        marked: Names of the rig's parts to point out.
    """
    if kind == "rig" and name in NAMES:
        return draw_machine(name, _rig(name).parts, marked)
    if kind == "moves" and len(name) <= _LONGEST_DRAWN:
        with suppress(NotationError):
            return corner_picture(SOLVED.apply(read_moves(name)).to_facelets())
    patterns = (each for each in PATTERNS if kind == "pattern" and each.slug == name)
    return next((corner_picture(each.state.to_facelets()) for each in patterns), None)


def _add_pages(app: "FastAPI", served: Served, access: Access) -> None:
    from nicegui import ui

    from frontends.panel.pages.site import add_pages

    add_pages(served.hub, served.setup, access.visitor)
    ui.run_with(
        app,
        title="Thistlebot",
        show_welcome_message=False,
        dark=None,
        tailwind=False,
        reconnect_timeout=_RECONNECT_S,
    )


def listen(host: str, port: int) -> socket.socket:
    """Open the port of the panel.

    Raises:
        ComputerError: It is in use, or we lack permission.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
    except OSError as error:
        opened.close()
        raise ComputerError(
            f"the panel cannot listen on {host}, port {port} ({error.strerror or error}): "
            "choose another port or address with --http-port or --host"
        ) from None
    return opened


def serve(served: Served, access: Access, port: socket.socket, ready: Callable[[], None]) -> None:
    """Serve the panel until a request to end it, or until the machine's thread ends.

    Raises:
        KeyboardInterrupt: A request to end it; anything that turned is at a detent.
        ThistlebotError: The machine cannot be opened at the start.
    """
    import uvicorn

    worker = MachineWorker(served.setup, served.hub)
    config = uvicorn.Config(
        panel_app(served, worker, access),
        log_level="warning",
        lifespan="on",
        limit_concurrency=MOST,
        server_header=False,
        proxy_headers=False,  # the guard reads them, of the named proxy only
        timeout_graceful_shutdown=_LEAVE_S,
        timeout_keep_alive=_IDLE_S,
        ws_max_size=_LONGEST_MESSAGE,
        ws_ping_interval=_PING_S,
        ws_ping_timeout=_SILENT_S,
        ws_per_message_deflate=False,  # already compressed; trying again costs 2 ms each
    )
    limit_heaps()
    server = uvicorn.Server(config)
    before_s = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_TO_SPEAK_S)
    try:
        asyncio.run(_serve(server, worker, [port], ready))
    finally:
        worker.close()
        sys.setswitchinterval(before_s)
    if worker.failure is not None:
        raise worker.failure


def tell_service_manager(state: str) -> None:
    """Notify systemd, if it started this program and expects it (sd_notify(3))."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address and sys.platform == "linux":
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.sendto(state.encode(), f"\0{address[1:]}" if address[0] == "@" else address)


async def _serve(
    server: "uvicorn.Server",
    worker: MachineWorker,
    sockets: Sequence[socket.socket],
    ready: Callable[[], None],
) -> None:
    async def watch() -> None:
        while not server.started:
            await asyncio.sleep(_WATCH_S / 4)
        freeze_objects()
        # No thread before: NiceGUI lists all objects at its start, and a tuple that is being built
        # in another thread then raises a SystemError there.
        worker.start()
        threading.Thread(target=list_sensors, daemon=True).start()  # pages ask for them at once
        ready()
        while not worker.ended.is_set():
            tell_service_manager("WATCHDOG=1")
            await asyncio.sleep(_WATCH_S)
        server.should_exit = True

    watching = asyncio.create_task(watch())
    try:
        await server.serve(list(sockets))
    finally:
        watching.cancel()
