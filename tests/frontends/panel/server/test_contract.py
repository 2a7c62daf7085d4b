"""What any front end may rely on: orders, answers, events and views, over the real sockets."""

from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from frontends.control.view_model.notices import Told
from frontends.control.view_model.reducer import after
from frontends.control.view_model.view import ViewModel
from panel_desk import PanelProcess, Watcher

LONG = "R U R' U' F D2 " * 50


def test_runs_are_told_completely_and_in_order_and_the_view_follows_from_them(
    panel: PanelProcess, watcher: Watcher
) -> None:
    view = msgspec.convert(watcher.view, ViewModel)
    watcher.events.clear()
    watcher.do({"command": "scramble"})
    for event in watcher.events:
        told: Told = msgspec.convert(event, Told)
        view = after(view, told)
    assert view == msgspec.convert(watcher.view, ViewModel)
    watcher.events.clear()
    assert watcher.do({"command": "solve"})["verified"], watcher.view["attention"]
    assert watcher.numbers == sorted(watcher.numbers)
    turned = [each["done"] for each in watcher.events if each["event"] == "turned"]
    assert turned == list(range(1, len(watcher.view["plan"]["steps"]) + 1))
    phases = [each["phase"] for each in watcher.events if each["event"] == "entered"]
    assert phases[-6:] == ["scan", "decode", "plan", "execute", "verify", "done"]


def test_one_controls_and_others_watch(panel: PanelProcess, watcher: Watcher) -> None:
    with panel.connect() as socket:
        other = Watcher(socket)
        other.until(lambda each: bool(each.view))
        socket.send('{"lease":"take"}')
        answer = other.order({"command": "solve"})  # answered after the wish to take control
        assert not other.lease
        assert (answer["type"], answer["kind"]) == ("refused", "lease")
        view = watcher.do({"command": "scramble"})
        other.until(lambda each: each.view == view)


def test_stop_needs_no_lease(panel: PanelProcess, watcher: Watcher) -> None:
    panel.wish(hurry=1)
    for way in ("socket", "post"):
        watcher.begin({"command": "turn", "moves": LONG})
        watcher.until(lambda each: each.view["executed"] >= 1 and bool(each.view["job"]))
        if way == "post":
            assert httpx.post(f"{panel.url}stop").json() == {"stopping": True}
        else:
            with panel.connect("ws/stop") as stop:
                stop.send("stop")
                stop.recv(20)
        watcher.until(lambda each: not each.view["job"])
        assert watcher.view["attention"]["kind"] == "stopped", way
        assert watcher.view["executed"] < len(watcher.view["plan"]["steps"]), way


def test_a_lost_controller_does_not_stop_a_turn_halfway(panel: PanelProcess) -> None:
    panel.wish(hurry=1)
    with panel.connect() as socket:
        watcher = Watcher(socket)
        watcher.until(lambda watcher: bool(watcher.view))
        watcher.take().begin({"command": "scramble"})
    view = panel.until(lambda view: not view["job"])
    assert view["attention"] is None
    assert view["executed"] == len(view["plan"]["steps"])


def test_pages_of_another_origin_and_forged_hosts_get_nothing(panel: PanelProcess) -> None:
    opened = []
    for path in ("ws/command", "ws/stop", "ws/camera/0"):
        for forged in (
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"origin": "http://127.0.0.1:1"},
            {"host": "evil.example"},
        ):
            try:
                panel.connect(path, **forged).close()
            except InvalidStatus:
                continue
            opened.append((path, forged))
    assert not opened
    for host in ("evil.example", "evil.example:80", "192.0.2.7", ""):
        assert httpx.get(panel.url, headers={"host": host}).status_code == 403
    evil = {"origin": "http://evil.example"}
    assert httpx.post(f"{panel.url}stop", headers=evil).status_code == 403


def test_a_camera_sends_the_next_picture_when_one_is_acknowledged(panel: PanelProcess) -> None:
    with panel.connect("ws/camera/0") as socket:
        assert msgspec.json.decode(socket.recv(20)) == {"size": [640, 480]}
        first = socket.recv(20)
        assert isinstance(first, bytes)
        assert first.startswith(b"\xff\xd8")
        with pytest.raises(TimeoutError):
            socket.recv(0.3)
        socket.send('{"ack":1}')
        assert isinstance(socket.recv(20), bytes)


def test_a_token_is_needed_from_other_addresses(tmp_path: Path) -> None:
    panel = PanelProcess(tmp_path, host="0.0.0.0", camera="nowhere.avi")
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
