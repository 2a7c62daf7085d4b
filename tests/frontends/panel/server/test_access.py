"""Who may speak to the panel, and the address at which it is opened."""

import asyncio
import ipaddress
import stat
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cube.state import SOLVED
from frontends.control.worker import MachineWorker
from frontends.panel.address import own_address, panel_url, qr_code
from frontends.panel.server import serving
from frontends.panel.server.access import (
    DEVICES,
    VISITORS,
    Access,
    is_loopback,
    kept_token,
    same_origin,
)
from frontends.panel.server.devices import Devices, DeviceScope
from frontends.panel.server.feeds import MOST_SHOWN_HZ, CameraFeeds
from frontends.panel.server.guard import HEADERS, Guard
from panel_desk import PanelProcess, Watcher
from run_thistlebot import record, records, thistlebot
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.session.choices import Choices
from thistlebot.solving.approach import Approach
from vision.frame import Frame
from vision.virtual.viewpoints import corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


def test_hosts_and_origins_that_are_known(tmp_path: Path) -> None:
    """A server of this computer only goes by its names, one for others by addresses, too."""
    own = ["localhost:8060", "LOCALHOST", "127.0.0.1:8060", "[::1]:8060", "127.8.8.8"]
    foreign = ["192.168.1.4:8060", "evil.example", "localhost.evil.example"]
    foreign += ["127.0.0.1.evil.example", "", "[", "user@evil.example"]
    assert [host for host in (*own, *foreign) if Access().knows_host(host)] == own
    access = Access.of("0.0.0.0", tmp_path / "token")
    assert access.token
    assert access.knows_host("192.168.1.4:8060")
    assert access.knows_host("[fe80::1]:8060")
    assert not access.knows_host("rebound.example:8060")
    hosts = ["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"]
    assert [host for host in hosts if is_loopback(host)] == hosts[:3]
    same = ["", "http://a:1", "https://a:1", "http://A:1"]
    others = ["http://a:2", "http://a", "null", "http://a:1.evil.example"]
    others += ["http://evil.example/a:1"]
    assert [origin for origin in (*same, *others) if same_origin(origin, "a:1")] == same


def test_a_token_is_kept_from_start_to_start_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "state" / "panel-token"
    token = kept_token(file)
    assert kept_token(file) == token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    told: list[str] = []
    file.chmod(0o644)
    assert (kept_token(file, told.append), len(told)) == (token, 1)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(b"\xff")
    assert kept_token(file, told.append) != token
    assert len(told) == 1


def test_without_room_for_tokens_the_panel_opens_with_new_ones(tmp_path: Path) -> None:
    (tmp_path / "state").symlink_to("nowhere")  # nobody can write below it, not even root
    told: list[str] = []
    first, second = (Access.of("0.0.0.0", tmp_path / "state/token", note=told.append) for _ in "ab")
    assert len({"", first.token, first.visitor, second.token, second.visitor}) == 5
    assert told


class Asked:
    """A guard before an application that answers 200, and what it is asked."""

    def __init__(self, access: Access, **given: Any) -> None:
        self.scopes: list[Any] = []
        self.answers: list[Any] = []
        self.guard = Guard(self._app, access, **given)

    async def _app(self, scope: Any, _receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def ask(self, path: str = "/", address: str = "10.0.0.1", **headers: str) -> int:
        async def send(message: Any) -> None:
            self.answers.append(message)

        told = {"host": "localhost", **{k.replace("_", "-"): v for k, v in headers.items()}}
        path, _, query = path.partition("?")
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode()}
        pairs = [(key.encode(), value.encode()) for key, value in told.items()]
        self.answers.clear()
        await self.guard(scope | {"client": (address, 5), "headers": pairs}, None, send)
        return int(self.answers[0]["status"])

    def status(self, path: str = "/", **given: str) -> int:
        return asyncio.run(self.ask(path, **given))

    def said(self, name: str) -> str:
        """Return a header of the last answer."""
        return dict(self.answers[0]["headers"]).get(name.encode(), b"").decode()


FOREIGN = ('a={"b":1}', "a=b c", "käse=ü", 'a="', "a", "=", "a=1,b", "a[b]=c", "a=\\", "$Version=1")
SIMILAR = ("thistlebot_token=other", "thistlebot_token", "a=b=c", "(a)=b", "a=\x7f", 'a="b;c"')


