"""Small pages with one element each; `POST /do/<method>` calls a method of the one made last."""

import asyncio
import json
import socket
import sys
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from nicegui import ui
from nicegui.element import Element

from cube.net import SCREEN_COLOURS
from frontends.panel.pages.cubes import UNKNOWN, Net, SolidCube
from frontends.panel.pages.elements import CameraElement

WORDS = dict(
    **{name: name for name in [*SCREEN_COLOURS, "unknown"]},
    sure="sure",
    fair="fairly sure",
    poor="unsure",
    doubt="doubtful",
    clockwise="turn {face} clockwise",
    anticlockwise="turn {face} anticlockwise",
    exchange="exchange {face}",
)
made: list[Element] = []
told: list[Any] = []
frames: list[bytes] = []
sockets: list[list[int]] = []  # the acknowledgements of each socket
app = FastAPI()


@app.post("/do/{method}")
async def do(method: str, request: Request) -> None:
    arguments = await request.json()
    with made[-1]:
        getattr(made[-1], method)(*arguments)


@app.post("/reset")
async def reset() -> None:
    for each in (told, frames, sockets):
        each.clear()


@app.get("/told")
async def what_was_told() -> dict[str, Any]:
    return {"told": told, "sockets": sockets}


@app.post("/frames")
async def more_frames(request: Request) -> None:
    frames.append(await request.body())


@app.websocket("/ws/camera/{camera}")
async def camera_frames(websocket: WebSocket, camera: int) -> None:
    await websocket.accept()
    acknowledged: list[int] = []
    sockets.append(acknowledged)
    sent = 0
    try:
        while True:
            if not frames:
                await asyncio.sleep(0.01)
                continue
            frame = frames[min(sent, len(frames) - 1)]
            if frame == b"close":
                frames.pop(min(sent, len(frames) - 1))
                await websocket.close()
                return
            if frame.startswith(b"{"):
                frames.remove(frame)
                await websocket.send_text(frame.decode())
                continue
            await websocket.send_bytes(frame)
            sent += 1
            acknowledged.append(json.loads(await websocket.receive_text())["ack"])
            await asyncio.sleep(0.01)
    except WebSocketDisconnect:
        return


def place(element: Element, width: int) -> None:
    element.style(f"width: {width}px")
    made.append(element)


@ui.page("/cube", title="cube")
def cube_page(facelets: str = UNKNOWN, live: bool = False, pace: float = 60) -> None:
    place(SolidCube(facelets, label="the cube", live=live, pace_ms=pace), 400)


@ui.page("/net", title="net")
def net_page(facelets: str = UNKNOWN, live: bool = False, editable: bool = False) -> None:
    net = Net(facelets, label="the net", words=WORDS, live=live, editable=editable)
    for name in ("tap", "correct", "turn", "exchange"):
        net.on(name, lambda event, name=name: told.append([name, event.args]))
    place(net, 600)


@ui.page("/camera", title="camera")
def camera_page(live: bool = False, below: int = 0) -> None:
    if below:
        ui.element("div").style(f"height: {below}px")
    camera = CameraElement(3, label="camera 3", live=live, hint="arrows move it")
    camera.on("points", lambda event: told.append(["points", event.args]))
    place(camera, 480)


def serve() -> None:
    """Serve the pages on a free port of this machine until the program is ended."""
    ui.run_with(app, tailwind=False, language="en-US")
    listener = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    asyncio.run(server.serve(sockets=[listener]))


if __name__ == "__main__":
    serve()
