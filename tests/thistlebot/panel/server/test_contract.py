"""What any front end may rely on: orders, answers, events and views, over the real sockets."""

import contextlib
import time
from collections.abc import Iterator

import httpx
import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from cube.facelets import SOLVED_FACELETS
from panel_desk import PanelProcess, Watcher
from thistlebot.control.showing.notices import Told
from thistlebot.control.showing.story import after
from thistlebot.control.showing.view import View

LONG = "R U R' U' F D2 " * 50


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory, cache_folder: object) -> Iterator[PanelProcess]:
    folder = tmp_path_factory.mktemp("panel")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONFIG", "STATE", "DATA"):
            patch.setenv(f"THISTLEBOT_{name}_DIR", str(folder / name.lower()))
        patch.setenv("THISTLEBOT_CACHE_DIR", str(cache_folder))
        panel = PanelProcess(hurry=4)
    try:
        yield panel.ready()
    finally:
        assert panel.close() == 6  # asked to end


@pytest.fixture
def watcher(panel: PanelProcess) -> Iterator[Watcher]:
    panel.until(lambda view: not view["job"])
    with panel.connect() as socket:
        watcher = Watcher(socket)
        watcher.until(lambda watcher: bool(watcher.view))
        watcher.take()
        yield watcher
        with contextlib.suppress(TimeoutError):
            socket.send('{"lease":"give"}')