def test_a_cookie_of_each_form_is_passed_over() -> None:
    asked = Asked(Access("secret"))
    for foreign in (*FOREIGN, *SIMILAR):
        for parts in ((foreign, "thistlebot_token=secret"), ("thistlebot_token=secret", foreign)):
            assert asked.status(cookie="; ".join(parts)) == 200, foreign


def test_a_link_raises_what_a_browser_may_and_lowers_nothing(tmp_path: Path) -> None:
    devices = Devices(tmp_path / "devices.json")
    asked = Asked(Access("owner", devices=devices, visitor="guest"))
    watcher, phone = (
        devices.add(scope, scope) for scope in (DeviceScope.WATCH, DeviceScope.OPERATE)
    )
    for cookie in ("guest", watcher):
        for token in ("owner", phone):
            assert asked.status(f"/?token={token}", cookie=f"thistlebot_token={cookie}") == 303
            assert f"thistlebot_token={token}" in asked.said("set-cookie")
    for link in ("/show?token=guest", "/?token=owner", f"/?token={phone}"):
        assert asked.status(link, cookie="thistlebot_token=owner") == 303
        assert not asked.said("set-cookie")


def test_guesses_are_answered_ever_more_slowly_and_who_knows_it_at_once() -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async def play() -> None:
        asked = Asked(Access("secret"), pause=pause)
        for number in range(12):
            assert await asked.ask(authorization=f"Bearer {number}") == 401
        assert pauses == sorted(pauses)
        assert pauses[-1] >= 10 * pauses[0]
        assert await asked.ask(authorization="Bearer guess", address="10.0.0.2") == 401
        assert pauses[-1] == pauses[0]
        assert await asked.ask(authorization="Bearer secret") == 200
        assert len(pauses) == 13
        for number in range(3000):
            await asked.ask(authorization="Bearer x", address=f"10.1.{number}")
        assert len(asked.guard._guesses._wrong) <= 1000

    asyncio.run(play())


def test_a_flood_of_wrong_tokens_is_not_even_read_and_keeps_nobody_out() -> None:
    """Who guesses in parallel gets no further, and holds no connections."""

    async def play() -> None:
        waiting = asyncio.Event()
        asked = Asked(Access("secret"), pause=lambda _: waiting.wait())
        assert await asked.ask(authorization="Bearer secret") == 200
        guesses = [asyncio.create_task(asked.ask(authorization=f"Bearer {n}")) for n in range(40)]
        await asyncio.sleep(0)
        done, delayed = await asyncio.wait(guesses, timeout=0.01)
        assert {each.result() for each in done} == {429}
        assert len(delayed) == 4
        link = await asked.ask("/?token=secret")
        assert (link, await asked.ask(authorization="Bearer secret")) == (429, 200)
        assert await asked.ask("/?token=secret", address="10.0.0.2") == 303
        waiting.set()
        await asyncio.wait(delayed)
        assert await asked.ask("/?token=secret") == 303

    asyncio.run(play())


NAMES = ["pi.fritz.box", "pi.lan", "cube.tail1234.ts.net", "PI.Fritz.Box.", "cube.example:8443"]
STRANGE = ["pi.fritz.box.evil.example", "xpi.lan", "evil.example", "fritz.box", "cube.example.org"]


def test_a_name_that_the_owner_gave_is_known_and_the_refusal_says_how(tmp_path: Path) -> None:
    names = ("Pi.fritz.box", "pi.lan.", "cube.tail1234.ts.net", "cube.example")
    access = Access.of("127.0.0.1", tmp_path / "token", names)
    assert access.token  # others may reach it
    asked = Asked(access)
    bearer = f"Bearer {access.token}"
    for host in NAMES:
        origin = f"https://{host}"
        assert asked.status(host=host, origin=origin, authorization=bearer) == 200
    for host in STRANGE:
        assert asked.status(host=f"{host}:8060", authorization=bearer) == 403
        assert f"--host-name {host}`" in asked.answers[1]["body"].decode()
    assert asked.status(host="<script>alert(1)", authorization=bearer) == 403
    assert "<" not in asked.answers[1]["body"].decode()


def test_only_the_named_proxy_says_what_it_was_asked(tmp_path: Path) -> None:
    """The sub-path is the proxy's, and a redirect stays below it."""
    access = Access.of("127.0.0.1", tmp_path / "token", ("cube.example",), proxy="10.0.0.9")
    asked = Asked(access)
    forwarded = {
        "x_forwarded_host": "cube.example",
        "x_forwarded_prefix": "/cube",
        "x_forwarded_for": "192.0.2.7",
        "origin": "https://cube.example",
        "authorization": f"Bearer {access.token}",
    }
    assert asked.status(address="10.0.0.9", **forwarded) == 200
    told = dict(asked.scopes[-1]["headers"])
    assert (told[b"host"], told[b"x-forwarded-prefix"]) == (b"cube.example", b"/cube")
    assert asked.scopes[-1]["client"][0] == "192.0.2.7"
    assert asked.status(address="10.0.0.8", **forwarded) == 403
    del forwarded["origin"]
    assert asked.status(address="10.0.0.8", **forwarded) == 200
    assert not any(key.startswith(b"x-forwarded") for key, _ in asked.scopes[-1]["headers"])
    assert asked.scopes[-1]["client"][0] == "10.0.0.8"
    link = f"/show?token={access.token}&tab=run"
    assert asked.status(link, address="10.0.0.9", x_forwarded_prefix="/cube") == 303
    assert asked.said("location") == "./show?tab=run"


def test_a_link_with_a_token_leads_nowhere_else() -> None:
    for path in ("///evil.example/", "//evil.example", "/\\evil.example", "/"):
        asked = Asked(Access("secret"))
        assert asked.status(f"{path}?token=secret") == 303
        assert asked.said("location").startswith("./"), path


def test_the_address_to_open_and_its_code_for_a_terminal() -> None:
    assert panel_url(("127.0.0.1", 8060), "") == "http://127.0.0.1:8060/"
    assert panel_url(("::1", 80), "") == "http://[::1]:80/"
    assert panel_url(("192.0.2.4", 8060), "abc") == "http://192.0.2.4:8060/?token=abc"
    assert "0.0.0.0" not in panel_url(("0.0.0.0", 8060), "abc")  # one that others reach
    assert ipaddress.ip_address(own_address())
    lines = qr_code("http://192.168.178.24:8060/?token=" + "x" * 22).splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) < 80 * 8  # with the codes of the colours


def test_watchers_share_pictures_which_are_written_once_for_all() -> None:
    feeds = CameraFeeds()
    feeds.share(0, VirtualCamera(lambda: SOLVED, corner_viewpoint("A")), between=False)
    feed = feeds.get(0)
    picture = feed.ask()
    assert feed.newest(0) is None  # a recording: it is taken when it is waited for
    frame = picture()
    assert feed.newest(0) == (1, frame)
    first = feed.jpeg(1, frame)
    assert first.startswith(b"\xff\xd8")
    assert feed.jpeg(1, frame) is first
    feed.take()
    assert feed.jpeg(*feed.newest(1)) != first  # its noise is its own
    watchers = [lambda: None for _ in range(8)]
    for count, wake in enumerate(watchers, 1):
        feed.watch(wake)
        assert count / feed.pause_s == pytest.approx(MOST_SHOWN_HZ)
    for wake in watchers:
        feed.leave(wake)
    assert feed.pause_s == 0


def test_cameras_that_are_watched_take_their_pictures_at_the_same_time() -> None:
    meeting = threading.Barrier(2)

    class Meeting(VirtualCamera):
        def read(self) -> Frame:
            meeting.wait(30.0)
            return super().read()

    feeds = CameraFeeds()
    shared = [
        feeds.share(number, Meeting(lambda: SOLVED, corner_viewpoint("A"))) for number in range(2)
    ]
    pictures = [camera.ask() for camera in shared]
    frames = [picture() for picture in pictures]
    for number, frame in enumerate(frames):
        feed = feeds.get(number)
        assert feed.newest(0) == (1, frame)


def test_the_documentation_is_served_behind_the_same_guard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text("<p>Rigs</p>")
    monkeypatch.setattr(serving, "shipped_site", lambda _: tmp_path)
    folders = Folders(*(tmp_path / name for name in Folders.__dataclass_fields__))
    served = serving.served_machine(Choices(virtual=True), folders, Approach())
    worker = MachineWorker(served.setup, served.hub)
    app = serving.panel_app(served, worker, Access("token"))

    async def get(path: str, **headers: str) -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get(path, headers=headers)

    page = asyncio.run(get("/manual/", authorization="Bearer token"))
    assert page.text == "<p>Rigs</p>"
    assert page.headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert asyncio.run(get("/manual/")).status_code == 401