def test_a_solve_is_told_completely_and_in_order(panel: PanelProcess, watcher: Watcher) -> None:
    assert watcher.order({"command": "scramble"}, run=watcher.view["run"])["type"] == "taken"
    run = watcher.view["run"]
    watcher.until(lambda each: each.view["run"] > run and not each.view["job"])
    assert watcher.order({"command": "solve"})["type"] == "taken"
    watcher.until(lambda each: each.view["run"] > run + 1 and not each.view["job"])
    assert watcher.view["verified"]
    assert watcher.view["cube"]["facelets"] == SOLVED_FACELETS.text
    assert watcher.numbers == sorted(watcher.numbers)
    turned = [each["done"] for each in watcher.events if each["event"] == "turned"]
    scrambled = turned.index(max(turned[: len(turned) // 2 + 1])) if turned else 0
    assert turned, "the turns are told"
    assert scrambled >= 0
    phases = [each["phase"] for each in watcher.events if each["event"] == "entered"]
    assert phases[-7:] == ["scan", "decode", "plan", "execute", "verify", "done"][-7:] or (
        phases[-6:] == ["scan", "decode", "plan", "execute", "verify", "done"]
    )
    steps = len(watcher.view["plan"]["steps"])
    assert turned[-steps:] == list(range(1, steps + 1))


def test_the_view_follows_from_the_events(panel: PanelProcess, watcher: Watcher) -> None:
    view = msgspec.convert(watcher.view, View)
    watcher.events.clear()
    watcher.order({"command": "scramble"})
    run = watcher.view["run"]
    watcher.until(lambda each: each.view["run"] > run and not each.view["job"])
    for event in watcher.events:
        told: Told = msgspec.convert(event, Told)
        view = after(view, told)
    assert view == msgspec.convert(watcher.view, View)


def test_an_order_that_is_late_is_refused_and_nothing_begins(
    panel: PanelProcess, watcher: Watcher
) -> None:
    run = watcher.view["run"]
    for late_s in (0.6, 5.0, -1.0):
        answer = watcher.order({"command": "solve"}, late_s=late_s)
        assert (answer["type"], answer["kind"]) == ("refused", "expired")
    assert panel.view()["run"] == run


def test_a_server_that_hung_does_not_turn_afterwards(panel: PanelProcess, watcher: Watcher) -> None:
    watcher.until(lambda each: bool(each.offset_s))
    run = watcher.view["run"]
    with panel.paused():
        time.sleep(1.0)
        sent_s = time.monotonic() + watcher.offset_s
        watcher.socket.send(
            msgspec.json.encode(
                {"id": 99, "sent_s": sent_s, "lease": watcher.lease, "do": {"command": "solve"}}
            ).decode()
        )
        time.sleep(4.0)
    watcher.until(lambda each: any(answer.get("id") == 99 for answer in each.answers))
    assert watcher.answers[-1]["kind"] == "expired"
    time.sleep(0.5)
    assert panel.view()["run"] == run


def test_one_controls_and_others_watch(panel: PanelProcess, watcher: Watcher) -> None:
    with panel.connect() as socket:
        other = Watcher(socket)
        other.until(lambda each: bool(each.view))
        socket.send('{"lease":"take"}')
        for _ in range(20):
            other.hear(0.02)
        assert not other.lease
        answer = other.order({"command": "solve"})
        assert (answer["type"], answer["kind"]) == ("refused", "lease")
        watcher.order({"command": "scramble"})
        run = watcher.view["run"]
        watcher.until(lambda each: each.view["run"] > run and not each.view["job"])
        other.until(lambda each: each.view["run"] > run and not each.view["job"])
        assert other.view == watcher.view


def test_stop_needs_no_lease(panel: PanelProcess, watcher: Watcher) -> None:
    for way in ("socket", "post"):
        watcher.order({"command": "turn", "moves": LONG})
        watcher.until(lambda each: each.view["executed"] >= 1 and bool(each.view["job"]))
        if way == "post":
            assert httpx.post(f"{panel.url}stop").json() == {"stopping": True}
        else:
            with panel.connect("ws/stop") as stop:
                stop.send("stop")
                stop.recv(2)
        watcher.until(lambda each: not each.view["job"])
        assert watcher.view["attention"]["kind"] == "stopped"
        assert watcher.view["executed"] < len(watcher.view["plan"]["steps"])


def test_a_lost_controller_does_not_stop_a_turn_halfway(panel: PanelProcess) -> None:
    panel.until(lambda view: not view["job"])
    with panel.connect() as socket:
        watcher = Watcher(socket)
        watcher.take()
        watcher.order({"command": "scramble"})
    view = panel.until(lambda view: not view["job"])
    assert view["attention"] is None
    assert view["executed"] == len(view["plan"]["steps"])


@pytest.mark.parametrize("path", ["ws/command", "ws/stop", "ws/camera/0"])
def test_a_page_of_another_origin_gets_no_socket(panel: PanelProcess, path: str) -> None:
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus):
            panel.connect(path, origin=origin)


def test_a_forged_host_gets_nothing(panel: PanelProcess) -> None:
    for host in ("evil.example", "evil.example:80", "192.0.2.7", ""):
        assert httpx.get(panel.url, headers={"host": host}).status_code == 403
    with pytest.raises(InvalidStatus):
        panel.connect("ws/command", host="evil.example")


def test_a_foreign_post_does_not_even_stop(panel: PanelProcess, watcher: Watcher) -> None:
    answer = httpx.post(f"{panel.url}stop", headers={"origin": "http://evil.example"})
    assert answer.status_code == 403


def test_what_is_no_order_is_refused(watcher: Watcher) -> None:
    for text in ("", "{}", "[1,2]", '{"id":1}', "\x00", '{"id":1,"sent_s":1,"do":{}}'):
        watcher.answers.clear()
        watcher.socket.send(text)
        watcher.until(lambda each: bool(each.answers))
        assert watcher.answers[-1]["kind"] == "usage"


def test_a_camera_sends_the_next_picture_when_one_is_acknowledged(panel: PanelProcess) -> None:
    with panel.connect("ws/camera/0") as socket:
        assert msgspec.json.decode(socket.recv(5)) == {"size": [640, 480]}
        first = socket.recv(5)
        assert isinstance(first, bytes)
        assert first.startswith(b"\xff\xd8")
        with pytest.raises(TimeoutError):
            socket.recv(0.3)
        socket.send('{"ack":1}')
        assert isinstance(socket.recv(5), bytes)


def test_a_token_is_needed_from_other_addresses() -> None:
    panel = PanelProcess(host="0.0.0.0", hurry=4)
    try:
        assert panel.token
        address = panel.url
        assert httpx.get(address).status_code == 401
        assert httpx.get(f"{address}?token=guess").status_code == 401
        assert httpx.post(f"{address}stop").status_code == 401
        with pytest.raises(InvalidStatus):
            connect(address.replace("http", "ws", 1) + "ws/command", proxy=None)
        with httpx.Client(follow_redirects=True) as browser:
            page = browser.get(panel.link)
            assert page.status_code == 200
            assert "token" not in str(page.url)
            assert browser.get(f"{address}view").status_code == 200
        assert panel.view()["machine"]["virtual"] in (True, False)
    finally:
        panel.close()