def test_a_device_is_known_by_its_token_until_it_is_revoked(tmp_path: Path) -> None:
    devices = Devices(tmp_path / "devices.json")
    token = devices.add("tablet", DeviceScope.WATCH)
    found = devices.of_token(token)
    assert found is not None
    assert found.scope is DeviceScope.WATCH
    assert token not in (tmp_path / "devices.json").read_text()
    devices.add("phone", DeviceScope.OPERATE)
    devices.revoke("tablet")
    assert devices.of_token(token) is None
    assert [each.name for each in devices.known()] == ["phone"]
    for wrong in ("", " ", "x" * 41, "\x1b[2J"):
        with pytest.raises(UsageError):
            devices.add(wrong, DeviceScope.WATCH)
    (tmp_path / "devices.json").write_text("{")
    with pytest.raises(UsageError, match=r"devices\.json"):
        devices.known()
    assert devices.of_token(token) is None


def _loses_everything_at_once(panel: PanelProcess) -> None:
    """Sockets, live pictures and the stream end when the device is revoked."""
    told = record("serve", "--add", "lost", "--scope", "operate")
    pairing = httpx.get(panel.url + "?" + told["url"].partition("?")[2])
    bearer = {"authorization": f"Bearer {pairing.cookies['thistlebot_token']}"}
    with ExitStack() as stack:
        command, stop, camera = (
            stack.enter_context(panel.connect(f"ws/{path}", **bearer))
            for path in ("command", "stop", "camera/0")
        )
        stream = stack.enter_context(
            httpx.stream("GET", f"{panel.url}api/v1/events", headers=bearer, timeout=20)
        )
        lines = stream.iter_lines()
        assert next(lines).startswith("data: ")
        Watcher(command).until(lambda each: each.ticked)
        assert thistlebot("serve", "--revoke", "lost").exit_code == 0
        for socket in (command, stop, camera):
            with suppress(ConnectionClosed):
                for _ in socket:  # what was already sent
                    pass
            assert socket.close_code == 4401
        assert all(not line or line.startswith(("data: ", ": ")) for line in lines)  # it ends


def test_a_device_does_what_it_may_until_it_is_revoked(
    open_panel: PanelProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, state = open_panel, open_panel.folder / "state"
    monkeypatch.setenv("THISTLEBOT_STATE_DIR", str(state))
    for scope in DeviceScope:
        told = record("serve", "--add", "tablet", "--scope", scope)
        link = panel.url + "?" + told["url"].partition("?")[2]
        with httpx.Client(follow_redirects=True) as browser:
            page = browser.get(link)
            assert page.status_code == 200
            assert "token" not in str(page.url)
            token = browser.cookies["thistlebot_token"]
        bearer = {"authorization": f"Bearer {token}"}
        with panel.connect(**bearer) as socket:
            watcher = Watcher(socket).until(lambda each: each.ticked)
            answer = watcher.order({"command": "save_view"})
            assert (answer.get("kind") == "scope") == (scope is not DeviceScope.CALIBRATE)
        visits = scope is DeviceScope.VISIT
        stopped, refused = (403, 403) if visits else (202, 200)
        assert httpx.post(f"{panel.url}api/v1/stop", headers=bearer).status_code == stopped
        assert httpx.get(f"{panel.url}api/v1/state", headers=bearer).status_code == refused
        assert page.url.path == ("/show" if visits else "/")
        assert ("stop-place" in page.text) != visits
        assert thistlebot("serve", "--revoke", "tablet").exit_code == 0
        assert httpx.get(panel.url, headers=bearer).status_code == 401
        with pytest.raises(InvalidStatus):
            panel.connect("ws/stop", **bearer)
    _loses_everything_at_once(panel)
    assert "tablet" not in [each["name"] for each in records("serve", "--devices")]
    visitor = (state / VISITORS).read_text().strip()
    with httpx.Client(follow_redirects=True) as phone:
        assert phone.get(f"{panel.url}show?token={visitor}").url.path == "/show"
        assert phone.get(f"{panel.url}api/v1/state").status_code == 403
        for path in ("ws/stop", "ws/camera/0"):
            cookie = {"authorization": "", "cookie": f"thistlebot_token={visitor}"}
            with pytest.raises(InvalidStatus):
                panel.connect(path, **cookie)
    assert thistlebot("serve", "--revoke", "tablet").exit_code == ExitCode.USAGE
    assert (state / DEVICES).stat().st_mode & 0o077 == 0
